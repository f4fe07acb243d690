// NumPy's .npz: a ZIP archive of .npy files, stored or deflated.
#ifndef SUPREMUM_SRC_IO_FORMATS_NPZ_H_
#define SUPREMUM_SRC_IO_FORMATS_NPZ_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/files/atomic_file.h"
#include "io/formats/tensor_file.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum::io {

/// The most arrays that one archive may hold.
inline constexpr std::int64_t kMaxNpzEntries = 65'536;

/// Every array, in the order of the archive's directory, named as in numpy.load: without ".npy".
/// `options.max_bytes` limits their sum; a stated type applies to all.
///
/// Errors: those of ReadTensors.
Result<std::vector<NamedTensor>> ReadNpz(const std::string& path, const ReadOptions& options);

/// The array `name`, or, without a name, that of an archive that has exactly one. Errors: those of
/// ReadTensor; kInvalidArgument, listing the names, if no array has that name or there are several.
Result<NamedTensor> ReadSingleNpz(const std::string& path, const ReadOptions& options,
                                  const std::optional<std::string>& name = {});

/// Writes one array, stored, and makes the file durable, without its name: Commit gives it the name. An empty
/// `name` becomes "arr_0", as in numpy.savez. Equal tensors give equal files.
///
/// Errors: kIo, kOutOfMemory, kInvalidArgument (a name that no entry can have).
/// Cost: a copy of the tensor: the archive is built in memory.
Result<AtomicFile> StageNpz(const std::string& path, std::string_view name, const Tensor& tensor);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FORMATS_NPZ_H_
