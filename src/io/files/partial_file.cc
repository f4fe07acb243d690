#include "io/files/partial_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "core/quote.h"
#include "io/files/messages.h"
#include "io/files/sweep.h"
#include "io/files/temporaries.h"

namespace supremum::io {
namespace {

constexpr std::int64_t kMaxResumeData = std::int64_t{16} << 20;

Error NotFromAnEarlierRun(const FolderEntry& entry, const std::string& target, const std::string& why) {
  return MakeError(ErrorCode::kIo, Quote(entry.path()) + " prevents writing " + Quote(target) + ": " + why +
                                       ", so no earlier run of yours can have created it; remove it, or name "
                                       "another output");
}

// Opens what an earlier run left under that name; -1 if there is nothing.
Result<int> OpenLeft(const FolderEntry& entry, int flags, const std::string& target) {
  struct stat status = {};
  // Examined before it is opened, since opening a device may have an effect.
  bool good = entry.Examine(&status);
  if (!good && errno == ENOENT) return -1;
  if (!good) return IoError(entry.path(), "examined", errno, kWriteHint);
  std::string why = WhyNotOurs(status);
  if (!why.empty()) return NotFromAnEarlierRun(entry, target, why);
  const int descriptor = entry.Open(flags);
  if (descriptor < 0 && errno == ENOENT) return -1;
  if (descriptor < 0) return IoError(entry.path(), "opened", errno, kWriteHint);
  good = ::fstat(descriptor, &status) == 0;
  const int reason = errno;
  if (good) why = WhyNotOurs(status);
  if (good && why.empty()) return descriptor;
  ::close(descriptor);
  if (!good) return IoError(entry.path(), "examined", reason, kWriteHint);
  return NotFromAnEarlierRun(entry, target, why);
}

}  // namespace

Result<PartialFile> PartialFile::Open(const std::string& target, std::span<const InputFile* const> inputs,
                                      bool resumable) {
  Result<OutputTarget> examined = ExamineTarget(target);
  if (!examined) return examined.error();
  PartialFile file(target, *std::move(examined));
  if (file.target_.direct) {
    const Result<int> descriptor = OpenDirect(target, file.target_);
    if (!descriptor) return descriptor.error();
    file.descriptor_ = *descriptor;
    return file;
  }
  for (const InputFile* const input : inputs) {
    if (!file.entry_.Means(input->descriptor())) continue;
    return MakeError(ErrorCode::kInvalidArgument, Quote(input->path()) + " is the unfinished file of " +
                                                      Quote(target) + ", and cannot be an input; rename it");
  }
  SweepOnce(file.entry_.folder);
  if (!resumable) {
    file.resumable_ = false;
    file.descriptor_ = CreateTemporary(file.target_.entry.folder, &file.entry_);
    if (file.descriptor_ < 0) return IoError(target, "created", errno, kWriteHint);
    return file;
  }
  if (auto done = file.OpenLocked(); !done) return done.error();
  if (auto done = file.FindResumeFile(); !done) return done.error();
  // After an interrupted Commit the file has its final permissions already.
  if (::fchmod(file.descriptor_, 0600) != 0) return file.Fail("given its permissions", errno);
  return file;
}

PartialFile::PartialFile(std::string name, OutputTarget target)
    : name_(std::move(name)),
      target_(std::move(target)),
      entry_{target_.entry.folder, ".supremum-" + target_.entry.name + ".partial"} {}

PartialFile::PartialFile(PartialFile&& other) noexcept
    : name_(std::move(other.name_)),
      target_(std::move(other.target_)),
      entry_(std::move(other.entry_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      resumable_(other.resumable_),
      kept_(other.kept_),
      resume_descriptor_(std::exchange(other.resume_descriptor_, -1)),
      writeback_offset_(other.writeback_offset_) {}

PartialFile::~PartialFile() {
  if (resume_descriptor_ >= 0) ::close(resume_descriptor_);
  if (descriptor_ < 0) return;
  if (kept_) {
    Temporaries::Instance().ForgetKept(entry_);
  } else if (!target_.direct) {
    Temporaries::Instance().Remove(entry_);
  }
  // After the removal, since closing releases the lock.
  ::close(descriptor_);
}

// Opens or creates the file, and locks it. Registers a created file in Temporaries.
Result<void> PartialFile::OpenLocked() {
  // A run that sweeps the folder may hold the lock, for a short time.
  constexpr int kAttempts = 20;
  int reason = 0;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    Result<int> left = OpenLeft(entry_, O_RDWR, name_);
    if (!left) return left.error();
    descriptor_ = *left;
    if (descriptor_ < 0) descriptor_ = Temporaries::Instance().Create(entry_);
    reason = errno;
    if (descriptor_ < 0 && reason == EEXIST) continue;
    if (descriptor_ < 0) return IoError(entry_.path(), "created", reason, kWriteHint);
    const Locked locked = LockNamed(entry_, descriptor_);
    reason = errno;
    if (locked == Locked::kYes) return {};
    // The holder of the lock decides what happens to the file.
    if (locked == Locked::kFailed) {
      Temporaries::Instance().Remove(entry_);
    } else {
      Temporaries::Instance().Forget(entry_);
    }
    ::close(std::exchange(descriptor_, -1));
    if (locked == Locked::kFailed) return IoError(entry_.path(), "locked", reason, kWriteHint);
    if (locked == Locked::kByOther) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return MakeError(ErrorCode::kInvalidArgument,
                   Quote(entry_.path()) +
                       " is being written by another process; wait for its end, or name another output");
}

// Opens the resume file of an earlier run. Without one, the partial file is temporary. After an error, a
// partial file that was there before this run stays, and one that this run created does not.
Result<void> PartialFile::FindResumeFile() {
  const Result<int> descriptor = OpenLeft(ResumeFile(), O_RDONLY, name_);
  if (!descriptor) return descriptor.error();
  if (*descriptor < 0) {
    Temporaries::Instance().Adopt(entry_, descriptor_);
    return {};
  }
  resume_descriptor_ = *descriptor;
  kept_ = true;
  Temporaries::Instance().Keep(entry_, name_);
  return {};
}

Error PartialFile::Fail(std::string_view verb, int error_number) const {
  return IoError(name_, verb, error_number, kWriteHint);
}

Result<std::optional<std::string>> PartialFile::ResumeData() const {
  if (!kept_) return std::optional<std::string>();
  const Result<int> descriptor = OpenLeft(ResumeFile(), O_RDONLY, name_);
  if (!descriptor) return descriptor.error();
  if (*descriptor < 0) return std::optional<std::string>();
  const Result<InputFile> file = InputFile::Take(ResumeFile().path(), *descriptor);
  if (!file) return file.error();
  Result<std::vector<std::byte>> bytes = ReadAll(*file, kMaxResumeData);
  if (!bytes) return bytes.error();
  std::string text(bytes->size(), '\0');
  std::ranges::transform(*bytes, text.begin(), [](std::byte b) { return static_cast<char>(b); });
  return std::optional<std::string>(std::move(text));
}

Result<void> PartialFile::WriteAt(std::int64_t offset, std::span<const std::byte> bytes) {
  if (target_.direct) {
    if (const int error = WriteAll(descriptor_, bytes); error != 0) return Fail("written", error);
    return {};
  }
  while (!bytes.empty()) {
    // Larger writes take several times as long where the system allocates contiguous pages for them.
    const std::size_t chunk = std::min(bytes.size(), std::size_t{1} << 18);
    const ssize_t put = ::pwrite(descriptor_, bytes.data(), chunk, offset);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return Fail("written", errno);
    offset += put;
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
#ifdef SYNC_FILE_RANGE_WRITE
  // Without this, dirty pages accumulate until Commit while the disk is idle. It is only a hint.
  constexpr std::int64_t kWritebackBytes = std::int64_t{1} << 23;
  if (offset - writeback_offset_ >= kWritebackBytes) {
    static_cast<void>(
        ::sync_file_range(descriptor_, writeback_offset_, offset - writeback_offset_, SYNC_FILE_RANGE_WRITE));
    writeback_offset_ = offset;
  }
#endif
  return {};
}

Result<void> PartialFile::ReadAt(std::int64_t offset, std::span<std::byte> into) const {
  while (!into.empty()) {
    const std::size_t chunk = std::min(into.size(), std::size_t{1} << 30);
    const ssize_t got = ::pread(descriptor_, into.data(), chunk, offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return IoError(path(), "read", errno, "check the disk");
    if (got == 0)
      return MalformedAtByte(Quote(path()), offset, "the file ends here, too early; it was changed");
    offset += got;
    into = into.subspan(static_cast<std::size_t>(got));
  }
  return {};
}

Result<void> PartialFile::Truncate(std::int64_t size) {
  if (target_.direct) return {};
  int done = -1;
  do {
    done = ::ftruncate(descriptor_, size);
  } while (done != 0 && errno == EINTR);
  if (done != 0) return Fail("cut to its size", errno);
  return {};
}

Result<void> PartialFile::Keep(std::string_view resume_data) {
  const FolderEntry resume_file = ResumeFile();
  FolderEntry fresh;
  const int descriptor = CreateTemporary(entry_.folder, &fresh);
  int error = descriptor < 0 ? errno : WriteAll(descriptor, std::as_bytes(std::span(resume_data)));
  const bool replaces = kept_ && resume_file.Means(resume_descriptor_);
  if (error == 0) {
    error = Temporaries::Instance().RenameAndKeep(
        fresh, descriptor, resume_file.name,
        replaces ? Temporaries::Target::kMayExist : Temporaries::Target::kMustBeNew, entry_, name_);
  }
  if (descriptor >= 0 && error != 0) {
    Temporaries::Instance().Remove(fresh);
    ::close(descriptor);
  }
  if (error == EEXIST) {
    return NotFromAnEarlierRun(resume_file, name_, "it was created while this run was writing");
  }
  if (error != 0) return IoError(resume_file.path(), "written", error, kWriteHint);
  if (resume_descriptor_ >= 0) ::close(resume_descriptor_);
  resume_descriptor_ = descriptor;
  kept_ = true;
  return {};
}

void PartialFile::RemoveResumeFile() noexcept {
  const FolderEntry resume_file = ResumeFile();
  if (resume_file.Means(resume_descriptor_)) {
    ::unlinkat(resume_file.folder->descriptor(), resume_file.name.c_str(), 0);
  }
  ::close(std::exchange(resume_descriptor_, -1));
}

void PartialFile::Abandon() noexcept {
  if (!kept_) return;
  RemoveResumeFile();
  kept_ = false;
  Temporaries::Instance().Adopt(entry_, descriptor_);
  Temporaries::Instance().ForgetKept(entry_);
}

std::optional<std::int64_t> PartialFile::FreeBytes() const {
  struct statvfs status = {};
  if (target_.direct || ::fstatvfs(descriptor_, &status) != 0) return std::nullopt;
  const std::uint64_t block = std::max<std::uint64_t>(status.f_frsize, 1);
  return static_cast<std::int64_t>(std::min<std::uint64_t>(status.f_bavail, INT64_MAX / block) * block);
}

Result<void> PartialFile::Sync() {
  if (target_.direct) {
    // A reader may wait for the end of this pipe before it opens the next one.
    const int closed = descriptor_ < 0 ? 0 : ::close(std::exchange(descriptor_, -1));
    if (closed != 0 && errno != EINTR) return Fail("written", errno);
    return {};
  }
  if (const int error = SyncFile(descriptor_); error != 0) return Fail("written to disk", error);
  return {};
}

Result<void> PartialFile::Commit() {
  if (auto done = Sync(); !done || target_.direct) return done;
  // Only now: a partial file that other users may write to is never resumed (WhyNotOurs).
  if (::fchmod(descriptor_, target_.permissions) != 0) return Fail("given its permissions", errno);
  const std::string& name = target_.entry.name;
  if (const int error =
          Temporaries::Instance().Rename(entry_, descriptor_, name, Temporaries::Target::kMayExist);
      error != 0) {
    static_cast<void>(::fchmod(descriptor_, 0600));
    return Fail("replaced", error);
  }
  if (kept_) {
    Temporaries::Instance().ForgetKept(entry_);
    RemoveResumeFile();
  }
  // Under its final name the file is not temporary any more. It is durable, so closing it can lose nothing.
  ::close(std::exchange(descriptor_, -1));
  SyncFolder(*entry_.folder);
  return {};
}

}  // namespace supremum::io
