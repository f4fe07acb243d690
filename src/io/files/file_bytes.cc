#include "io/files/file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/quote.h"
#include "io/files/messages.h"
#include "io/files/open_folder.h"

namespace supremum::io {
namespace {

constexpr std::string_view kReadHint = "check the name and the permissions";

static_assert(sizeof(off_t) == 8, "compile with _FILE_OFFSET_BITS=64: files have more than 2^31 - 1 bytes");

Error NotAFile(const std::string& path, mode_t mode) {
  return MakeError(
      ErrorCode::kIo,
      Quote(path).append(" is ").append(KindOfEntry(mode)).append(", not a file; name a regular file"));
}

// The parts of a path between its slashes, without empty ones and ".".
std::vector<std::string> PartsOf(std::string_view path) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    if (!part.empty() && part != ".") parts.emplace_back(part);
    begin = end + 1;
  }
  return parts;
}

std::string Joined(const std::vector<std::string>& parts) {
  std::string path;
  for (const std::string& part : parts) path += (path.empty() ? "" : "/") + part;
  return path;
}

// The folder that links may not leave, without links in its path, and the way from it to the first folder.
struct LinkRoot {
  std::string path;
  std::vector<std::string> to_folder;

  static Result<LinkRoot> Of(const std::string& folder, const std::string& root) {
    if (root.empty()) return LinkRoot{};
    if (root.find('\0') != std::string::npos) return ZeroByteIn(root);
    std::error_code error;
    LinkRoot limit{std::filesystem::canonical(root, error).string(), {}};
    if (error) return IoError(root, "opened", error.value(), kReadHint);
    const std::string inside = std::filesystem::canonical(folder, error).string();
    if (error) return IoError(folder, "opened", error.value(), kReadHint);
    if (limit.path == "/") limit.path.clear();
    if (inside != limit.path && !inside.starts_with(limit.path + "/")) {
      return ErrorAt(ErrorCode::kInvalidArgument, Quote(root),
                     "the folder of the model, " + Quote(folder) +
                         ", is not inside; name a folder that contains the model and its data");
    }
    limit.to_folder = PartsOf(std::string_view(inside).substr(limit.path.size()));
    return limit;
  }
};

}  // namespace

FileIdentity IdentityOf(const struct stat& status) {
  return FileIdentity{static_cast<std::uint64_t>(status.st_dev),
                      static_cast<std::uint64_t>(status.st_ino),
                      status.st_size,
                      {status.st_mtim.tv_sec, status.st_mtim.tv_nsec},
                      {status.st_ctim.tv_sec, status.st_ctim.tv_nsec}};
}

Result<FileIdentity> IdentityOf(int descriptor, const std::string& path) {
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0) return IoError(path, "examined", errno, "check the file system");
  return IdentityOf(status);
}

Error ChangedWhileRead(const std::string& path) {
  return MakeError(ErrorCode::kIo, Quote(path) +
                                       " was changed while it was read, so the result belongs to "
                                       "neither content; run again when no program writes to it");
}

Result<InputFile> InputFile::Open(const std::string& path) {
  if (path.find('\0') != std::string::npos) return ZeroByteIn(path);
  struct stat status = {};
  // Without O_NONBLOCK, opening a pipe would wait for a writer before it could be refused.
  const int descriptor = OpenRetrying(AT_FDCWD, path, O_RDONLY | O_NONBLOCK);
  if (descriptor < 0) {
    const int reason = errno;
    if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) return NotAFile(path, status.st_mode);
    return IoError(path, "opened", reason, kReadHint);
  }
  return Take(path, descriptor);
}

Result<InputFile> InputFile::Take(std::string path, int descriptor) {
  InputFile file(std::move(path), descriptor);
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0) {
    return IoError(file.path_, "examined", errno, "check the file system");
  }
  if (!S_ISREG(status.st_mode)) return NotAFile(file.path_, status.st_mode);
  file.identity_ = IdentityOf(status);
  return file;
}

