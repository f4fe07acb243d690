// Reading files whose content is not trusted.
#ifndef SUPREMUM_SRC_FORMATS_FILE_BYTES_H_
#define SUPREMUM_SRC_FORMATS_FILE_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "supremum/result.h"

namespace supremum::formats {

/// Which file it is, and when it was last changed. Two that are equal are the same file with the same
/// content: whoever writes a file, cuts it, or sets its time of modification back, moves its time of change,
/// which no program can set.
///
/// Renaming a file, linking it, or changing its permissions moves the time of change too; that cannot be told
/// from a change of the content, and counts as one. What is not noticed: a change through a mapping that was
/// written to before, until the system writes its pages back; and on Linux before 6.13 one within the same
/// tick of the clock (1 to 10 ms) as the change before it.
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

/// Errors: kIo, with the path.
Result<FileIdentity> IdentityOf(int descriptor, const std::string& path);

/// "6 bytes, inode 12 of device 5, modified at 1 s 0 ns, changed at 1 s 0 ns".
std::string ToText(const FileIdentity& identity);

/// kIo for "'path' was changed while it was read, ...".
Error ChangedWhileRead(const std::string& path);

/// A regular file, open for reading; its size is that of the opened file, not of whatever the name means
/// later.
class InputFile {
 public:
  /// Errors: kIo, with the name and the system's reason; a folder, pipe or device is refused by saying what
  /// it is.
  static Result<InputFile> Open(const std::string& path);

  /// Opens the file that `name`, which nobody vouches for, names inside `folder`. Each part of the name is
  /// opened by itself, so that no link that somebody puts there meanwhile leads out of the folder.
  ///
  /// Errors: kUnsupportedFormat for a name that is absolute, has an empty part, "." or "..", for one that
  /// leads
  ///   through a symbolic link, and for a file that has a second name (a hard link); those of Open.
  static Result<InputFile> OpenInside(const std::string& folder, const std::string& name);

  /// Takes over an open descriptor; closes it in any case. Errors: those of Open.
  static Result<InputFile> Take(std::string path, int descriptor);

  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  ~InputFile();

  const std::string& path() const { return path_; }
  std::int64_t size() const { return identity_.size; }

  /// That of the moment when the file was opened.
  const FileIdentity& identity() const { return identity_; }

  /// Stays open as long as this object; nobody else closes it.
  int descriptor() const { return descriptor_; }

  /// Fills `into` from `offset`, and checks that the file is as it was opened: what this has returned so far
  /// is of one content. Errors: kIo, also for a file that was changed; kMalformedFile if the file ends before
  /// that (a header claimed too much). Cost: a call of the system more than ReadPart.
  Result<void> ReadAt(std::int64_t offset, std::span<std::byte> into) const;

  /// The same without the check, for many small parts. Requires: CheckUnchanged decides afterwards whether
  /// they are used.
  Result<void> ReadPart(std::int64_t offset, std::span<std::byte> into) const;

  /// Errors: kIo if the file was changed since it was opened.
  Result<void> CheckUnchanged() const;

 private:
  InputFile(std::string path, int descriptor);
  void Close() noexcept;

  std::string path_;
  int descriptor_ = -1;
  FileIdentity identity_;
};

/// `result`, of a reader that does not read by ReadAt alone, if the file is as it was opened; otherwise the
/// error of CheckUnchanged, whatever the reader found.
template <class T>
Result<T> IfUnchanged(const InputFile& file, Result<T> result) {
  Result<void> unchanged = file.CheckUnchanged();
  if (!unchanged) return std::move(unchanged).error();
  return result;
}

/// All bytes of an open file of at most `max_bytes`. Errors: those of ReadAt; kLimitExceeded, kOutOfMemory.
Result<std::vector<std::byte>> ReadAll(const InputFile& file, std::int64_t max_bytes);

/// The whole of a file of at most `max_bytes`. Errors: kIo, kLimitExceeded, kOutOfMemory.
Result<std::vector<std::byte>> ReadFileBytes(const std::string& path, std::int64_t max_bytes);

}  // namespace supremum::formats

#endif  // SUPREMUM_SRC_FORMATS_FILE_BYTES_H_
