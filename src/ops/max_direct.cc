#include "ops/max_direct.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/overlap.h"
#include "kernels/kernels.h"
#include "kernels/memory_model.h"
#include "ops/direct_patterns.h"
#include "ops/direct_strides.h"
#include "ops/join_pair.h"
#include "ops/max_schedule.h"
#include "ops/tuning.h"

namespace supremum {
namespace {

// Upper bound of the inputs, whose addresses are kept on the stack. Chosen by estimate; no benchmark line
// yet. Cases: max * 64 inputs, "supremum, no plan".
constexpr std::size_t kMaxInputsWithoutPlan = 64;

// Upper bound of the inputs where some are broadcast: a plan takes less time for more. Chosen by estimate; no
// benchmark line yet. Cases: max * inputs, "supremum, no plan".
constexpr std::size_t kMaxBroadcastInputs = 8;

// Joins inputs of which some are broadcast, two at a time; without an input of the output's shape, only two.
// Returns false, and does nothing, where a plan is needed or faster.
bool JoinBroadcasts(std::span<const TensorView> inputs, const MutableTensorView& output, std::size_t width) {
  if (inputs.size() > kMaxBroadcastInputs) return false;
  std::size_t rank = 0;
  for (const TensorView& input : inputs) rank = std::max(rank, input.shape.size());
  if (rank != output.shape.size()) return false;  // E2
  const kernels::RowKernels& row = kernels::ActiveKernels().For(output.dtype);
  std::byte* const y = static_cast<std::byte*>(output.data);
  const auto data = [&](std::size_t m) { return static_cast<const std::byte*>(inputs[m].data); };
  if (inputs.size() == 2) {
    BroadcastPair pair;
    const bool found = FindBroadcastPair({inputs[0].shape, inputs[1].shape}, output.shape, width, pair);
    if ((!found || pair.HasManyShortLines(width, row.vector_bytes)) && JoinByPatterns(inputs, output))
      return true;
    if (found) JoinPair(row, width, {data(0), data(1)}, pair, y);
    return found;
  }
  // The first is the one that may be the output itself, and is overwritten by the joins.
  std::optional<std::size_t> first;
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    if (SameDims(inputs[m].shape, output.shape) && (!first || inputs[m].data == output.data)) first = m;
  }
  if (!first) return JoinByPatterns(inputs, output);
  std::array<BroadcastPair, kMaxBroadcastInputs> pairs;
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    if (!FindBroadcastPair({output.shape, inputs[m].shape}, output.shape, width, pairs[m])) return false;
  }
  const std::byte* so_far = data(*first);
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    if (m == *first) continue;
    JoinPair(row, width, {so_far, data(m)}, pairs[m], y);
    so_far = y;
  }
  return true;
}

// Where an input has stated strides.
bool JoinViews(std::span<const TensorView> inputs, const MutableTensorView& output) {
  const auto fits = [&](const TensorView& input) {
    return input.dtype == output.dtype && input.data != nullptr;
  };
  return inputs.size() == 2 && fits(inputs[0]) && fits(inputs[1]) &&
         JoinWithStrides(inputs[0], inputs[1], output);
}

}  // namespace

bool ComputeMaxDirectly(std::span<const TensorView> inputs, const MutableTensorView& output,
                        const MaxOptions& options) {
  if (inputs.empty() || inputs.size() > kMaxInputsWithoutPlan) return false;
  if (!output.strides.empty() || output.data == nullptr) return false;
  if (output.shape.size() > kMaxRank || !Admits(options.version, output.dtype)) return false;
  const std::optional<std::int64_t> count = ElementCount(output.shape);
  if (!count) return false;
  const std::size_t width = ByteWidth(output.dtype);
  // A call without a plan has one thread, and no non-temporal stores.
  if (static_cast<double>(*count) * static_cast<double>(width * (inputs.size() + 1)) >
      ThisMemory().core_bytes) {
    return false;
  }
  const std::size_t n = static_cast<std::size_t>(*count);
  const std::size_t bytes = n * width;
  if (!FitsAddressSpace(output.data, bytes)) return false;
  std::array<const std::byte*, kMaxInputsWithoutPlan> data;
  bool equal = true;  // all shapes
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    const TensorView& input = inputs[m];
    if (input.dtype != output.dtype || input.data == nullptr) return false;
    if (!input.strides.empty()) return n > 0 && JoinViews(inputs, output);
    std::size_t input_bytes = bytes;
    if (!SameDims(input.shape, output.shape)) {
      if (n == 0 || options.identical_shapes_only || !Broadcasts(options.version)) return false;
      const std::optional<std::int64_t> elements = ElementCount(input.shape);
      if (!elements || *elements > *count) return false;
      equal = false;
      input_bytes = static_cast<std::size_t>(*elements) * width;
    }
    if (!FitsAddressSpace(input.data, input_bytes)) return false;
    // MEM-2: exactly the output, or no byte in common with it.
    const bool is_output = input.data == output.data && SameDims(input.shape, output.shape);
    if (!is_output && !Apart(input.data, input_bytes, output.data, bytes)) return false;
    data[m] = static_cast<const std::byte*>(input.data);
  }

  if (!equal) return JoinBroadcasts(inputs, output, width);
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
