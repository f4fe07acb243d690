#include "io/files/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "io/files/messages.h"

namespace supremum::io {

Result<AtomicFile> AtomicFile::Create(const std::string& target) {
  Result<OutputTarget> examined = ExamineTarget(target);
  if (!examined) return examined.error();
  AtomicFile file(target, *std::move(examined));
  if (file.target_.direct) {
    const Result<int> descriptor = OpenDirect(target, file.target_);
    if (!descriptor) return descriptor.error();
    file.descriptor_ = *descriptor;
    return file;
  }
  file.descriptor_ = CreateTemporary(file.target_.entry.folder, &file.temporary_);
  if (file.descriptor_ < 0) return IoError(target, "created", errno, kWriteHint);
  return file;
}

AtomicFile::AtomicFile(std::string name, OutputTarget target)
    : name_(std::move(name)), target_(std::move(target)) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : name_(std::move(other.name_)),
      target_(std::move(other.target_)),
      temporary_(std::move(other.temporary_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      synced_(std::exchange(other.synced_, false)),
      written_(other.written_),
      writeback_(other.writeback_) {}

AtomicFile::~AtomicFile() { Discard(); }

void AtomicFile::Discard() noexcept {
  if (descriptor_ < 0) return;
  if (!target_.direct) Temporaries::Instance().Remove(temporary_);
  ::close(std::exchange(descriptor_, -1));
  synced_ = false;
}

Error AtomicFile::Fail(std::string_view verb, int error_number) {
  Discard();
  return IoError(name_, verb, error_number, kWriteHint);
}

Result<void> AtomicFile::Write(std::span<const std::byte> bytes) {
  if (descriptor_ < 0 || synced_) return Fail("written", EBADF);
  if (const int error = WriteAll(descriptor_, bytes); error != 0) return Fail("written", error);
  written_ += static_cast<std::int64_t>(bytes.size());
#ifdef SYNC_FILE_RANGE_WRITE
  // Without this, dirty pages accumulate until Sync while the disk is idle. It is only a hint.
  constexpr std::int64_t kWritebackBytes = std::int64_t{1} << 23;
  if (written_ - writeback_ >= kWritebackBytes && !target_.direct) {
    static_cast<void>(
        ::sync_file_range(descriptor_, writeback_, written_ - writeback_, SYNC_FILE_RANGE_WRITE));
    writeback_ = written_;
  }
#endif
  return {};
}

std::optional<std::int64_t> AtomicFile::FreeBytes() const {
  struct statvfs status = {};
  if (target_.direct || ::fstatvfs(descriptor_, &status) != 0) return std::nullopt;
  const std::uint64_t block = std::max<std::uint64_t>(status.f_frsize, 1);
  return static_cast<std::int64_t>(std::min<std::uint64_t>(status.f_bavail, INT64_MAX / block) * block);
}

Result<void> AtomicFile::Sync() {
  if (synced_) return {};
  if (descriptor_ < 0) return Fail("written", EBADF);
  if (target_.direct) {
    // Devices and pipes do not support fsync, and their permissions are not ours to change. A reader may wait
    // for the end of this pipe before it opens the next one. close() releases the descriptor whatever it
    // returns; after EINTR it has done its work.
    const int closed = ::close(std::exchange(descriptor_, -1));
    if (closed != 0 && errno != EINTR) return Fail("written", errno);
  } else {
    if (::fchmod(descriptor_, target_.permissions) != 0) return Fail("given its permissions", errno);
    if (const int error = SyncFile(descriptor_); error != 0) return Fail("written to disk", error);
  }
  synced_ = true;
  return {};
}

Result<void> AtomicFile::Commit() {
  if (auto done = Sync(); !done) return done;
  if (target_.direct) return {};
  const std::string& name = target_.entry.name;
  if (const int error = Temporaries::Instance().Rename(temporary_, descriptor_, name); error != 0) {
    return Fail("replaced", error);
  }
  // Under its final name the file is not temporary any more. It is durable, so closing it can lose nothing.
  ::close(std::exchange(descriptor_, -1));
  SyncFolder(*target_.entry.folder);
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

}  // namespace supremum::io
