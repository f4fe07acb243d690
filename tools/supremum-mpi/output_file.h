// The output that all ranks write together. It gets its name when every rank has written its part.
#ifndef SUPREMUM_TOOLS_MPI_OUTPUT_FILE_H_
#define SUPREMUM_TOOLS_MPI_OUTPUT_FILE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "cli/outputs.h"
#include "ranks.h"
#include "shared_file.h"
#include "supremum/dtype.h"
#include "supremum/result.h"
#include "supremum/shape.h"

namespace supremum::cli {

/// kInvalidArgument unless the name's ending is that of a .npy or of a raw file. Not collective.
Result<void> CheckOutputName(const std::string& path);

/// Writes `part`, which is this rank's `slab` of the elements, into a temporary file beside `path`. Then rank
/// 0 adds the file to `outputs`, whose Deliver gives it its name. Collective.
///
/// Errors: kIo; kInvalidArgument for a pipe or a device, which cannot be written in parts. On an error an
/// existing
///   file is unchanged, and the temporary file is removed.
Result<void> WriteTogether(const World& world, const std::string& path, DType dtype, DimsView shape,
                           const Slab& slab, std::span<const std::byte> part, std::int64_t message_bytes,
                           Outputs* outputs);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_MPI_OUTPUT_FILE_H_