Result<InputFile> InputFile::OpenInside(const std::string& folder, const std::string& name,
                                        const std::string& root) {
  const auto refuse = [&](std::string_view why) {
    return ErrorAt(ErrorCode::kUnsupportedFormat, Quote(name),
                   std::string(why) + "; name a file inside the folder, not through symbolic or hard links");
  };
  if (name.find('\0') != std::string::npos) return refuse("the name contains a zero byte");
  if (name.starts_with('/')) return refuse("the name is absolute");
  std::vector<std::string> rest = PartsOf(name);  // what is left to open, the next part last
  if (std::ranges::find(rest, "..") != rest.end()) return refuse("the name has a part '..'");
  if (rest.empty() || name.ends_with('/') || name.ends_with("/.")) return refuse("the name names a folder");
  const std::string plain = Joined(rest);
  std::ranges::reverse(rest);

  Result<LinkRoot> limit = LinkRoot::Of(folder, root);
  if (!limit) return limit.error();
  const std::string start = root.empty() ? folder : limit->path + "/";
  rest.insert(rest.end(), limit->to_folder.rbegin(), limit->to_folder.rend());
  std::vector<InputFile> folders;  // open, from the outermost to the innermost
  folders.push_back(InputFile(start, OpenRetrying(AT_FDCWD, start, O_RDONLY | O_DIRECTORY)));
  if (folders.front().descriptor_ < 0) {
    return IoError(start, "opened", errno, kReadHint);
  }
  for (int links = 0; !rest.empty();) {
    const std::string part = std::move(rest.back());
    rest.pop_back();
    if (part == "..") {  // of a link
      if (folders.size() == 1) return refuse("a symbolic link leads out of the folder " + Quote(root));
      folders.pop_back();
      continue;
    }
    const int at = folders.back().descriptor_;
    const bool last = rest.empty();
    // Without O_NONBLOCK, opening a pipe would wait for a writer before it could be refused.
    const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | (last ? 0 : O_DIRECTORY);
    InputFile opened(plain, OpenRetrying(at, part, flags));
    struct stat status = {};
    if (opened.descriptor_ < 0) {
      const int reason = errno;
      const bool known = ::fstatat(at, part.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
      if (!known || !S_ISLNK(status.st_mode)) {
        return IoError(name, "opened", reason, kReadHint);
      }
      if (root.empty()) {
        return refuse(
            Quote(part) +
            " is a symbolic link; for a cache of links, name the folder that contains the model and "
            "their targets (external_data_root, --external-data-root)");
      }
      if (++links > kMostLinks) return refuse("more than " + std::to_string(kMostLinks) + " symbolic links");
      std::string target = ReadLink(at, part);
      if (target.empty()) return IoError(name, "opened", reason, kReadHint);
      if (target.starts_with('/')) {
        if (!target.starts_with(limit->path + "/")) {
          return refuse("a symbolic link leads out of the folder " + Quote(root));
        }
        target.erase(0, limit->path.size());
        folders.erase(folders.begin() + 1, folders.end());
      }
      const std::vector<std::string> parts = PartsOf(target);
      rest.insert(rest.end(), parts.rbegin(), parts.rend());
      continue;
    }
    if (!last) {
      if (root.empty()) folders.clear();  // without links, no step leads back
      folders.push_back(std::move(opened));
      continue;
    }
    if (::fstat(opened.descriptor_, &status) != 0) {
      return IoError(name, "examined", errno, "check the file system");
    }
    if (!S_ISREG(status.st_mode)) return NotAFile(name, status.st_mode);
    if (status.st_nlink != 1) {
      return refuse("the file has " + std::to_string(status.st_nlink) + " names (hard links)");
    }
    opened.identity_ = IdentityOf(status);
    return opened;
  }
  return refuse("a symbolic link leads to a folder");
}

InputFile::InputFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

InputFile::InputFile(InputFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      identity_(other.identity_) {}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  if (this != &other) {
    Close();
    path_ = std::move(other.path_);
    descriptor_ = std::exchange(other.descriptor_, -1);
    identity_ = other.identity_;
  }
  return *this;
}

InputFile::~InputFile() { Close(); }

void InputFile::Close() noexcept {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

Result<void> InputFile::ReadAt(std::int64_t offset, std::span<std::byte> into) const {
  Result<void> read = ReadPart(offset, into);
  // A file that has become shorter was changed: that is the error, not that it ends early.
  if (!read && read.error().code != ErrorCode::kMalformedFile) return read;
  Result<void> unchanged = CheckUnchanged();
  return unchanged ? read : unchanged;
}

Result<void> InputFile::CheckUnchanged() const {
  const Result<FileIdentity> now = IdentityOf(descriptor_, path_);
  if (!now) return now.error();
  if (*now == identity_) return {};
  return ChangedWhileRead(path_);
}

Result<void> InputFile::ReadPart(std::int64_t offset, std::span<std::byte> into) const {
  std::int64_t position = offset;
  while (!into.empty()) {
    // One call returns at most about 2 GiB.
    const std::size_t chunk = std::min(into.size(), std::size_t{1} << 30);
    const ssize_t got = ::pread(descriptor_, into.data(), chunk, position);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return IoError(path_, "read", errno, "check the disk");
    if (got == 0) {
      return MalformedAtByte(Quote(path_), position,
                             "the file ends here, " + std::to_string(into.size()) +
                                 " bytes too early; it is cut short: write it again");
    }
    position += got;
    into = into.subspan(static_cast<std::size_t>(got));
  }
  return {};
}

std::string ForeignContentOf(const InputFile& file, std::string_view own) {
  const std::int64_t size = std::min(file.size(), static_cast<std::int64_t>(kForeignHead));
  std::string head(static_cast<std::size_t>(size), '\0');
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(head));
  if (!file.ReadAt(0, bytes) || (!own.empty() && head.starts_with(own))) return "";
  return ForeignContent(bytes);
}

Result<std::vector<std::byte>> ReadAll(const InputFile& file, std::int64_t max_bytes) {
  if (file.size() > max_bytes) {
    return ErrorAt(ErrorCode::kLimitExceeded, Quote(file.path()),
                   "the file has " + std::to_string(file.size()) + " bytes and the limit is " +
                       std::to_string(max_bytes) + std::string(kRaiseLimit));
  }
  try {
    std::vector<std::byte> bytes(static_cast<std::size_t>(file.size()));
    if (auto done = file.ReadAt(0, bytes); !done) return done.error();
    return bytes;
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  return ErrorAt(ErrorCode::kOutOfMemory, Quote(file.path()),
                 "could not allocate " + std::to_string(file.size()) +
                     " bytes for the file's content; free memory or use a smaller file");
}

Result<std::vector<std::byte>> ReadFileBytes(const std::string& path, std::int64_t max_bytes) {
  const Result<InputFile> file = InputFile::Open(path);
  if (!file) return file.error();
  return ReadAll(*file, max_bytes);
}

}  // namespace supremum::io
