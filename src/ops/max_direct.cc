#include "ops/max_direct.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "core/align.h"
#include "core/multiply.h"
#include "core/overlap.h"
#include "kernels/kernels.h"
#include "kernels/memory_model.h"
#include "ops/direct_patterns.h"
#include "ops/direct_strides.h"
#include "ops/max_schedule.h"
#include "ops/pair_loops.h"

namespace supremum {
namespace {

// Upper bound of the inputs, whose addresses are kept on the stack. Chosen by estimate; no benchmark line
// yet. Cases: max * 64 inputs, "supremum, no plan".
constexpr std::size_t kMaxInputsWithoutPlan = 64;

// Upper bounds of the output's bytes and of the inputs where some are broadcast: a plan takes less time for
// more. Chosen by estimate; no benchmark line yet. Cases: max * row, inner row, "supremum, no plan".
constexpr std::size_t kMaxBroadcastBytes = 64 * 1024;
constexpr std::size_t kMaxBroadcastInputs = 8;

// Lines of fewer bytes are short, and a plan computes more of them in less time than a call for each line.
// Chosen by estimate; no benchmark line yet. Cases: max * alternating, two-sided, "supremum, no plan".
constexpr std::size_t kMinLineBytes = 64;
constexpr std::size_t kMaxShortLines = 256;

// More short lines are joined by the patterns of their inputs, if that is possible: what that takes before
// the first element is as much as so many lines. Chosen by estimate; no benchmark line yet. Cases: max *
// pairwise, "supremum, no plan".
constexpr std::size_t kFewShortLines = 64;

// The same for lines of less than a vector, which are copied in and out, but for vectors of 64 bytes, which
// have masks. Measured, Intel Xeon, AVX2, f32: two-sided [16,1], [5] takes as long as by patterns, [32,1],
// [3] 1.8 times and [8,1,7], [1,8,7] 4.9 times as long. Cases: max * alternating, two-sided, "supremum, no
// plan".
constexpr std::size_t kFewPartsOfVectors = 16;
constexpr std::size_t kMaskedVectorBytes = 64;

// Shorter lines along which an input is one element are read as one line that repeats each element. Chosen by
// estimate; no benchmark line yet. Cases: max * bias, inner column, "supremum, no plan".
constexpr std::size_t kMinScalarLineBytes = 128;

// A row that repeats in each line is copied until it has so many bytes. Chosen by estimate; no benchmark line
// yet. Cases: max * inner row, "supremum, no plan".
constexpr std::size_t kPeriodBytes = 256;

// The elements, lines and blocks of a call of join_lines, and the calls.
constexpr std::size_t kMaxLoops = 4;

// An input that is dense along the innermost loop, in the next one too if there is such an input; and the
// other one. Steps in elements.
struct Loops : PairLoops<kMaxLoops, std::size_t> {
  std::size_t dense = 0;  // which input is the first of the two

  const std::array<std::size_t, kMaxLoops>& DenseSteps() const { return step[dense]; }
  const std::array<std::size_t, kMaxLoops>& OtherSteps() const { return step[1 - dense]; }
  bool DenseIsContiguous() const { return extent[1] > 1 && DenseSteps()[1] == extent[0]; }

