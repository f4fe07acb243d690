// Max and ReduceMax of files that are larger than memory.
#ifndef SUPREMUM_SRC_STREAM_STREAM_H_
#define SUPREMUM_SRC_STREAM_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "stream/output.h"
#include "stream/source.h"
#include "supremum/result.h"

namespace supremum::stream {

struct StreamOptions {
  /// The limit of the memory of all buffers together, in bytes.
  std::int64_t buffer_bytes = 0;

  /// As the operators' option. With 1, the calling thread does everything; otherwise other threads write, and
  /// read if the elements are not in the file's order (Max) or always (ReduceMax).
  std::size_t threads = 1;

  /// Called often, with the fraction of the work that is done, from 0 to 1.
  std::function<void(double)> on_progress;
};

/// The smallest valid StreamOptions::buffer_bytes.
std::int64_t LeastBufferBytesOfMax(std::size_t sources);
std::int64_t LeastBufferBytesOfReduceMax();

/// The element-wise maximum of `sources`, broadcast to the output's `shape`, as Max computes it (MAX-2,
/// BRO-5), tile by tile in the output's order. Every bit is that of Max, which computes the tiles.
///
/// Requires: MaxOutputShape of the sources is `shape`, which is also the shape of `output`.
/// Ensures: without an error, all elements of the output are written.
/// Errors: kLimitExceeded if buffer_bytes is below the least; kOutOfMemory; those of Source::Read, of
///   Source::CheckUnchanged and of Output.
/// Cost: a source that is not broadcast is read once. A broadcast source is kept in memory if it is small;
///   otherwise it is read again for each tile.
Result<void> StreamMax(std::span<const Source> sources, const Shape& shape, Output& output,
                       const StreamOptions& options);

/// The maximum of `source` along `axes`, as ReduceMax computes it (RED-1, RED-6), tile by tile in the
/// output's order. The input of a tile is read in the file's order, in steps, whose maxima Max joins (ORD-5).
///
/// Requires: ReduceMaxOutputShape of the source with these axes (as ReduceMaxOptions::axes) is the output's
/// shape. Ensures, Errors: as StreamMax. Cost: the source is read once.
Result<void> StreamReduceMax(const Source& source, const std::optional<std::span<const std::int64_t>>& axes,
                             Output& output, const StreamOptions& options);

}  // namespace supremum::stream

#endif  // SUPREMUM_SRC_STREAM_STREAM_H_
