// Files whose elements are contiguous: .npy, .safetensors and raw files. They can be read in parts.
#ifndef SUPREMUM_SRC_IO_FORMATS_ELEMENT_FILE_H_
#define SUPREMUM_SRC_IO_FORMATS_ELEMENT_FILE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/files/file_bytes.h"
#include "supremum/dtype.h"
#include "supremum/result.h"
#include "supremum/shape.h"

namespace supremum::io {

/// An open file and the position of its elements. The size of the file has been checked against their number.
struct ElementFile {
  InputFile file;
  std::string where;             ///< the file, and in a .safetensors the tensor, for error texts
  std::string_view bool_advice;  ///< the end of the error text for a bool that is neither 0 nor 1
  DType dtype = DType::kFloat32;
  Shape shape;
  std::int64_t offset = 0;     ///< of the first element, in bytes
  bool big_endian = false;     ///< the bytes of each element
  bool fortran_order = false;  ///< the first dimension is the innermost
};

/// True if OpenElements takes `spec`, a name of a file, "file.safetensors::name" or "name:dtype:shape:file",
/// judged by its form or ending.
bool HasElementsInOnePiece(std::string_view spec);

/// Requires: HasElementsInOnePiece(spec).
/// Errors: those that ReadTensor reports before it allocates memory for the elements.
Result<ElementFile> OpenElements(const std::string& spec, std::optional<DType> stated);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FORMATS_ELEMENT_FILE_H_
