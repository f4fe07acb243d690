#include "ops/direct_strides.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/multiply.h"
#include "core/overlap.h"
#include "kernels/kernels.h"
#include "ops/max_schedule.h"
#include "ops/pair_loops.h"
#include "ops/tuning.h"

namespace supremum {
namespace {

// The elements, lines and blocks of a call of join_lines. Steps in bytes.
using Loops = PairLoops<3, std::ptrdiff_t>;

// True if pointers can be as far apart. Requires: 64 bits hold extent * step.
bool IsReached(std::size_t extent, std::int64_t step) {
  const std::int64_t reach = static_cast<std::int64_t>(extent) * step;
  return -PTRDIFF_MAX <= reach && reach <= PTRDIFF_MAX;
}

// False if there are too many loops or short lines, or too long steps. Writes to `loops`, which is new.
// Requires: the inputs have the output's shape, which has elements, and a RangeOf.
bool FindLoops(const std::array<const TensorView*, 2>& inputs, std::size_t width, Loops& loops) {
  const DimsView shape = inputs[0]->shape;
  std::size_t bytes = width;  // of the output within the dimensions visited, a dense input's step
  for (std::size_t d = shape.size(); d-- > 0;) {
    if (shape[d] == 1) continue;
    const std::size_t extent = static_cast<std::size_t>(shape[d]);
    std::array<std::ptrdiff_t, 2> steps;
    for (std::size_t m = 0; m < 2; ++m) {
      const DimsView strides = inputs[m]->strides;
      const std::int64_t step =
          strides.empty() ? static_cast<std::int64_t>(bytes) : strides[d] * static_cast<std::int64_t>(width);
      if (!IsReached(extent, step)) return false;
      steps[m] = static_cast<std::ptrdiff_t>(step);
    }
    if (!loops.Add(extent, steps)) return false;
    bytes *= extent;
  }
  const auto& [n, lines, blocks] = loops.extent;
  return n * width >= tuning.min_strided_line_bytes || lines * blocks <= tuning.max_short_strided_lines;
}

// True if the input's bytes are apart from the output's, or it is the output.
bool MayBeRead(const TensorView& input, const MutableTensorView& output, std::size_t bytes) {
  if (input.strides.empty()) {
    return FitsAddressSpace(input.data, bytes) &&
           (input.data == output.data || Apart(input.data, bytes, output.data, bytes));
  }
  if (input.strides.size() != input.shape.size()) return false;
  const std::optional<ByteRange> range =
      RangeOf({input.data, ByteWidth(input.dtype), input.shape, input.strides});
  return range && Apart(AddressAt(input.data, range->first),
                        static_cast<std::size_t>(range->last - range->first), output.data, bytes);
}

// Squares of the input whose neighbours along the lines' loop are neighbours in memory are transposed into a
// buffer.
void JoinTransposed(const kernels::RowKernels& row, std::size_t width, const std::byte* transposed,
                    const std::array<std::ptrdiff_t, 3>& step, const std::byte* dense,
                    const std::array<std::ptrdiff_t, 3>& dense_step, const Loops& loops, std::byte* y) {
  alignas(64) std::array<std::byte, MaxSchedule::kMaxTileBytes> square;
  const auto& [n, lines, blocks] = loops.extent;
  const auto bytes = [&](std::size_t elements) { return static_cast<std::ptrdiff_t>(elements * width); };
  const auto at = [](std::size_t index, std::ptrdiff_t s) { return static_cast<std::ptrdiff_t>(index) * s; };
  const std::size_t most_lines = std::min(MaxSchedule::SquareSide(width), lines);
  const std::size_t most_elements = std::max<std::size_t>(
      1, static_cast<std::size_t>(tuning.max_buffered_tile_bytes) / (most_lines * width));
  for (std::size_t block = 0; block < blocks; ++block) {
    for (std::size_t line = 0; line < lines; line += most_lines) {
      const std::size_t some_lines = std::min(most_lines, lines - line);
      for (std::size_t i = 0; i < n; i += most_elements) {
        const std::size_t some = std::min(most_elements, n - i);
        row.transpose(transposed + at(block, step[2]) + at(line, step[1]) + at(i, step[0]), step[0], some,
                      some_lines, square.data());
        row.join_lines({square.data(), 0, bytes(some), 1, false},
                       {dense + at(block, dense_step[2]) + at(line, dense_step[1]) + bytes(i), 0,
                        dense_step[1], 1, false},
                       {y + bytes((block * lines + line) * n + i), 0, bytes(n), 1, some_lines, some, false});
      }
    }
  }
}

}  // namespace

bool JoinWithStrides(const TensorView& a, const TensorView& b, const MutableTensorView& output) {
  const std::size_t width = ByteWidth(output.dtype);
  if (!SameDims(a.shape, output.shape) || !SameDims(b.shape, output.shape)) return false;
  std::size_t bytes = width;
  for (const std::int64_t extent : output.shape) {
    if (!MultiplyUpTo<kDefaultTuning.max_strided_bytes>(extent, bytes)) return false;
  }
  if (bytes > tuning.max_strided_bytes) return false;
  if (!MayBeRead(a, output, bytes) || !MayBeRead(b, output, bytes)) return false;
  Loops loops;
  if (!FindLoops({&a, &b}, width, loops)) return false;
  const std::ptrdiff_t element = static_cast<std::ptrdiff_t>(width);
  if (loops.count == 0) loops.step = {{{element, 0, 0}, {element, 0, 0}}};

  const std::size_t other = loops.step[0][0] == element ? 1 : 0;  // the one that need not be dense
  const auto &step = loops.step[other], &dense_step = loops.step[1 - other];
  if (dense_step[0] != element) return false;
  const std::byte* const x = static_cast<const std::byte*>((other == 0 ? a : b).data);
  const std::byte* const dense = static_cast<const std::byte*>((other == 0 ? b : a).data);
  std::byte* const y = static_cast<std::byte*>(output.data);
  const kernels::RowKernels& row = kernels::ActiveKernels().For(output.dtype);
  if (step[0] == element || step[0] == -element) {
    const auto& [n, lines, blocks] = loops.extent;
    const std::ptrdiff_t line_bytes = static_cast<std::ptrdiff_t>(n * width);
    row.join_lines({x, step[2], step[1], 1, step[0] != element},
                   {dense, dense_step[2], dense_step[1], 1, false},
                   {y, line_bytes * static_cast<std::ptrdiff_t>(lines), line_bytes, blocks, lines, n, false});
    return true;
  }
  if (step[0] == 0 || step[1] != element) return false;
  JoinTransposed(row, width, x, step, dense, dense_step, loops, y);
  return true;
}

}  // namespace supremum
