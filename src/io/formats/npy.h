// NumPy's .npy.
#ifndef SUPREMUM_SRC_IO_FORMATS_NPY_H_
#define SUPREMUM_SRC_IO_FORMATS_NPY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/files/atomic_file.h"
#include "io/files/byte_source.h"
#include "io/files/file_bytes.h"
#include "io/formats/npy_header.h"
#include "io/formats/tensor_file.h"
#include "supremum/dtype.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum::io {

/// The array in `source`, which must end with the array. The elements returned are row-major and in the
/// processor's byte order; where the file has both already, they are read directly into the tensor.
///
/// Errors: those of ReadTensor. An array of an unsupported type is noted as `name`.
Result<Tensor> ParseNpy(ByteSource& source, const ReadOptions& options, const std::string& name = "");

/// The header of a file. Ensures: the file has exactly the elements that the header states.
///
/// Errors: those of ReadTensor that concern the header and the size.
Result<NpyHeader> ReadNpyHeader(const InputFile& file, const ReadOptions& options);

/// The end of the error text for a .npy file's bool that is neither 0 nor 1.
inline constexpr std::string_view kNpyBoolAdvice =
    "; write the file again with numpy.save, as uint8 if these are numbers";

/// The elements of an open file, row-major and in the processor's byte order. `bool_advice` ends the text of
/// the error for a bool that is neither 0 nor 1.
///
/// Requires: the file has exactly the elements that `header` states, from its data_offset to the end.
/// Errors: those of ReadTensor that concern the elements and the memory.
Result<Tensor> ReadNpyElements(const InputFile& file, const NpyHeader& header, std::int64_t max_bytes,
                               std::string_view bool_advice);

Result<NamedTensor> ReadNpy(const std::string& path, const ReadOptions& options);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FORMATS_NPY_H_
