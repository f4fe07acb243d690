// Files whose elements are contiguous: .npy, .safetensors and raw files. They can be read in parts.
#ifndef SUPREMUM_SRC_IO_FORMATS_ELEMENT_FILE_H_
#define SUPREMUM_SRC_IO_FORMATS_ELEMENT_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "io/files/byte_source.h"
#include "io/files/file_bytes.h"
#include "io/formats/tensor_file.h"
#include "supremum/dtype.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor.h"

namespace supremum::io {

/// A tensor in a file or in an entry of an archive, whose size has been checked against the number of
/// elements.
struct Elements {
  std::string name;              ///< of the tensor; "" in a .npy
  std::string where;             ///< the file, and in a .safetensors the tensor, for error texts
  std::string_view bool_advice;  ///< the end of the error text for a bool that is neither 0 nor 1
  DType dtype = DType::kFloat32;
  Shape shape;
  std::int64_t offset = 0;     ///< of the first element, in bytes
  bool big_endian = false;     ///< the bytes of each element
  bool fortran_order = false;  ///< the first dimension is the innermost
};

/// An open file of one tensor, or of several of which one was chosen.
struct ElementFile : Elements {
  InputFile file;
};

/// True if `spec`, a name of a file, "file.safetensors::name" or "name:dtype:shape:file", is of a file with
/// contiguous elements, judged by its form or ending.
bool HasElementsInOnePiece(std::string_view spec);

/// Opens a .npy or .safetensors file, or a raw one, which every other `spec` is taken for.
///
/// Errors: those that ReadTensor reports before it allocates memory for the elements.
Result<ElementFile> OpenElements(const std::string& spec, const ReadOptions& options);

/// The elements, row-major and in the processor's byte order; where the source has both already, they are
/// read directly into the tensor.
///
/// Requires: `source` is at the first element. Errors: those of ReadTensor that concern the elements and the
///   memory.
Result<NamedTensor> ReadElements(ByteSource& source, const Elements& elements, std::int64_t max_bytes);
Result<NamedTensor> ReadElements(const InputFile& file, const Elements& elements, std::int64_t max_bytes);

/// The elements of the file, or the error that `opened` holds.
Result<NamedTensor> ReadElements(const Result<ElementFile>& opened, std::int64_t max_bytes);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FORMATS_ELEMENT_FILE_H_
