// ONNX's external data: the elements of a tensor that lie in another file.
#ifndef SUPREMUM_SRC_FORMATS_EXTERNAL_DATA_H_
#define SUPREMUM_SRC_FORMATS_EXTERNAL_DATA_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "formats/file_bytes.h"
#include "supremum/dtype.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor.h"

namespace onnx {
class TensorProto;
}

namespace supremum::formats {

/// The folder inside which external data must lie, that of the model; and what is known of its files, since
/// several tensors of one model lie in one file.
struct ExternalFiles {
  explicit ExternalFiles(std::string inside, std::int64_t most = kDefaultMaxBytes)
      : folder(std::move(inside)), max_checked_bytes(most) {}

  std::string folder;
  std::int64_t max_checked_bytes;                      ///< the largest file whose checksum is computed
  mutable std::map<std::string, std::string> digests;  ///< by location, once a checksum has asked for them
  mutable std::map<std::string, FileIdentity> opened;  ///< by location, when they were first opened
};

/// Nothing: external data is refused.
using ExternalFolder = std::optional<ExternalFiles>;

/// The folder of the file `path`, as the system takes it.
std::string FolderOfFile(const std::string& path);

/// True if `proto` says that its elements lie elsewhere.
bool IsExternal(const onnx::TensorProto& proto);

/// The elements of such a tensor, whose type and shape have been checked. Where it has a `checksum`, that is
/// the SHA-1 of the whole file, in 40 hexadecimal digits, and is compared: it finds a file that is damaged or
/// another one; it stops nobody who can write both the model and the file.
///
/// Errors: kUnsupportedFormat where the folder is none, where the location leaves it, or leads through a link
///   or to a file that has a second name; kMalformedFile for keys that ONNX does not have, twice the same,
///   numbers and checksums that are none, a checksum that is not the file's, elements inside and outside at
///   once, and for a place that is not all in the file or not as long as the elements; kIo, also where the
///   file was changed since another tensor was read from it; kLimitExceeded, also for a checksum of a file of
///   more than `max_checked_bytes`; kOutOfMemory. Sizes are compared before memory is taken.
/// Cost: reads the elements; with a checksum once the whole file beside, however many tensors are in it (some
///   0.5 s a GB).
Result<Tensor> ReadExternal(const onnx::TensorProto& proto, DType dtype, DimsView shape,
                            std::string_view where, const ExternalFolder& folder, std::int64_t max_bytes);

}  // namespace supremum::formats

#endif  // SUPREMUM_SRC_FORMATS_EXTERNAL_DATA_H_
