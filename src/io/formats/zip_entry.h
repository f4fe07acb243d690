// An entry of a ZIP archive, unpacked while it is read.
#ifndef SUPREMUM_SRC_IO_FORMATS_ZIP_ENTRY_H_
#define SUPREMUM_SRC_IO_FORMATS_ZIP_ENTRY_H_

#include <zlib.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "io/files/byte_source.h"
#include "io/files/file_bytes.h"
#include "io/formats/zip_directory.h"
#include "supremum/result.h"

namespace supremum::io {

/// The bytes of an entry that ReadZipDirectory found in `file`, which must outlive this object. Finish
/// compares their checksum, and checks that no packed bytes follow the stated size.
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
  std::int64_t position_ = 0;     // unpacked bytes read so far
  std::int64_t packed_read_ = 0;  // packed bytes read from the file so far
  unsigned long crc_ = 0;         // of the unpacked bytes read so far
  z_stream stream_ = {};          // for a deflated entry
  bool initialized_ = false;      // inflateInit2 succeeded, so stream_ must be released
  bool ended_ = false;            // inflate returned Z_STREAM_END
  std::array<std::byte, 1 << 15> packed_;
};

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FORMATS_ZIP_ENTRY_H_
