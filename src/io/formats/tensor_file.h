// Reads and writes tensors in files of every supported format; the ending of the file's name selects the
// format.
#ifndef SUPREMUM_SRC_IO_FORMATS_TENSOR_FILE_H_
#define SUPREMUM_SRC_IO_FORMATS_TENSOR_FILE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/files/atomic_file.h"
#include "io/files/file_bytes.h"
#include "supremum/dtype.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor.h"

namespace supremum::io {

enum class TensorFormat : std::uint8_t {
  kNpy,          ///< NumPy's .npy, versions 1 to 3
  kNpz,          ///< NumPy's .npz: a ZIP archive of .npy files
  kTensorProto,  ///< ONNX's TensorProto, .pb
  kSafetensors,  ///< .safetensors: tensors by name, a JSON header before their elements
  kRaw,          ///< elements alone, little-endian; type and shape come from the "name:dtype:shape:file"
                 ///< specification
};

/// A tensor whose type is none of the element types: it is listed, and its elements are not read.
struct UnsupportedTensor {
  std::string name;
  std::string type_name;  ///< as the file states it: "F8_E4M3", "<c8", "float8e4m3fn"
  Shape shape;
};

struct ReadOptions {
  /// The type of the elements where the file does not state it: bfloat16 in .npy is stored as two-byte void
  /// ("V2"). A file that states another type is an error: nothing is ever converted (TYP-2).
  std::optional<DType> stated_dtype;
  /// The limit of the memory of the elements of one file, in bytes.
  std::int64_t max_bytes = kDefaultMaxBytes;
  /// If set, ReadTensors adds tensors of unsupported types here instead of refusing the file.
  std::vector<UnsupportedTensor>* unsupported = nullptr;
};

/// Adds a tensor to options.unsupported, if that is set.
inline void NoteUnsupported(const ReadOptions& options, UnsupportedTensor tensor) {
  if (options.unsupported != nullptr) options.unsupported->push_back(std::move(tensor));
}

inline std::size_t CountUnsupported(const ReadOptions& options) {
  return options.unsupported == nullptr ? 0 : options.unsupported->size();
}

/// The parts of FILE::NAME.
struct TensorSpec {
  std::string file;
  std::optional<std::string> tensor;  ///< a name in a .npz or .safetensors file
};

/// Separates FILE::NAME, where FILE ends in .npz or .safetensors. A text that names an existing file as a
/// whole has no NAME, and neither has the specification of a raw file.
TensorSpec SplitTensorName(const std::string& spec);

/// The one tensor of a .npy, .npz, .pb or .safetensors file. One of several tensors is given as
/// "file.npz::name" or "file.safetensors::name", that of a raw file as "name:dtype:shape:file" (shape as 2x3,
/// or empty for a scalar). Its name is the file's own, or "" (.npy).
///
/// Errors: kIo, kMalformedFile, kUnsupportedFormat, kLimitExceeded, kOutOfMemory, kInvalidArgument (no format
///   known by that ending; several tensors in one file, none of that name), kTypeMismatch (another type than
///   the stated one), kTypeNotAdmitted, kSparseTensor, kRank, kInvalidShape. The text names the file and the
///   position or field. Sizes are checked against the file before memory is taken. A bool is a byte, 0 or 1;
///   another one is kMalformedFile.
Result<NamedTensor> ReadTensor(const std::string& spec, const ReadOptions& options = {});

/// Every tensor of the file, in its order; more than one only in a .npz and a .safetensors, unless the spec
/// names one.
Result<std::vector<NamedTensor>> ReadTensors(const std::string& spec, const ReadOptions& options = {});

/// True if ReadTensor would read `spec` as a tensor file, judged by its form or ending only.
bool LooksLikeTensor(std::string_view spec);

/// The bytes before the elements, which are row-major and little-endian, in a file of one tensor.
///
/// Requires: `format` is kNpy, kSafetensors or kRaw. Errors: kInvalidArgument, as WriteTensor.
Result<std::string> HeaderBytes(const std::string& path, TensorFormat format, std::string_view name,
                                DType dtype, DimsView shape);

/// Writes one tensor, row-major, in the machine's byte order (.npy: version 1 where it fits; bfloat16 as
/// "V2"). kNpz and kSafetensors hold it under `name`, kTensorProto with `name`. A file that existed is
/// replaced by rename once the new one is complete, and unchanged on any error.
///
/// Errors: kIo, kLimitExceeded (a TensorProto beyond 2 GiB), kInvalidArgument (a name that no entry of a .npz
///   or .safetensors can have), kOutOfMemory.
Result<void> WriteTensor(const std::string& path, TensorFormat format, std::string_view name,
                         const Tensor& tensor);

/// Writes the file and makes it durable, without its name: Commit gives it the name. Several tensors are
/// staged before the first is committed, so that an error leaves every old file unchanged.
Result<AtomicFile> StageTensor(const std::string& path, TensorFormat format, std::string_view name,
                               const Tensor& tensor);

/// The format for the file's ending, for writing. Errors: kInvalidArgument, with the list of endings.
Result<TensorFormat> FormatOfPath(std::string_view path);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FORMATS_TENSOR_FILE_H_
