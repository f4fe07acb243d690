// .safetensors: tensors by name in one file, a JSON header before their elements.
#ifndef SUPREMUM_SRC_IO_FORMATS_SAFETENSORS_H_
#define SUPREMUM_SRC_IO_FORMATS_SAFETENSORS_H_

#include <optional>
#include <string>
#include <vector>

#include "io/formats/element_file.h"
#include "io/formats/tensor_file.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum::io {

/// Every tensor, in the header's order, at any alignment. `options.max_bytes` limits their sum; a stated type
/// applies to all.
///
/// Errors: those of ReadTensors.
Result<std::vector<NamedTensor>> ReadSafetensors(const std::string& path, const ReadOptions& options);

/// The tensor `name`, or, without a name, that of a file that has exactly one, unread.
///
/// Errors: those of ReadTensor that it reports before it allocates memory for the elements; kInvalidArgument,
///   listing the names, if no tensor has that name or there are several.
Result<ElementFile> OpenSafetensors(const std::string& path, const ReadOptions& options,
                                    const std::optional<std::string>& name);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FORMATS_SAFETENSORS_H_
