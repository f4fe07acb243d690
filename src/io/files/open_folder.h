// Open folders: names in them refer to the same files even if another process moves or replaces the folder.
#ifndef SUPREMUM_SRC_IO_FILES_OPEN_FOLDER_H_
#define SUPREMUM_SRC_IO_FILES_OPEN_FOLDER_H_

#include <sys/stat.h>
#include <sys/types.h>

#include <memory>
#include <string>

namespace supremum::io {

/// A folder, open for looking up names. Files in it are opened, renamed and removed relative to its
/// descriptor; its path is for error texts only.
class OpenFolder {
 public:
  /// `path` is "" (the current folder) or ends in '/'. Null with errno set if it cannot be opened.
  static std::shared_ptr<const OpenFolder> Open(const std::string& path);

  OpenFolder(const OpenFolder&) = delete;
  OpenFolder& operator=(const OpenFolder&) = delete;
  ~OpenFolder();

  const std::string& path() const { return path_; }
  int descriptor() const { return descriptor_; }

  /// True if all users may create files in it and only their owners may remove them (the sticky bit).
  bool shared() const { return (mode_ & (S_ISVTX | S_IWOTH)) == (S_ISVTX | S_IWOTH); }
  uid_t owner() const { return owner_; }

  /// A descriptor for making the folder durable; -1 with errno set. The caller closes it.
  int OpenForReading() const;

 private:
  explicit OpenFolder(const std::string& path) : path_(path) {}

  std::string path_;
  int descriptor_ = -1;
  mode_t mode_ = 0;
  uid_t owner_ = 0;
};

/// The identity of a file, independent of its name.
struct FileId {
  dev_t device = 0;
  ino_t inode = 0;
  bool operator==(const FileId&) const = default;
};

FileId IdOf(const struct stat& status);

/// A name in an open folder.
struct FolderEntry {
  std::shared_ptr<const OpenFolder> folder;
  std::string name;

  std::string path() const { return folder->path() + name; }

  /// lstat() of the entry: of a symbolic link itself. False with errno set if there is none.
  bool Examine(struct stat* status) const;

  /// True if the name still refers to the open file `descriptor`.
  bool Means(int descriptor) const;

  /// openat() without following a symbolic link, repeated after EINTR; -1 with errno set.
  int Open(int flags, mode_t mode = 0) const;

  /// Entries of two OpenFolder objects differ, even if both are the same folder.
  bool operator<(const FolderEntry& other) const {
    return folder != other.folder ? folder < other.folder : name < other.name;
  }
};

/// The most symbolic links that are followed in one name, as on Linux.
inline constexpr int kMostLinks = 40;

/// The text of the symbolic link `name` in a folder; "" with errno set if it cannot be read whole.
std::string ReadLink(int folder, const std::string& name);

/// open() or openat(), repeated after EINTR, with O_CLOEXEC and O_NOCTTY.
int OpenRetrying(int folder, const std::string& path, int flags, mode_t mode = 0);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FILES_OPEN_FOLDER_H_
