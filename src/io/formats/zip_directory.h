// The entries of a ZIP archive: its directory, checked against every local header and the file.
#ifndef SUPREMUM_SRC_IO_FORMATS_ZIP_DIRECTORY_H_
#define SUPREMUM_SRC_IO_FORMATS_ZIP_DIRECTORY_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/files/file_bytes.h"
#include "supremum/result.h"

namespace supremum::io {

/// The supported compression methods.
inline constexpr std::uint16_t kZipStored = 0, kZipDeflated = 8;

struct ZipEntry {
  std::string name;  ///< UTF-8, without zero bytes
  std::uint16_t method = kZipStored;
  std::uint32_t crc = 0;  ///< of the unpacked bytes
  std::int64_t size = 0;  ///< of the unpacked bytes
  std::int64_t packed_size = 0;
  std::int64_t data_offset = 0;  ///< of the packed bytes, from the file's first byte
};

/// The end of error texts: what to do about an archive that cannot be read.
inline constexpr std::string_view kRewriteNpz = "; write the file again with numpy.savez";

/// The name of an entry in error texts: "'x.npz': entry 'a.npy'".
std::string ZipEntryWhere(std::string_view path, std::string_view entry);

/// The entries, in the directory's order.
///
///   entry 0 | entry 1 | ... | directory | end of the archive.
///
/// Ensures: every byte of the file belongs to exactly one of these parts, so the file can be read in only one
/// way, and no two entries share bytes. Directory and local headers state the same name, flags, method, CRC
/// and sizes. The sizes are possible for the method. ZIP64 sizes and offsets are supported, and so are sizes
/// after the bytes of an entry (a data descriptor).
///
/// Errors: kIo; kMalformedFile. Encryption, other methods, archives on several disks, and names that are
///   neither ASCII nor marked as UTF-8 are kUnsupportedFormat. More than `max_entries`, or a directory of
///   more than 64 MiB, are kLimitExceeded. The text names the entry, or the byte of the file.
/// Cost: reads the directory and the local headers, and nothing twice; memory linear in the directory.
Result<std::vector<ZipEntry>> ReadZipDirectory(const InputFile& file, std::int64_t max_entries);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FORMATS_ZIP_DIRECTORY_H_
