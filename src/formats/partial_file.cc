#include "formats/partial_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "core/quote.h"
#include "formats/messages.h"
#include "formats/output_files.h"

namespace supremum::formats {
namespace {

constexpr std::int64_t kMaxNote = std::int64_t{16} << 20;

bool SameFile(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool SameFile(int a, int b) {
  struct stat of_a = {}, of_b = {};
  return ::fstat(a, &of_a) == 0 && ::fstat(b, &of_b) == 0 && SameFile(of_a, of_b);
}

// A name that nobody else gives a file of theirs.
std::string PartialPath(const std::string& target) {
  const std::string folder = FolderOf(target);
  return folder + ".supremum-" + target.substr(folder.size()) + ".partial";
}

// Opens and locks the file of that name; -1 with errno set if that fails, EWOULDBLOCK if another has it.
int OpenLocked(const std::string& path) {
  for (;;) {
    const int descriptor = OpenRetrying(path, O_RDWR | O_CREAT | O_NOFOLLOW);
    if (descriptor < 0) return -1;
    int locked = -1;
    do {
      locked = ::flock(descriptor, LOCK_EX | LOCK_NB);
    } while (locked != 0 && errno == EINTR);
    struct stat opened = {}, named = {};
    const int reason = locked == 0 ? 0 : errno;
    // Whoever had the lock before may have given the file its final name meanwhile.
    if (locked == 0 && ::fstat(descriptor, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
        SameFile(opened, named)) {
      return descriptor;
    }
    ::close(descriptor);
    if (locked != 0) {
      errno = reason;
      return -1;
    }
  }
}

}  // namespace

Result<PartialFile> PartialFile::Open(const std::string& target, std::span<const InputFile* const> inputs) {
  Result<OutputTarget> examined = ExamineTarget(target);
  if (!examined) return examined.error();
  if (examined->direct) {
    const int descriptor = OpenRetrying(target, O_WRONLY);
    if (descriptor < 0) return IoError(target, "opened for writing", errno, kWriteHint);
    return PartialFile(target, target, descriptor, true);
  }
  const std::string path = PartialPath(examined->path);
  const int descriptor = OpenLocked(path);
  if (descriptor < 0 && errno == EWOULDBLOCK) {
    return MakeError(
        ErrorCode::kInvalidArgument,
        Quote(path) + " is being written by another process; wait for its end, or name another output");
  }
  if (descriptor < 0) return IoError(path, "created", errno, kWriteHint);
  for (const InputFile* const input : inputs) {
    if (!SameFile(descriptor, input->descriptor())) continue;
    ::close(descriptor);
    return MakeError(ErrorCode::kInvalidArgument, Quote(input->path()) + " is where " + Quote(target) +
                                                      " grows, and cannot be an input; rename it");
  }
  PartialFile file(target, examined->path, descriptor, false);
  struct stat status = {};
  file.kept_ = ::stat(file.StatePath().c_str(), &status) == 0;
  if (file.kept_) {
    Temporaries::Instance().Keep(file.path_, target);
  } else {
    Temporaries::Instance().Add(file.path_);
  }
  if (::fstat(descriptor, &status) != 0) return file.Fail("examined", errno);
  if (!S_ISREG(status.st_mode)) {
    return MakeError(ErrorCode::kIo,
                     Quote(path) + " is in the way of writing " + Quote(target) + "; remove it");
  }
  if (examined->exists && ::fchmod(descriptor, examined->permissions) != 0) {
    return file.Fail("given the permissions of the old file", errno);
  }
  return file;
}

PartialFile::PartialFile(std::string name, std::string target, int descriptor, bool direct)
    : name_(std::move(name)),
      target_(std::move(target)),
      path_(direct ? target_ : PartialPath(target_)),
      descriptor_(descriptor),
      direct_(direct) {}

PartialFile::PartialFile(PartialFile&& other) noexcept
    : name_(std::move(other.name_)),
      target_(std::move(other.target_)),
      path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      direct_(other.direct_),
      kept_(other.kept_),
      begun_(other.begun_) {}

PartialFile::~PartialFile() {
  if (descriptor_ < 0) return;
  if (kept_) {
    Temporaries::Instance().ForgetKept(path_);
  } else if (!direct_) {
    Temporaries::Instance().Remove(path_);
  }
  // Only now, since closing ends the lock.
  ::close(descriptor_);
}

Error PartialFile::Fail(std::string_view verb, int error_number) const {
  return IoError(name_, verb, error_number, kWriteHint);
}

Result<std::optional<std::string>> PartialFile::Note() const {
  if (!kept_) return std::optional<std::string>();
  Result<std::vector<std::byte>> bytes = ReadFileBytes(StatePath(), kMaxNote);
  if (!bytes) return bytes.error();
  std::string note(bytes->size(), '\0');
  std::ranges::transform(*bytes, note.begin(), [](std::byte b) { return static_cast<char>(b); });
  return std::optional<std::string>(std::move(note));
}

Result<void> PartialFile::WriteAt(std::int64_t offset, std::span<const std::byte> bytes) {
  if (direct_) {
    if (const int error = WriteAll(descriptor_, bytes); error != 0) return Fail("written", error);
    return {};
  }
  while (!bytes.empty()) {
    // More at once takes several times as long where the system looks for as large a piece of memory.
    const std::size_t chunk = std::min(bytes.size(), std::size_t{1} << 18);
    const ssize_t put = ::pwrite(descriptor_, bytes.data(), chunk, offset);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return Fail("written", errno);
    offset += put;
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
#ifdef SYNC_FILE_RANGE_WRITE
  // Without this the pages pile up until Commit, and the disk stands still until then. It is a hint.
  constexpr std::int64_t kWorthwhile = std::int64_t{1} << 23;
  if (offset - begun_ >= kWorthwhile) {
    static_cast<void>(::sync_file_range(descriptor_, begun_, offset - begun_, SYNC_FILE_RANGE_WRITE));
    begun_ = offset;
  }
#endif
  return {};
}

Result<void> PartialFile::ReadAt(std::int64_t offset, std::span<std::byte> into) const {
  while (!into.empty()) {
    const std::size_t chunk = std::min(into.size(), std::size_t{1} << 30);
    const ssize_t got = ::pread(descriptor_, into.data(), chunk, offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return IoError(path_, "read", errno, "check the disk");
    if (got == 0)
      return MalformedAtByte(Quote(path_), offset, "the file ends here, too early; it was changed");
    offset += got;
    into = into.subspan(static_cast<std::size_t>(got));
  }
  return {};
}

Result<void> PartialFile::Truncate(std::int64_t size) {
  if (direct_) return {};
  int done = -1;
  do {
    done = ::ftruncate(descriptor_, size);
  } while (done != 0 && errno == EINTR);
  if (done != 0) return Fail("cut to its size", errno);
  return {};
}

Result<void> PartialFile::Keep(std::string_view note) {
  const std::string fresh = StatePath() + ".new";
  Temporaries::Instance().Add(fresh);
  const int descriptor = OpenRetrying(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
  int error = descriptor < 0 ? errno : WriteAll(descriptor, std::as_bytes(std::span(note)));
  if (descriptor >= 0 && ::close(descriptor) != 0 && error == 0 && errno != EINTR) error = errno;
  if (error == 0) error = Temporaries::Instance().RenameAndKeep(fresh, StatePath(), path_, name_);
  if (error != 0) {
    Temporaries::Instance().Remove(fresh);
    return IoError(StatePath(), "written", error, kWriteHint);
  }
  kept_ = true;
  return {};
}

void PartialFile::Abandon() noexcept {
  if (!kept_) return;
  ::unlink(StatePath().c_str());
  kept_ = false;
  Temporaries::Instance().Add(path_);
  Temporaries::Instance().ForgetKept(path_);
}

std::optional<std::int64_t> PartialFile::FreeBytes() const {
  struct statvfs status = {};
  if (direct_ || ::fstatvfs(descriptor_, &status) != 0) return std::nullopt;
  const std::uint64_t block = std::max<std::uint64_t>(status.f_frsize, 1);
  return static_cast<std::int64_t>(std::min<std::uint64_t>(status.f_bavail, INT64_MAX / block) * block);
}

Result<void> PartialFile::Sync() {
  if (direct_) return {};
  if (const int error = SyncFile(descriptor_); error != 0) return Fail("written to disk", error);
  return {};
}

Result<void> PartialFile::Commit() {
  if (direct_) {
    const int closed = ::close(std::exchange(descriptor_, -1));
    if (closed != 0 && errno != EINTR) return Fail("written", errno);
    return {};
  }
  if (auto done = Sync(); !done) return done;
  if (const int error = Temporaries::Instance().Rename(path_, target_); error != 0)
    return Fail("replaced", error);
  if (kept_) {
    Temporaries::Instance().ForgetKept(path_);
    ::unlink(StatePath().c_str());
  }
  // Under its final name the file is nobody's to remove. It is durable, so that closing it can lose nothing.
  ::close(std::exchange(descriptor_, -1));
  SyncFolder(target_);
  return {};
}

}  // namespace supremum::formats
