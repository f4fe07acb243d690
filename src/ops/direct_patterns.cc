#include "ops/direct_patterns.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/align.h"
#include "kernels/kernels.h"
#include "ops/join_patterns.h"
#include "ops/pattern_reading.h"

namespace supremum {
namespace {

using kernels::PatternInput;

constexpr std::size_t kMaxLoops = 4;
using Steps = std::array<std::int64_t, kMaxLoops>;

// Over the output's dimensions, merged, the outermost loop first: the last `count` of kMaxLoops are used.
// Steps in elements, 0 where an input is broadcast.
struct Loops {
  std::size_t count = 0;
  Steps extents, output;
  std::array<Steps, kernels::kMaxPatternInputs> inputs;

  DimsView Used(const Steps& steps) const { return {steps.data() + kMaxLoops - count, count}; }
};

std::optional<Loops> LoopsOf(std::span<const TensorView> inputs, DimsView shape) {
  Loops loops;
  std::int64_t output_elements = 1;
  std::array<std::int64_t, kernels::kMaxPatternInputs> elements;
  elements.fill(1);
  for (std::size_t j = shape.size(); j-- > 0;) {
    const std::int64_t extent = shape[j];
    const std::size_t inner = kMaxLoops - loops.count, place = inner - 1;  // of the loop inside, and this one
    bool is_common = false, merges = loops.count > 0;
    std::array<std::int64_t, kernels::kMaxPatternInputs> steps;
    for (std::size_t m = 0; m < inputs.size(); ++m) {
      const std::int64_t own = AlignedExtent(inputs[m].shape, shape.size(), j);
      if (own != 1 && own != extent) return std::nullopt;  // BRO-2, E2
      is_common = is_common || own == extent;
      steps[m] = own == 1 ? 0 : elements[m];
      elements[m] *= own;
      merges = merges && steps[m] == loops.inputs[m][inner] * loops.extents[inner];
    }
    if (!is_common) return std::nullopt;  // E2
    if (extent == 1) continue;
    if (merges) {
      loops.extents[inner] *= extent;
    } else {
      if (loops.count == kMaxLoops) return std::nullopt;
      ++loops.count;
      loops.extents[place] = extent;
      loops.output[place] = output_elements;
      for (std::size_t m = 0; m < inputs.size(); ++m) loops.inputs[m][place] = steps[m];
    }
    output_elements *= extent;
  }
  return loops;
}

}  // namespace

bool JoinByPatterns(std::span<const TensorView> inputs, const MutableTensorView& output) {
  const kernels::RowKernels& row = kernels::ActiveKernels().For(output.dtype);
  if (row.join_patterns == nullptr) return false;
  const std::optional<Loops> loops = LoopsOf(inputs, output.shape);
  if (!loops) return false;
  const VectorSize size{ByteWidth(output.dtype), row.vector_bytes};
  const DimsView extents = loops->Used(loops->extents), output_steps = loops->Used(loops->output);
  std::array<PatternReading, kernels::kMaxPatternInputs> readings;
  const auto all_are_read = [&](std::size_t line) {
    for (std::size_t m = 0; m < inputs.size(); ++m) {
      const DimsView steps = loops->Used(loops->inputs[m]).subspan(line);
      const auto reading = PatternReadingOf(extents.subspan(line), steps, size);
      if (!reading || reading->kind == PatternInput::Kind::kWindow) return false;
      readings[m] = *reading;
    }
    return true;
  };
  const std::optional<std::size_t> line = LineOfPatterns(extents, output_steps, size, all_are_read);
  if (!line) return false;
  all_are_read(*line);  // sets `readings`

  const auto bytes = [&](std::int64_t elements) {
    return static_cast<std::ptrdiff_t>(elements) * static_cast<std::ptrdiff_t>(size.width);
  };
  alignas(64) std::array<std::array<std::byte, kernels::kMaxOrdersBytes>, kernels::kMaxPatternInputs> orders;
  std::array<PatternInput, kernels::kMaxPatternInputs> read;
  // The loops around a line: its own first one if the line is cut, lines, blocks.
  std::int64_t part = 1;
  for (const std::int64_t extent : extents.subspan(*line + 1)) part *= extent;
  const std::int64_t parts = extents[*line];
  std::int64_t cut = parts;
  if (*line == 0) cut = std::min(parts, CutSteps(bytes(part)));
  const bool is_cut = cut < parts;
  const std::size_t outer = *line;
  const auto outer_extent = [&](std::size_t from_line) {
    return outer >= from_line ? extents[outer - from_line] : std::int64_t{1};
  };
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    const DimsView steps = loops->Used(loops->inputs[m]);
    const auto outer_step = [&](std::size_t from_line) {
      return outer >= from_line ? bytes(steps[outer - from_line]) : 0;
    };
    read[m] = {static_cast<const std::byte*>(inputs[m].data),
               outer_step(2),
               is_cut ? bytes(cut * steps[*line]) : outer_step(1),
               readings[m].kind,
               readings[m].pattern,
               orders[m].data()};
    if (readings[m].kind != PatternInput::Kind::kOrders) continue;
    kernels::WriteOrders(readings[m].pattern, size.width, size.vector_bytes, orders[m].data());
  }
  if (cut * part > static_cast<std::int64_t>(kernels::kMaxPatternLineElements)) return false;
  std::byte* y = static_cast<std::byte*>(output.data);
  const std::int64_t lines = is_cut ? parts / cut : outer_extent(1), length = cut * part;
  const auto join = [&](std::int64_t line_count, std::int64_t n) {
    JoinPatterns(row, size.width, std::span(read).first(inputs.size()),
                 {y, bytes(lines * length), bytes(length), static_cast<std::size_t>(outer_extent(2)),
                  static_cast<std::size_t>(line_count), static_cast<std::size_t>(n), false});
  };
  for (std::int64_t left = outer_extent(3);;) {
    join(lines, length);
    if (--left == 0) break;  // after the last call, the pointers would leave the objects
    y += bytes(output_steps[outer - 3]);
    for (std::size_t m = 0; m < inputs.size(); ++m) {
      read[m].data += bytes(loops->Used(loops->inputs[m])[outer - 3]);
    }
  }
  if (is_cut && parts % cut != 0) {  // what is left of the line
    y += bytes(lines * length);
    for (std::size_t m = 0; m < inputs.size(); ++m) read[m].data += lines * read[m].line_stride;
    join(1, parts % cut * part);
  }
  return true;
}

}  // namespace supremum
