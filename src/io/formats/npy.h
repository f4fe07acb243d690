// NumPy's .npy.
#ifndef SUPREMUM_SRC_IO_FORMATS_NPY_H_
#define SUPREMUM_SRC_IO_FORMATS_NPY_H_

#include <string>

#include "io/files/byte_source.h"
#include "io/formats/element_file.h"
#include "io/formats/tensor_file.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum::io {

/// The array in `source`, which must end with the array, as `name`.
///
/// Errors: those of ReadTensor. An array of an unsupported type is noted as `name`.
Result<NamedTensor> ParseNpy(ByteSource& source, const ReadOptions& options, const std::string& name = "");

/// Errors: those of ReadTensor that concern the header and the size.
Result<ElementFile> OpenNpy(const std::string& path, const ReadOptions& options);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FORMATS_NPY_H_