  // Each element of the other input, as often as a line is long. Where the dense input is contiguous, the
  // other one's step in the next loop is 1 if it is 0 in this one, and 0 if it is 1: else the two were
  // merged.
  bool OtherRepeats(std::size_t width) const {
    return DenseIsContiguous() && OtherSteps()[0] == 0 && extent[0] <= kernels::kMaxRepeatCount &&
           extent[0] * width < kMinScalarLineBytes;
  }
  // A call of a kernel for each line would take most of the time.
  bool HasManyShortLines(std::size_t width, std::size_t vector_bytes) const {
    const bool is_part = extent[0] * width < vector_bytes && vector_bytes < kMaskedVectorBytes;
    const std::size_t few = is_part ? kFewPartsOfVectors : kFewShortLines;
    return extent[0] * width < kMinLineBytes && extent[1] * extent[2] * extent[3] > few &&
           !OtherRepeats(width) && !OtherIsPeriodic(width);
  }
  // The same short row in each line.
  bool OtherIsPeriodic(std::size_t width) const {
    return DenseIsContiguous() && OtherSteps()[0] == 1 && extent[2] * extent[3] == 1 &&
           extent[0] * width < kPeriodBytes;
  }
};

// False if `output` is not the common shape, has more than kMaxBroadcastBytes, more than kMaxLoops loops, or
// many short lines. Writes to `loops`, which is new: a copy of it would wait for what was just written.
// Requires: no input has more dimensions than the output, which has elements.
bool FindLoops(const std::array<DimsView, 2>& inputs, DimsView output, std::size_t width, Loops& loops) {
  const std::size_t rank = output.size();
  std::size_t bytes = width;                     // of the output within the dimensions visited
  std::array<std::size_t, 2> elements = {1, 1};  // of each input
  for (std::size_t j = rank; j-- > 0;) {
    const std::int64_t extent = output[j];
    const std::int64_t a = AlignedExtent(inputs[0], rank, j), b = AlignedExtent(inputs[1], rank, j);
    const std::int64_t common = a == 1 ? b : a;
    if (common != extent || (b != common && b != 1)) return false;  // E2, BRO-2
    if (extent == 1) continue;
    if (!MultiplyUpTo<kMaxBroadcastBytes>(extent, bytes)) return false;
    const std::size_t steps = static_cast<std::size_t>(extent);
    const std::size_t a_step = a == 1 ? 0 : elements[0], b_step = b == 1 ? 0 : elements[1];
    if (a != 1) elements[0] *= steps;
    if (b != 1) elements[1] *= steps;
    if (!loops.Add(steps, {a_step, b_step})) return false;
  }
  const auto& [n, lines, blocks, calls] = loops.extent;
  const bool second_is_dense = loops.step[1][0] == 1;
  if (second_is_dense && (loops.step[0][0] != 1 || loops.step[1][1] == n)) loops.dense = 1;
  const bool many_short = n * width < kMinLineBytes && lines * blocks * calls > kMaxShortLines;
  if (many_short && !loops.OtherRepeats(width) && !loops.OtherIsPeriodic(width)) return false;
  return true;
}

// y = the maximum of two dense inputs, of which one may be y.
void JoinBroadcast(const kernels::RowKernels& row, std::size_t width,
                   const std::array<const std::byte*, 2>& data, const Loops& loops, std::byte* y) {
  const auto& [n, lines, blocks, calls] = loops.extent;
  const auto bytes = [&](std::size_t elements) { return static_cast<std::ptrdiff_t>(elements * width); };
  const std::byte* dense = data[loops.dense];
  const std::byte* other = data[1 - loops.dense];
  const auto &dense_step = loops.DenseSteps(), &other_step = loops.OtherSteps();

  if (loops.OtherIsPeriodic(width)) {  // lines of several copies of the row
    alignas(64) std::array<std::byte, 2 * kPeriodBytes> copies;
    const std::size_t periods = std::min(lines, kPeriodBytes / (n * width) + 1), part = periods * n;
    for (std::size_t k = 0; k < periods; ++k) std::memcpy(copies.data() + k * n * width, other, n * width);
    const kernels::Lines repeated{copies.data(), 0, 0, 1, false};
    const std::size_t whole = lines / periods, rest = lines % periods * n;
    row.join_lines({dense, 0, bytes(part), 1, false}, repeated, {y, 0, bytes(part), 1, whole, part, false});
    if (rest == 0) return;
    const std::ptrdiff_t done = bytes(whole * part);
    return row.join_lines({dense + done, 0, 0, 1, false}, repeated, {y + done, 0, 0, 1, 1, rest, false});
  }
  for (std::size_t k = 0; k < calls; ++k) {
    if (loops.OtherRepeats(width)) {  // lines of n x lines elements
      row.join_lines({dense, 0, bytes(dense_step[2]), 1, false}, {other, 0, bytes(other_step[2]), n, false},
                     {y, 0, bytes(n * lines), 1, blocks, n * lines, false});
    } else {
      row.join_lines({dense, bytes(dense_step[2]), bytes(dense_step[1]), 1, false},
                     {other, bytes(other_step[2]), bytes(other_step[1]), other_step[0] == 0 ? n : 1, false},
                     {y, bytes(n * lines), bytes(n), blocks, lines, n, false});
    }
    dense += bytes(dense_step[3]);
    other += bytes(other_step[3]);
    y += bytes(n * lines * blocks);
  }
}

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
    Loops loops;
    const bool found = FindLoops({inputs[0].shape, inputs[1].shape}, output.shape, width, loops);
    if ((!found || loops.HasManyShortLines(width, row.vector_bytes)) && JoinByPatterns(inputs, output))
      return true;
    if (found) JoinBroadcast(row, width, {data(0), data(1)}, loops, y);
    return found;
  }
  // The first is the one that may be the output itself, and is overwritten by the joins.
  std::optional<std::size_t> first;
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    if (SameDims(inputs[m].shape, output.shape) && (!first || inputs[m].data == output.data)) first = m;
  }
  if (!first) return JoinByPatterns(inputs, output);
  std::array<Loops, kMaxBroadcastInputs> loops;
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    if (!FindLoops({output.shape, inputs[m].shape}, output.shape, width, loops[m])) return false;
  }
  const std::byte* so_far = data(*first);
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    if (m == *first) continue;
    JoinBroadcast(row, width, {so_far, data(m)}, loops[m], y);
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
    const std::size_t tile = joined.size() / width;
    for (std::size_t begin = 0; begin < n; begin += tile) {
      row.join_many({data.data(), inputs.size(), static_cast<std::ptrdiff_t>(begin * width)}, joined.data(),
                    y + begin * width, std::min(tile, n - begin), false);
    }
  }
  return true;
}

}  // namespace supremum
