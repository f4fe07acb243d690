#include "ops/max_direct.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/overlap.h"
#include "kernels/cache_size.h"
#include "kernels/kernels.h"
#include "ops/max_schedule.h"

namespace supremum {
namespace {

// Upper bound of the inputs, whose addresses are kept on the stack. Chosen by estimate; no benchmark line
// yet. Cases: max * 64 inputs, "supremum, no plan".
constexpr std::size_t kMaxInputsWithoutPlan = 64;

}  // namespace

bool ComputeMaxDirectly(std::span<const TensorView> inputs, const MutableTensorView& output,
                        const MaxOptions& options) {
  if (inputs.empty() || inputs.size() > kMaxInputsWithoutPlan) return false;
  if (!output.strides.empty() || output.data == nullptr) return false;
  if (output.shape.size() > kMaxRank || !Admits(options.version, output.dtype)) return false;
  const std::optional<std::int64_t> count = ElementCount(output.shape);
  if (!count || *count > SecondLevelCacheBytes()) return false;
  const std::size_t n = static_cast<std::size_t>(*count), width = ByteWidth(output.dtype);
  if (std::uint64_t{n} * width * (inputs.size() + 1) > static_cast<std::uint64_t>(SecondLevelCacheBytes())) {
    return false;
  }
  const std::size_t bytes = n * width;
  if (!FitsAddressSpace(output.data, bytes)) return false;
  std::array<const std::byte*, kMaxInputsWithoutPlan> data;
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    const TensorView& input = inputs[m];
    if (input.dtype != output.dtype || !input.strides.empty() || input.data == nullptr) return false;
    if (!SameDims(input.shape, output.shape)) return false;
    if (!FitsAddressSpace(input.data, bytes)) return false;
    // MEM-2: exactly the output, or no byte in common with it.
    if (input.data != output.data && !Apart(input.data, bytes, output.data, bytes)) return false;
    data[m] = static_cast<const std::byte*>(input.data);
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
    const std::size_t tile = joined.size() / width;
    for (std::size_t begin = 0; begin < n; begin += tile) {
      row.join_many({data.data(), inputs.size(), static_cast<std::ptrdiff_t>(begin * width)}, joined.data(),
                    y + begin * width, std::min(tile, n - begin), false);
    }
  }
  return true;
}

}  // namespace supremum
