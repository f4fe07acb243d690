#include "ops/max_dense.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/overlap.h"
#include "kernels/kernels.h"
#include "kernels/memory_model.h"
#include "ops/max_schedule.h"
#include "ops/tuning.h"

namespace supremum {
namespace {

// Upper bound of the inputs, whose addresses are kept on the stack. Chosen by estimate; no benchmark line
// yet. Cases: max * 64 inputs, "supremum, no plan".
constexpr std::size_t kMaxInputs = 64;

}  // namespace

bool ComputeSmallDense(std::span<const TensorView> inputs, const MutableTensorView& output) {
  if (inputs.size() > kMaxInputs) return false;
  const std::size_t width = ByteWidth(output.dtype);
  std::size_t n = 1;
  for (const std::int64_t extent : output.shape) n *= static_cast<std::size_t>(extent);
  const std::size_t bytes = n * width;
  // A call without a schedule has one thread, and no non-temporal stores.
  if (static_cast<double>(bytes) * static_cast<double>(inputs.size() + 1) > ThisMemory().core_bytes) {
    return false;
  }
  std::array<const std::byte*, kMaxInputs> data;
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    data[m] = static_cast<const std::byte*>(inputs[m].data);
    if (data[m] != output.data && !Apart(data[m], bytes, output.data, bytes)) return false;
  }

  const kernels::RowKernels& row = kernels::ActiveKernels().For(output.dtype);
  const std::ptrdiff_t dense = static_cast<std::ptrdiff_t>(width);
  std::byte* const y = static_cast<std::byte*>(output.data);
  if (inputs.size() == 1) {
    row.copy({data[0], dense}, {y, dense}, n);
  } else if (inputs.size() == 2) {
    row.join({data[0], dense}, {data[1], dense}, {y, dense}, n);
  } else {
    alignas(64) std::array<std::byte, MaxSchedule::kMaxTileBytes> joined;
    const std::size_t tile = static_cast<std::size_t>(tuning.max_buffered_tile_bytes) / width;
    for (std::size_t begin = 0; begin < n; begin += tile) {
      row.join_many({data.data(), inputs.size(), static_cast<std::ptrdiff_t>(begin * width)}, joined.data(),
                    y + begin * width, std::min(tile, n - begin), false);
    }
  }
  return true;
}

}  // namespace supremum
