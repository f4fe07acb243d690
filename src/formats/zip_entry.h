// An entry of a ZIP archive, unpacked while it is read.
#ifndef SUPREMUM_SRC_FORMATS_ZIP_ENTRY_H_
#define SUPREMUM_SRC_FORMATS_ZIP_ENTRY_H_

#include <zlib.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "formats/byte_source.h"
#include "formats/file_bytes.h"
#include "formats/zip_directory.h"
#include "supremum/result.h"

namespace supremum::formats {

/// The bytes of an entry that ReadZipDirectory has found in `file`, which outlives this. Finish compares
/// their checksum, and finds what is packed beyond the size that is stated.
///
/// Errors: those of ByteSource; kOutOfMemory.
class ZipEntrySource final : public ByteSource {
 public:
  ZipEntrySource(const InputFile& file, ZipEntry entry);
  ZipEntrySource(const ZipEntrySource&) = delete;
  ZipEntrySource& operator=(const ZipEntrySource&) = delete;
  ~ZipEntrySource() override;

  const std::string& where() const override { return where_; }
  std::int64_t size() const override { return entry_.size; }
  Result<void> Read(std::span<std::byte> into) override;
  Result<void> Finish() override;

 private:
  Result<void> ReadPacked(std::span<std::byte> into);
  Result<std::size_t> Inflate(std::span<std::byte> into);
  Error EndsEarly(std::size_t missing) const;
  Error Damaged(const std::string& details) const;

  const InputFile& file_;
  ZipEntry entry_;
  std::string where_;
  std::int64_t position_ = 0;     // of the bytes that come next, unpacked
  std::int64_t packed_read_ = 0;  // of the packed bytes, how many have been taken from the file
  unsigned long crc_ = 0;         // of the bytes that have been read
  z_stream stream_ = {};          // for a deflated entry
  bool begun_ = false;            // stream_ has memory to give back
  bool ended_ = false;            // the deflated bytes have said that they end
  std::array<std::byte, 1 << 15> packed_;
};

}  // namespace supremum::formats

#endif  // SUPREMUM_SRC_FORMATS_ZIP_ENTRY_H_
