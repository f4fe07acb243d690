// Reading files whose content is not trusted.
#ifndef SUPREMUM_SRC_IO_FILES_FILE_BYTES_H_
#define SUPREMUM_SRC_IO_FILES_FILE_BYTES_H_

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/foreign_content.h"
#include "core/quote.h"
#include "supremum/result.h"

namespace supremum::io {

/// The identity of a file and the time of its last change. Equal identities mean the same file with the same
/// content. Writing to a file, truncating it, or setting its time of modification back changes its time of
/// change (ctime), which no program can set.
///
/// Renaming a file, linking it, or changing its permissions changes ctime too; that cannot be distinguished
/// from a change of the content, and counts as one. A change through a mapping that was written to before is
/// not detected until the system writes its pages back. On Linux before 6.13, a change within the same tick
/// of the clock (1 to 10 ms) as the preceding change is not detected.
struct FileIdentity {
  struct Time {
    std::int64_t seconds = 0;
    std::int64_t nanoseconds = 0;
    bool operator==(const Time&) const = default;
  };

  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  Time modified;
  Time changed;

  bool operator==(const FileIdentity&) const = default;
};

FileIdentity IdentityOf(const struct stat& status);

/// Errors: kIo, with the path.
Result<FileIdentity> IdentityOf(int descriptor, const std::string& path);

/// kIo for "'path' was changed while it was read, ...".
Error ChangedWhileRead(const std::string& path);

/// A regular file, open for reading. Its size is that of the opened file, whatever its name refers to later.
class InputFile {
 public:
  /// Errors: kIo, with the name and the system's reason; for a folder, pipe or device the text says so.
  static Result<InputFile> Open(const std::string& path);

  /// Opens the file `name`, an untrusted name, inside `folder`. Each part of the name is opened separately,
  /// so that a symbolic link that another process creates meanwhile cannot lead out of the folder. The
  /// path() is the name without its empty parts and its parts ".".
  ///
  /// With `root`, a folder that contains `folder`, symbolic links are followed as long as every step stays
  /// inside `root`. Each target is resolved in the same way, part by part from open folders, so that links
  /// which change meanwhile cannot lead out of it either.
  ///
  /// Errors: kUnsupportedFormat for a name that is absolute, has a part "..", or ends in '/' or "/.". Also
  ///   for a symbolic link if there is no `root` or that leads out of it, and for a file with a second hard
  ///   link. If `root` does not contain `folder`, kInvalidArgument. Those of Open.
  static Result<InputFile> OpenInside(const std::string& folder, const std::string& name,
                                      const std::string& root = "");

  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  ~InputFile();

  const std::string& path() const { return path_; }
  std::int64_t size() const { return identity_.size; }

  /// The identity when the file was opened.
  const FileIdentity& identity() const { return identity_; }

  /// Owned by this object, which closes it.
  int descriptor() const { return descriptor_; }

  /// Fills `into` from `offset`, and checks that the file is unchanged since it was opened: all bytes that
  /// were returned are of one content. Errors: kIo, also for a file that was changed; kMalformedFile if the
  /// file ends before (a header claimed too much). Cost: one system call more than ReadPart.
  Result<void> ReadAt(std::int64_t offset, std::span<std::byte> into) const;

  /// The same without the check, for many small parts. Requires: the caller uses them only if CheckUnchanged
  /// succeeds afterwards.
  Result<void> ReadPart(std::int64_t offset, std::span<std::byte> into) const;

  /// Errors: kIo if the file was changed since it was opened.
  Result<void> CheckUnchanged() const;

 private:
  InputFile(std::string path, int descriptor);
  // Takes over an open descriptor; closes it in any case. Errors: those of Open.
  static Result<InputFile> Take(std::string path, int descriptor);
  void Close() noexcept;

  std::string path_;
  int descriptor_ = -1;
  FileIdentity identity_;
};

/// `result`, if the file is unchanged since it was opened; otherwise the error of CheckUnchanged, whatever
/// the reader found. For readers that use ReadPart.
template <class T>
Result<T> IfUnchanged(const InputFile& file, Result<T> result) {
  Result<void> unchanged = file.CheckUnchanged();
  if (!unchanged) return std::move(unchanged).error();
  return result;
}

/// ForeignContent of the file, without an error; empty also for a file that begins with `own`, the first
/// bytes of the format that a reader expects.
std::string ForeignContentOf(const InputFile& file, std::string_view own = {});

/// `result`; an error of the content says which kind of content it is, if it is a known one.
template <class T>
Result<T> OrContentError(const InputFile& file, Result<T> result, std::string_view own = {}) {
  if (result || !IsContentError(result.error())) return result;
  return OrContentError(Quote(file.path()), ForeignContentOf(file, own), std::move(result));
}

/// All bytes of an open file of at most `max_bytes`. Errors: those of ReadAt; kLimitExceeded, kOutOfMemory.
Result<std::vector<std::byte>> ReadAll(const InputFile& file, std::int64_t max_bytes);

/// The whole of a file of at most `max_bytes`. Errors: kIo, kLimitExceeded, kOutOfMemory.
Result<std::vector<std::byte>> ReadFileBytes(const std::string& path, std::int64_t max_bytes);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FILES_FILE_BYTES_H_
