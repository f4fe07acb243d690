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
  /// How many bytes all buffers together may take.
  std::int64_t buffer_bytes = 0;

  /// As that of the operators. With 1, the calling thread does all; otherwise others write behind, and read
  /// where the order of the file calls for it (Max) or everywhere (ReduceMax).
  std::size_t threads = 1;

  /// Called often, with the part of the work that is done, from 0 to 1.
  std::function<void(double)> on_progress;
};

/// The least that StreamOptions::buffer_bytes must be, for the least tiles that are worth it.
std::int64_t LeastBufferBytesOfMax(std::size_t sources);
std::int64_t LeastBufferBytesOfReduceMax();

/// The element-wise maximum of `sources`, broadcast to the output's `shape`, as Max (MAX-2, BRO-5), in tiles
/// of the output in its order. Each bit is that of Max, since the tiles are Max's own work.
///
/// Requires: MaxOutputShape of the sources is `shape`, which is the output's.
/// Ensures: output.position() elements are done; all of them if there is no error.
/// Errors: kLimitExceeded if buffer_bytes is below the least; kOutOfMemory; those of Source::Read, of
///   Source::CheckUnchanged and of Output. Where a source is not what it was, the output is abandoned.
/// Cost: a source that is not broadcast is read once. One that is, is kept in memory if it is small;
///   otherwise it is read again for each tile.
Result<void> StreamMax(std::span<const Source> sources, const Shape& shape, Output& output,
                       const StreamOptions& options);

/// The maximum of `source` along `axes` as ReduceMax (RED-1, RED-6), in tiles of the output in its order;
/// what makes up a tile is read in the file's order, in steps, whose maxima Max joins (ORD-5).
///
/// Requires: ReduceMaxOutputShape of the source with these axes, which mean what they mean there, is the
/// output's shape. Ensures, Errors: as StreamMax. Cost: the source is read once.
Result<void> StreamReduceMax(const Source& source, const std::optional<std::span<const std::int64_t>>& axes,
                             Output& output, const StreamOptions& options);

}  // namespace supremum::stream

#endif  // SUPREMUM_SRC_STREAM_STREAM_H_
