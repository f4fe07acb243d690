// ONNX external data: the elements of a tensor are in another file.
#ifndef SUPREMUM_SRC_IO_FORMATS_EXTERNAL_DATA_H_
#define SUPREMUM_SRC_IO_FORMATS_EXTERNAL_DATA_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "io/files/file_bytes.h"
#include "supremum/dtype.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor.h"

namespace onnx {
class TensorProto;
}

namespace supremum::io {

/// The folder that external data must be in, which is the model's. Names of files are those of
/// InputFile::OpenInside, so that "w.bin" and "./w.bin" are one file. Several tensors of one model may be in
/// one file, so digests and identities of files are kept.
struct ExternalFiles {
  explicit ExternalFiles(std::string inside, std::int64_t most = kDefaultMaxBytes, std::string links = "")
      : folder(std::move(inside)), root(std::move(links)), max_checked_bytes(most) {}

  std::string folder;
  std::string root;  ///< if not empty, symbolic links are followed as long as they stay inside it
  std::int64_t max_checked_bytes;                      ///< the largest file whose checksum is computed
  mutable std::map<std::string, std::string> digests;  ///< by name, computed on demand
  mutable std::map<std::string, FileIdentity> opened;  ///< by name, as first opened
};

/// Absent: external data is refused.
using ExternalFolder = std::optional<ExternalFiles>;

/// The folder part of `path`: up to the last slash, or "." if there is none.
std::string FolderOfFile(const std::string& path);

/// True if `proto` states that its elements are in another file.
bool IsExternal(const onnx::TensorProto& proto);

/// The elements of such a tensor, whose type and shape have been checked. A `checksum` is the SHA-1 of the
/// whole file, in 40 hexadecimal digits, and is compared. It detects a damaged or wrong file; it is no
/// protection against a person who can write both the model and the file.
///
/// The keys are those that ONNX reads: `location`, `offset`, `length` and `checksum`. Others, `basepath`
/// among them, are ignored, as ONNX ignores them.
///
/// Errors: kUnsupportedFormat if no folder is given, or if the location is outside it. Also if it leads
///   through a symbolic link (with a root: out of the root), or is a file with a second hard link. A key
///   given twice, values that are not numbers or checksums, and a checksum that differs from that of the file
///   are kMalformedFile. So are elements both inside and outside, and a range outside the file or of another
///   size than the elements. If the file was changed since another tensor was read from it, kIo. A
///   checksum of a file of more than `max_checked_bytes` is kLimitExceeded. Otherwise kIo, kLimitExceeded or
///   kOutOfMemory. Sizes are compared before memory is allocated.
/// Cost: reads the elements; with a checksum also the whole file, once for all tensors in it (about 0.5 s a
///   GB).
Result<Tensor> ReadExternal(const onnx::TensorProto& proto, DType dtype, DimsView shape,
                            std::string_view where, const ExternalFolder& folder, std::int64_t max_bytes);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FORMATS_EXTERNAL_DATA_H_
