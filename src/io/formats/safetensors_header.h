// The header of a .safetensors file: a length, and JSON that states where each tensor is.
#ifndef SUPREMUM_SRC_IO_FORMATS_SAFETENSORS_HEADER_H_
#define SUPREMUM_SRC_IO_FORMATS_SAFETENSORS_HEADER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/files/file_bytes.h"
#include "supremum/dtype.h"
#include "supremum/result.h"
#include "supremum/shape.h"

namespace supremum::io {

/// The most bytes that a header may have: the limit of the format's own library.
inline constexpr std::int64_t kMaxSafetensorsHeader = 100'000'000;

/// The most tensors that one file may hold.
inline constexpr std::size_t kMaxSafetensors = 65'536;

/// A tensor of the file, whose range of bytes has been checked.
struct SafetensorsEntry {
  std::string name;
  std::string type_name;       ///< as the header states it: "F32"
  std::optional<DType> dtype;  ///< empty for a type of the format that is none of the element types
  Shape shape;
  std::int64_t offset = 0;  ///< of its elements, from the file's first byte; at any alignment
};

/// Reads and checks everything before the elements: a length, and that many bytes, which begin with '{', are
/// one JSON object, and may end with spaces (0x20) as padding.
/// Ensures: the byte ranges of the tensors have the sizes of their types and shapes, and cover the file from
/// the header's end to its end, without gaps and without overlap.
///
/// Errors: kIo; kMalformedFile; kTypeNotAdmitted for a type that the format does not define; kLimitExceeded
///   for a header, a number of tensors or memory for JSON beyond the limits above; kRank. The text names the
///   tensor, or the byte of the header.
/// Returns: the tensors in the header's order.
Result<std::vector<SafetensorsEntry>> ReadSafetensorsHeader(const InputFile& file);

/// kTypeNotAdmitted for a tensor whose type is none of the element types.
Error SafetensorsTypeError(std::string_view where, std::string_view type_name);

/// The bytes before the elements in a file of one tensor; their number is a multiple of 8.
/// Requires: `name` is UTF-8, and not "__metadata__".
std::string SafetensorsHeaderBytes(std::string_view name, DType dtype, DimsView shape);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FORMATS_SAFETENSORS_HEADER_H_
