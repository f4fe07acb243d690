// Bytes in sequence, from a file or from an entry of an archive: one parser of .npy serves both.
#ifndef SUPREMUM_SRC_IO_FILES_BYTE_SOURCE_H_
#define SUPREMUM_SRC_IO_FILES_BYTE_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "io/files/file_bytes.h"
#include "supremum/result.h"

namespace supremum::io {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// The beginning of error texts: "'x.npy'", or "'x.npz': entry 'a.npy'".
  virtual const std::string& where() const = 0;

  /// The number of bytes in all. For an entry of an archive it is the number that the archive states; reading
  /// may show that it is wrong.
  virtual std::int64_t size() const = 0;

  /// Fills `into` with the next bytes. Errors: kIo, kMalformedFile if there are not as many.
  virtual Result<void> Read(std::span<std::byte> into) = 0;

  /// To be called after the last Read: makes the checks that need all bytes. Errors: kMalformedFile
  /// (checksum, further bytes).
  virtual Result<void> Finish() = 0;

 protected:
  ByteSource() = default;
  ByteSource(const ByteSource&) = default;
  ByteSource& operator=(const ByteSource&) = default;
};

/// The bytes of an open file from `position` on. Both arguments must outlive it.
class FileSource final : public ByteSource {
 public:
  FileSource(const InputFile& file, const std::string& where, std::int64_t position)
      : file_(file), where_(where), position_(position) {}

  const std::string& where() const override { return where_; }
  std::int64_t size() const override { return file_.size(); }
  Result<void> Read(std::span<std::byte> into) override {
    const std::int64_t start = position_;
    position_ += static_cast<std::int64_t>(into.size());
    return file_.ReadAt(start, into);
  }
  Result<void> Finish() override { return {}; }

 private:
  const InputFile& file_;
  const std::string& where_;
  std::int64_t position_;
};

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FILES_BYTE_SOURCE_H_
