#include "io/files/open_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <utility>

#include "io/files/messages.h"

namespace supremum::io {
namespace {

// Looking up names needs no permission to list them, where the system distinguishes the two (O_PATH).
#if defined(O_PATH)
constexpr int kLookUp = O_PATH;
#elif defined(O_SEARCH)
constexpr int kLookUp = O_SEARCH;
#else
constexpr int kLookUp = O_RDONLY;
#endif

}  // namespace

int OpenRetrying(int folder, const std::string& path, int flags, mode_t mode) {
  int descriptor = -1;
  do {
    descriptor = ::openat(folder, path.c_str(), flags | O_CLOEXEC | O_NOCTTY, mode);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

std::string ReadLink(int folder, const std::string& name) {
  std::string text(PATH_MAX, '\0');
  const ssize_t length = ::readlinkat(folder, name.c_str(), text.data(), text.size());
  if (length == PATH_MAX) errno = ENAMETOOLONG;
  text.resize(length > 0 && length < PATH_MAX ? static_cast<std::size_t>(length) : 0);
  return text;
}

std::shared_ptr<const OpenFolder> OpenFolder::Open(const std::string& path) {
  // Everything that allocates comes before the descriptor exists, since an exception would leak it.
  std::shared_ptr<OpenFolder> folder(new OpenFolder(path));
  const int descriptor = OpenRetrying(AT_FDCWD, path.empty() ? "." : path, kLookUp | O_DIRECTORY);
  if (descriptor < 0) return nullptr;
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0) {
    const int reason = errno;
    ::close(descriptor);
    errno = reason;
    return nullptr;
  }
  folder->descriptor_ = descriptor;
  folder->mode_ = status.st_mode;
  folder->owner_ = status.st_uid;
  return folder;
}

OpenFolder::~OpenFolder() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

int OpenFolder::OpenForReading() const { return OpenRetrying(descriptor_, ".", O_RDONLY | O_DIRECTORY); }

FileId IdOf(const struct stat& status) { return {status.st_dev, status.st_ino}; }

bool FolderEntry::Examine(struct stat* status) const {
  return ::fstatat(folder->descriptor(), name.c_str(), status, AT_SYMLINK_NOFOLLOW) == 0;
}

bool FolderEntry::Means(int descriptor) const {
  struct stat opened = {}, named = {};
  return ::fstat(descriptor, &opened) == 0 && Examine(&named) && IdOf(opened) == IdOf(named);
}

int FolderEntry::Open(int flags, mode_t mode) const {
  // Without O_NONBLOCK, opening a pipe would block. It has no effect on regular files.
  return OpenRetrying(folder->descriptor(), name, flags | O_NOFOLLOW | O_NONBLOCK, mode);
}

}  // namespace supremum::io
