#include "io/files/output_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "core/quote.h"
#include "io/files/messages.h"
#include "io/files/temporaries.h"

namespace supremum::io {
namespace {

// "dir/" of "dir/name", "" of "name".
std::string FolderOf(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

Error NotFollowed(const std::string& target, int reason) {
  return IoError(target, "followed as a symbolic link", reason,
                 "remove the link or create what it points to");
}

// In a folder where all users may create files, a link or pipe of another user under the target's name is an
// attack.
Result<void> CheckOwner(const std::string& target, const FolderEntry& entry, const struct stat& status,
                        std::string_view what) {
  const OpenFolder& folder = *entry.folder;
  if (!folder.shared() || status.st_uid == ::geteuid() || status.st_uid == folder.owner()) return {};
  return MakeError(ErrorCode::kIo, Quote(target) + " cannot be written: " + Quote(entry.path()) + " is " +
                                       std::string(what) + " of user " + std::to_string(status.st_uid) +
                                       " in a folder where all users may create files; name another output");
}

// The entry that the target's name leads to through all symbolic links.
Result<FolderEntry> FollowLinks(const std::string& target, bool direct) {
  std::string path = target;
  for (int links = 0; links <= kMostLinks; ++links) {
    const std::string folder = FolderOf(path);
    FolderEntry entry = {OpenFolder::Open(folder), path.substr(folder.size())};
    // Names of descriptors of this process, such as /dev/stdout, lead to no entry of a folder.
    if (entry.folder == nullptr && direct && links > 0) return entry;
    if (entry.folder == nullptr) return IoError(target, "created", errno, kWriteHint);
    struct stat status = {};
    if (!entry.Examine(&status)) {
      if (errno == ENOENT && links > 0 && !direct) return NotFollowed(target, ENOENT);
      return entry;
    }
    const bool link = S_ISLNK(status.st_mode);
    if (link || S_ISFIFO(status.st_mode)) {
      auto good = CheckOwner(target, entry, status, link ? "a symbolic link" : "a pipe");
      if (!good) return good.error();
    }
    if (!link) return entry;
    const std::string to = ReadLink(entry.folder->descriptor(), entry.name);
    if (to.empty()) return NotFollowed(target, errno);
    path = to.starts_with('/') ? to : entry.folder->path() + to;
  }
  return NotFollowed(target, ELOOP);
}

}  // namespace

int WriteAll(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    // Larger writes take several times as long if the system allocates contiguous pages for them.
    const std::size_t chunk = std::min(bytes.size(), std::size_t{1} << 18);
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

void SyncFolder(const OpenFolder& folder) {
  const int descriptor = folder.OpenForReading();
  if (descriptor < 0) return;
  static_cast<void>(::fsync(descriptor));
  ::close(descriptor);
}

Result<OutputTarget> ExamineTarget(const std::string& target) {
  if (target.find('\0') != std::string::npos) return ZeroByteIn(target);
  struct stat status = {};
  const bool followed = ::stat(target.c_str(), &status) == 0;
  if (followed && S_ISDIR(status.st_mode)) {
    return MakeError(ErrorCode::kIo, Quote(target) + " cannot be written: it is a folder; name a file");
  }
  const bool direct = followed && !S_ISREG(status.st_mode);
  Result<FolderEntry> entry = FollowLinks(target, direct);
  if (!entry) return entry.error();
  OutputTarget examined = {*std::move(entry)};
  if (direct) {
    examined.direct = IdOf(status);
    return examined;
  }
  const bool exists = examined.entry.Examine(&status);
  if (exists && !S_ISREG(status.st_mode)) {
    return MakeError(ErrorCode::kIo, Quote(target) + " was replaced while it was being examined; try again");
  }
  // The rename would replace a write-protected file without asking.
  if (exists &&
      ::faccessat(examined.entry.folder->descriptor(), examined.entry.name.c_str(), W_OK, AT_EACCESS) != 0) {
    return IoError(target, "replaced", errno, "make it writable or choose another name");
  }
  if (exists && status.st_uid == ::geteuid()) {
    examined.permissions = status.st_mode & 0777;
    return examined;
  }
  const int error = NewFilePermissions(examined.entry.folder, &examined.permissions);
  if (error != 0) return IoError(target, "created", error, kWriteHint);
  if (exists) examined.permissions &= status.st_mode;
  return examined;
}

Result<int> OpenDirect(const std::string& target, const OutputTarget& examined) {
  // By name and not by the entry, since /dev/stdout and similar names can be opened only so. If the name
  // refers to another file by now, opening it neither creates nor truncates a file.
  const int descriptor = OpenRetrying(AT_FDCWD, target, O_WRONLY);
  if (descriptor < 0) return IoError(target, "opened for writing", errno, kWriteHint);
  struct stat status = {};
  if (::fstat(descriptor, &status) == 0 && IdOf(status) == examined.direct) return descriptor;
  ::close(descriptor);
  return MakeError(ErrorCode::kIo, Quote(target) +
                                       " was replaced while it was being opened; nothing was "
                                       "written to it: try again");
}

}  // namespace supremum::io
