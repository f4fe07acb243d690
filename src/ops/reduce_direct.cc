#include "ops/reduce_direct.h"

#include <cstddef>
#include <cstdint>

#include "core/axes.h"
#include "core/overlap.h"
#include "kernels/kernels.h"
#include "ops/reduce_schedule.h"

namespace supremum {
namespace {

// Upper bound of the source's bytes. Chosen by estimate; no benchmark line yet. Cases: reduce * all,
// "supremum, no plan".
constexpr std::size_t kMaxBytesWithoutPlan = 64 * 1024;

}  // namespace

bool ComputeReduceMaxDirectly(const TensorView& source, const MutableTensorView& output,
                              const ReduceMaxOptions& options) {
  if (!source.strides.empty() || !output.strides.empty()) return false;
  if (source.data == nullptr || output.data == nullptr || source.dtype != output.dtype) return false;
  if (source.shape.size() > kMaxRank || !Admits(options.version, source.dtype)) return false;
  const std::size_t width = ByteWidth(source.dtype), rank = source.shape.size();
  AxisSet reduced = AxisSet::All(rank);
  if (options.axes) {
    const Result<AxisSet> named = ResolveAxes(options.axes, rank, options.version, options.source_name);
    if (!named) return false;
    reduced = *named;
  }
  // The elements of the reduced dimensions, and of the kept dimensions before and after them.
  std::size_t before = 1, run = 1, after = 1;
  std::size_t next = 0;  // dimension of the output
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t extent = source.shape[d];
    if (extent <= 0 || extent > static_cast<std::int64_t>(kMaxBytesWithoutPlan)) return false;
    const bool reduces = reduced.Has(d);
    if (!reduces || options.keepdims) {
      if (next == output.shape.size() || output.shape[next++] != (reduces ? 1 : extent)) return false;
    }
    if (reduces && after > 1) return false;
    (reduces ? run : run > 1 ? after : before) *= static_cast<std::size_t>(extent);
    // Up to 2^32, which a size_t of 32 bits cannot hold.
    if (std::uint64_t{before} * run * after * width > kMaxBytesWithoutPlan) return false;
  }
  if (next != output.shape.size() || (before > 1 && after > 1)) return false;
  const std::size_t kept = before * after, bytes = kept * run * width;
  if (kept * width > static_cast<std::size_t>(ReduceSchedule::kMaxTileBytes)) return false;
  if (reinterpret_cast<std::uintptr_t>(output.data) % width != 0) return false;
  if (!FitsAddressSpace(source.data, bytes) || !FitsAddressSpace(output.data, kept * width)) return false;
  if (!Apart(source.data, bytes, output.data, kept * width)) return false;

  const kernels::RowKernels& row = kernels::ActiveKernels().For(source.dtype);
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(width);
  kernels::Block block{static_cast<const std::byte*>(source.data), step, step, kept, run, true};
  std::byte* const y = static_cast<std::byte*>(output.data);
  if (run == 1) {
    row.copy({block.data, step}, {y, step}, kept);
  } else if (after > 1) {
    block.reduced_stride = static_cast<std::ptrdiff_t>(after) * step;
    row.fold_rows(block, y);
  } else {
    block.kept_stride = static_cast<std::ptrdiff_t>(run) * step;
    row.reduce_runs(block, y);
  }
  return true;
}

}  // namespace supremum
