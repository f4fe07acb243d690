#include "formats/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "core/quote.h"
#include "formats/messages.h"

namespace supremum::formats {
namespace {

constexpr std::string_view kHint = "check the folder, the permissions and the free space";

struct FreeDeleter {
  // NOLINTNEXTLINE(cppcoreguidelines-no-malloc): realpath() takes the memory
  void operator()(char* text) const { std::free(text); }
};

// "dir/" of "dir/name", "" of "name".
std::string FolderOf(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

int OpenRetrying(const std::string& path, int flags) {
  int descriptor = -1;
  do {
    descriptor = ::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY, 0666);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

// The temporary files that there are, by name.
class Temporaries {
 public:
  static Temporaries& Instance() {
    // Never destroyed: a thread may ask for it while the program ends.
    static Temporaries& instance = *new Temporaries;
    return instance;
  }

  void Add(const std::string& path) {
    const std::lock_guard lock(mutex_);
    paths_.insert(path);
  }

  void Forget(const std::string& path) noexcept {
    const std::lock_guard lock(mutex_);
    paths_.erase(path);
  }

  void Remove(const std::string& path) noexcept {
    const std::lock_guard lock(mutex_);
    ::unlink(path.c_str());
    paths_.erase(path);
  }

  // 0, or the error number.
  int Rename(const std::string& path, const std::string& target) noexcept {
    const std::lock_guard lock(mutex_);
    if (::rename(path.c_str(), target.c_str()) != 0) return errno;
    paths_.erase(path);
    return 0;
  }

  // Whoever goes on making and renaming files waits here for the end.
  void RemoveAllForTheEnd() noexcept {
    mutex_.lock();
    for (const std::string& path : paths_) ::unlink(path.c_str());
  }

 private:
  std::mutex mutex_;
  std::set<std::string> paths_;
};

// Creates a file with a name that nobody has in the folder of `target`; returns its descriptor, or -1 with
// errno set.
int CreateTemporary(const std::string& target, std::string* temporary) {
  static std::atomic<std::uint64_t> counter = 0;
  // A name is taken only if a killed process with this one's id left it behind.
  for (int attempt = 0; attempt < 1000; ++attempt) {
    *temporary = FolderOf(target) + ".supremum-" + std::to_string(::getpid()) + "-" +
                 std::to_string(counter++) + ".tmp";
    Temporaries::Instance().Add(*temporary);  // first, since there may be no memory for it
    const int descriptor = OpenRetrying(*temporary, O_WRONLY | O_CREAT | O_EXCL);
    if (descriptor >= 0) return descriptor;
    const int reason = errno;
    Temporaries::Instance().Forget(*temporary);
    errno = reason;
    if (reason != EEXIST) return -1;
  }
  return -1;
}

// The new name outlasts a power failure only once the folder is on disk too. The file is complete under its
// name by now, so that a file system which cannot do this is no reason to report an error.
void SyncFolder(const std::string& target) {
  const std::string folder = FolderOf(target);
  const int descriptor = OpenRetrying(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
  if (descriptor < 0) return;
  static_cast<void>(::fsync(descriptor));
  ::close(descriptor);
}

}  // namespace

Result<AtomicFile> AtomicFile::Create(const std::string& target) {
  if (target.find('\0') != std::string::npos) {
    return MakeError(ErrorCode::kIo,
                     Quote(target) + " contains a zero byte, which no file's name has; correct the name");
  }
  struct stat status = {};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    return MakeError(ErrorCode::kIo, Quote(target) + " cannot be written: it is a folder; name a file");
  }
  if (exists && !S_ISREG(status.st_mode)) {
    const int descriptor = OpenRetrying(target, O_WRONLY);
    if (descriptor < 0) return IoError(target, "opened for writing", errno, kHint);
    return AtomicFile(target, target, "", descriptor);
  }

  std::string resolved = target;
  struct stat link = {};
  if (::lstat(target.c_str(), &link) == 0 && S_ISLNK(link.st_mode)) {
    const std::unique_ptr<char, FreeDeleter> real(::realpath(target.c_str(), nullptr));
    if (real == nullptr) {
      return IoError(target, "followed as a symbolic link", errno,
                     "remove the link or create what it points to");
    }
    resolved = real.get();
  }
  // The rename would replace a write-protected file without asking.
  if (exists && ::faccessat(AT_FDCWD, resolved.c_str(), W_OK, AT_EACCESS) != 0) {
    return IoError(target, "replaced", errno, "make it writable or choose another name");
  }
  // All that takes memory comes before there is a file to remove.
  std::string temporary, name = target;
  const int descriptor = CreateTemporary(resolved, &temporary);
  if (descriptor < 0) return IoError(target, "created", errno, kHint);
  AtomicFile file(std::move(name), std::move(resolved), std::move(temporary), descriptor);
  if (exists && ::fchmod(descriptor, status.st_mode & 0777) != 0) {
    return file.Fail("given the permissions of the old file", errno);
  }
  return file;
}

AtomicFile::AtomicFile(std::string name, std::string target, std::string temporary, int descriptor)
    : name_(std::move(name)),
      target_(std::move(target)),
      temporary_(std::move(temporary)),
      descriptor_(descriptor) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : name_(std::move(other.name_)),
      target_(std::move(other.target_)),
      temporary_(std::move(other.temporary_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      synced_(std::exchange(other.synced_, false)) {
  other.temporary_.clear();
}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
  if (this != &other) {
    Discard();
    name_ = std::move(other.name_);
    target_ = std::move(other.target_);
    temporary_ = std::move(other.temporary_);
    descriptor_ = std::exchange(other.descriptor_, -1);
    synced_ = std::exchange(other.synced_, false);
    other.temporary_.clear();
  }
  return *this;
}

AtomicFile::~AtomicFile() { Discard(); }

void AtomicFile::Discard() noexcept {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  synced_ = false;
  if (!temporary_.empty()) Temporaries::Instance().Remove(temporary_);
  temporary_.clear();
}

Error AtomicFile::Fail(std::string_view verb, int error_number) {
  Discard();
  return IoError(name_, verb, error_number, kHint);
}

Result<void> AtomicFile::Write(std::span<const std::byte> bytes) {
  if (descriptor_ < 0) return Fail("written", EBADF);
  while (!bytes.empty()) {
    // One call takes at most about 2 GiB.
    const std::size_t chunk = std::min(bytes.size(), std::size_t{1} << 30);
    const ssize_t put = ::write(descriptor_, bytes.data(), chunk);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return Fail("written", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return {};
}

Result<void> AtomicFile::Sync() {
  if (synced_) return {};
  if (descriptor_ < 0) return Fail("written", EBADF);
  // Devices and pipes know no fsync.
  int synced = temporary_.empty() ? 0 : -1;
  while (synced != 0) {
    synced = ::fsync(descriptor_);
    if (synced != 0 && errno != EINTR) return Fail("written to disk", errno);
  }
  // The descriptor is gone whatever close returns; interrupted, it has done its work.
  const int closed = ::close(std::exchange(descriptor_, -1));
  if (closed != 0 && errno != EINTR) return Fail("written to disk", errno);
  synced_ = true;
  return {};
}

Result<void> AtomicFile::Commit() {
  if (auto done = Sync(); !done) return done;
  if (temporary_.empty()) return {};
  if (const int error = Temporaries::Instance().Rename(temporary_, target_); error != 0) {
    return Fail("replaced", error);
  }
  temporary_.clear();
  SyncFolder(target_);
  return {};
}

void DiscardTemporaries() noexcept { Temporaries::Instance().RemoveAllForTheEnd(); }

Result<void> CommitStaged(Result<AtomicFile> file) {
  if (!file) return std::move(file).error();
  return file->Commit();
}

Result<void> WriteFileAtomically(const std::string& target, std::string_view content) {
  Result<AtomicFile> file = AtomicFile::Create(target);
  if (!file) return file.error();
  if (auto done = file->Write(std::as_bytes(std::span(content))); !done) return done.error();
  return file->Commit();
}

}  // namespace supremum::formats
