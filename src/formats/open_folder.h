// Folders that are open, so that names in them keep their meaning while somebody moves or replaces folders.
#ifndef SUPREMUM_SRC_FORMATS_OPEN_FOLDER_H_
#define SUPREMUM_SRC_FORMATS_OPEN_FOLDER_H_

#include <sys/stat.h>
#include <sys/types.h>

#include <memory>
#include <string>

namespace supremum::formats {

/// A folder, open for looking up names. Files in it are opened, renamed and removed relative to it: its path
/// is for texts.
class OpenFolder {
 public:
  /// `path` is "" (the current folder) or ends in '/'. Null with errno set if it cannot be opened.
  static std::shared_ptr<const OpenFolder> Open(const std::string& path);

  OpenFolder(const OpenFolder&) = delete;
  OpenFolder& operator=(const OpenFolder&) = delete;
  ~OpenFolder();

  const std::string& path() const { return path_; }
  int descriptor() const { return descriptor_; }

  /// True if everybody may make files in it, and only their owners remove them.
  bool shared() const { return (mode_ & (S_ISVTX | S_IWOTH)) == (S_ISVTX | S_IWOTH); }
  uid_t owner() const { return owner_; }

  /// A descriptor for listing it and making it durable, -1 with errno set. The caller closes it.
  int OpenForReading() const;

 private:
  explicit OpenFolder(const std::string& path) : path_(path) {}

  std::string path_;
  int descriptor_ = -1;
  mode_t mode_ = 0;
  uid_t owner_ = 0;
};

/// Which file it is, under whatever name.
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

  /// Of the entry itself, also where it is a symbolic link. False with errno set if there is none.
  bool Examine(struct stat* status) const;

  /// True if the name still means the file that is open there.
  bool Means(int descriptor) const;

  /// openat() without following a link, again if it is interrupted; -1 with errno set.
  int Open(int flags, mode_t mode = 0) const;

  /// Entries of one folder, opened twice, differ: they are for those who opened them.
  bool operator<(const FolderEntry& other) const {
    return folder != other.folder ? folder < other.folder : name < other.name;
  }
};

/// open() or openat() for a file: again if it is interrupted; closed when another program is started, and no
/// controlling terminal.
int OpenRetrying(int folder, const std::string& path, int flags, mode_t mode = 0);

/// Why a file that carries one of our names is not taken for one that an earlier run of this user left: "it
/// is a pipe", "it belongs to user 7". Empty if it is taken: a regular file of this user, of one name, that
/// nobody else may write to.
std::string WhyNotOurs(const struct stat& status);

}  // namespace supremum::formats

#endif  // SUPREMUM_SRC_FORMATS_OPEN_FOLDER_H_
