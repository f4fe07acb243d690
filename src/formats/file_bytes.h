// Reading files whose content is not trusted.
#ifndef SUPREMUM_SRC_FORMATS_FILE_BYTES_H_
#define SUPREMUM_SRC_FORMATS_FILE_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "supremum/result.h"

namespace supremum::formats {

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

  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  ~InputFile();

  const std::string& path() const { return path_; }
  std::int64_t size() const { return size_; }

  /// Stays open as long as this object; nobody else closes it.
  int descriptor() const { return descriptor_; }

  /// Fills `into` from `offset`. Errors: kIo; kMalformedFile if the file ends before that (it shrank, or a
  /// header claimed too much).
  Result<void> ReadAt(std::int64_t offset, std::span<std::byte> into) const;

 private:
  InputFile(std::string path, int descriptor, std::int64_t size);
  void Close() noexcept;

  std::string path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

/// The whole of a file of at most `max_bytes`. Errors: kIo, kLimitExceeded, kOutOfMemory.
Result<std::vector<std::byte>> ReadFileBytes(const std::string& path, std::int64_t max_bytes);

}  // namespace supremum::formats

#endif  // SUPREMUM_SRC_FORMATS_FILE_BYTES_H_
