// NumPy's .npy.
#ifndef SUPREMUM_SRC_FORMATS_NPY_H_
#define SUPREMUM_SRC_FORMATS_NPY_H_

#include <optional>
#include <string>

#include "formats/atomic_file.h"
#include "formats/byte_source.h"
#include "formats/file_bytes.h"
#include "formats/npy_header.h"
#include "formats/tensor_file.h"
#include "supremum/dtype.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum::formats {

/// The array in `source`, which ends where the array does. Elements come out row-major and in the machine's
/// byte order, whatever the file has; a file that has both already is read straight into the tensor.
///
/// Errors: those of ReadTensor.
Result<Tensor> ParseNpy(ByteSource& source, const ReadOptions& options);

/// The header of a file that has exactly the elements which the header states.
///
/// Errors: those of ReadTensor that concern the header and the size.
Result<NpyHeader> ReadNpyHeader(const InputFile& file, std::optional<DType> stated);

Result<NamedTensor> ReadNpy(const std::string& path, const ReadOptions& options);

/// Errors: kIo.
Result<void> WriteNpy(const std::string& path, const Tensor& tensor);

/// The same but for the name: the file is written and durable, and waits for its Commit.
Result<AtomicFile> StageNpy(const std::string& path, const Tensor& tensor);

}  // namespace supremum::formats

#endif  // SUPREMUM_SRC_FORMATS_NPY_H_
