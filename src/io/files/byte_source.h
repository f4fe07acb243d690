// Bytes in sequence, from a file or from an entry of an archive: one parser of .npy serves both.
#ifndef SUPREMUM_SRC_IO_FILES_BYTE_SOURCE_H_
#define SUPREMUM_SRC_IO_FILES_BYTE_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

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

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FILES_BYTE_SOURCE_H_
