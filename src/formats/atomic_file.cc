#include "formats/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <utility>

#include "formats/messages.h"
#include "formats/output_files.h"

namespace supremum::formats {
namespace {

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

}  // namespace

Result<AtomicFile> AtomicFile::Create(const std::string& target) {
  Result<OutputTarget> examined = ExamineTarget(target);
  if (!examined) return examined.error();
  if (examined->direct) {
    const int descriptor = OpenRetrying(target, O_WRONLY);
    if (descriptor < 0) return IoError(target, "opened for writing", errno, kWriteHint);
    return AtomicFile(target, target, "", descriptor);
  }
  // All that takes memory comes before there is a file to remove.
  std::string temporary, name = target;
  const int descriptor = CreateTemporary(examined->path, &temporary);
  if (descriptor < 0) return IoError(target, "created", errno, kWriteHint);
  AtomicFile file(std::move(name), std::move(examined->path), std::move(temporary), descriptor);
  if (examined->exists && ::fchmod(descriptor, examined->permissions) != 0) {
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
  return IoError(name_, verb, error_number, kWriteHint);
}

Result<void> AtomicFile::Write(std::span<const std::byte> bytes) {
  if (descriptor_ < 0) return Fail("written", EBADF);
  if (const int error = WriteAll(descriptor_, bytes); error != 0) return Fail("written", error);
  return {};
}

Result<void> AtomicFile::Sync() {
  if (synced_) return {};
  if (descriptor_ < 0) return Fail("written", EBADF);
  // Devices and pipes know no fsync.
  const int synced = temporary_.empty() ? 0 : SyncFile(descriptor_);
  if (synced != 0) return Fail("written to disk", synced);
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

std::vector<std::string> DiscardTemporaries() noexcept {
  return Temporaries::Instance().RemoveAllForTheEnd();
}

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
