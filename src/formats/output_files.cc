#include "formats/output_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>

#include "core/quote.h"
#include "formats/messages.h"

namespace supremum::formats {
namespace {

struct FreeDeleter {
  // NOLINTNEXTLINE(cppcoreguidelines-no-malloc): realpath() takes the memory
  void operator()(char* text) const { std::free(text); }
};

}  // namespace

std::string FolderOf(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

int OpenRetrying(const std::string& path, int flags) {
  int descriptor = -1;
  do {
    descriptor = ::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY, 0666);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

int WriteAll(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    // One call takes at most about 2 GiB.
    const std::size_t chunk = std::min(bytes.size(), std::size_t{1} << 30);
    const ssize_t put = ::write(descriptor, bytes.data(), chunk);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return 0;
}

int SyncFile(int descriptor) {
  while (::fsync(descriptor) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

void SyncFolder(const std::string& target) {
  const std::string folder = FolderOf(target);
  const int descriptor = OpenRetrying(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
  if (descriptor < 0) return;
  static_cast<void>(::fsync(descriptor));
  ::close(descriptor);
}

Result<OutputTarget> ExamineTarget(const std::string& target) {
  if (target.find('\0') != std::string::npos) {
    return MakeError(ErrorCode::kIo,
                     Quote(target) + " contains a zero byte, which no file's name has; correct the name");
  }
  OutputTarget examined{target};
  struct stat status = {};
  examined.exists = ::stat(target.c_str(), &status) == 0;
  if (examined.exists && S_ISDIR(status.st_mode)) {
    return MakeError(ErrorCode::kIo, Quote(target) + " cannot be written: it is a folder; name a file");
  }
  if (examined.exists && !S_ISREG(status.st_mode)) {
    examined.direct = true;
    return examined;
  }
  examined.permissions = status.st_mode & 0777;

  struct stat link = {};
  if (::lstat(target.c_str(), &link) == 0 && S_ISLNK(link.st_mode)) {
    const std::unique_ptr<char, FreeDeleter> real(::realpath(target.c_str(), nullptr));
    if (real == nullptr) {
      return IoError(target, "followed as a symbolic link", errno,
                     "remove the link or create what it points to");
    }
    examined.path = real.get();
  }
  // The rename would replace a write-protected file without asking.
  if (examined.exists && ::faccessat(AT_FDCWD, examined.path.c_str(), W_OK, AT_EACCESS) != 0) {
    return IoError(target, "replaced", errno, "make it writable or choose another name");
  }
  return examined;
}

Temporaries& Temporaries::Instance() {
  // Never destroyed: a thread may ask for it while the program ends.
  static Temporaries& instance = *new Temporaries;
  return instance;
}

void Temporaries::Add(const std::string& path) {
  const std::lock_guard lock(mutex_);
  paths_.insert(path);
}

void Temporaries::Forget(const std::string& path) noexcept {
  const std::lock_guard lock(mutex_);
  paths_.erase(path);
}

void Temporaries::Remove(const std::string& path) noexcept {
  const std::lock_guard lock(mutex_);
  ::unlink(path.c_str());
  paths_.erase(path);
}

int Temporaries::Rename(const std::string& path, const std::string& target) noexcept {
  const std::lock_guard lock(mutex_);
  if (::rename(path.c_str(), target.c_str()) != 0) return errno;
  paths_.erase(path);
  return 0;
}

int Temporaries::RenameAndKeep(const std::string& path, const std::string& target, const std::string& kept,
                               const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto entry = kept_.emplace(kept, name);  // first, since there may be no memory for it
  if (::rename(path.c_str(), target.c_str()) != 0) {
    const int error = errno;
    if (entry.second) kept_.erase(entry.first);
    return error;
  }
  paths_.erase(path);
  paths_.erase(kept);
  return 0;
}

void Temporaries::Keep(const std::string& path, const std::string& target) {
  const std::lock_guard lock(mutex_);
  kept_.emplace(path, target);
  paths_.erase(path);
}

void Temporaries::ForgetKept(const std::string& path) noexcept {
  const std::lock_guard lock(mutex_);
  std::erase_if(kept_, [&](const auto& kept) { return kept.first == path; });
}

std::vector<std::string> Temporaries::RemoveAllForTheEnd() noexcept {
  mutex_.lock();
  for (const std::string& path : paths_) ::unlink(path.c_str());
  std::vector<std::string> targets;
  try {
    for (const auto& [path, target] : kept_) targets.push_back(target);
  } catch (const std::bad_alloc&) {
    // They are kept all the same.
  }
  return targets;
}

}  // namespace supremum::formats
