#include "ops/max_patterns.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "ops/join_patterns.h"
#include "ops/tuning.h"

namespace supremum {
namespace {

using Kind = kernels::PatternInput::Kind;

// A number of elements, lines or blocks of a tile, all of which are in memory.
std::ptrdiff_t InTile(std::int64_t number) { return static_cast<std::ptrdiff_t>(number); }

}  // namespace

void PatternTileRunner::RunTile(const MaxTile& tile) {
  PatternInputs inputs;
  std::byte* windows = windows_.data();
  for (std::size_t k = 0; k < s_.input_count; ++k) inputs[k] = InputOf(k, tile, windows);
  const kernels::LinesTo output = tile.Output(s_, bindings_);
  const std::int64_t cuts = tile.parts / s_.cut_steps, rest = tile.parts % s_.cut_steps;
  if (cuts < tuning.min_cuts || output.non_temporal || !CuttingPays(inputs, output, cuts)) {
    return Join(inputs, output);
  }
  for (std::int64_t block = 0; block < tile.blocks; ++block) {
    JoinCutLines(inputs, output, InTile(block), cuts);
  }
  if (rest == 0) return;
  // At least a vector, as far as there is one: shorter lines are joined one by one.
  const std::int64_t vector = static_cast<std::int64_t>(s_.row.vector_bytes),
                     step = s_.Bytes(s_.part_elements);
  const std::int64_t steps = std::max(rest, std::min(tile.parts, (vector + step - 1) / step));
  JoinRest(inputs, output, tile.parts - steps, steps);
}

void PatternTileRunner::Join(const PatternInputs& inputs, const kernels::LinesTo& y) const {
  JoinPatterns(s_.row, s_.width, std::span(inputs).first(s_.input_count), y);
}

// True if lines into which a tile's lines are cut take less time: the tile has few lines; or fewer inputs
// differ from line to line; or as many do, and there are more lines, or those of the tile share cache sets.
bool PatternTileRunner::CuttingPays(const PatternInputs& inputs, const kernels::LinesTo& output,
                                    std::int64_t cuts) const {
  const std::int64_t lines = static_cast<std::int64_t>(output.lines);
  std::size_t differing = 0, differing_if_cut = 0;
  for (std::size_t k = 0; k < s_.input_count; ++k) {
    if (lines > 1 && inputs[k].line_stride != 0) ++differing;
    if (StepOf(k) != 0) ++differing_if_cut;
  }
  if (lines >= tuning.min_cuts) {
    if (differing_if_cut != differing) return differing_if_cut < differing;
    if (differing_if_cut == 1 && output.line_stride % tuning.same_sets_bytes == 0) return true;
  }
  return cuts >= lines;
}

// Bytes from step to step of the tile's lines.
std::ptrdiff_t PatternTileRunner::StepOf(std::size_t k) const {
  return s_.Bytes(s_.nest.Steps(s_.inputs[k].index)[s_.line]);
}

// The lines of a block of the tile, each of which is a block of the lines into which it is cut.
void PatternTileRunner::JoinCutLines(const PatternInputs& inputs, const kernels::LinesTo& output,
                                     std::ptrdiff_t block, std::int64_t cuts) const {
  PatternInputs cut = inputs;
  for (std::size_t k = 0; k < s_.input_count; ++k) {
    cut[k].data += block * inputs[k].block_stride;
    cut[k].block_stride = inputs[k].line_stride;
    cut[k].line_stride = InTile(s_.cut_steps) * StepOf(k);
  }
  const std::int64_t n = s_.cut_steps * s_.part_elements;
  Join(cut, {output.data + block * output.block_stride, output.line_stride, s_.Bytes(n), output.lines,
             static_cast<std::size_t>(cuts), static_cast<std::size_t>(n), false});
}

// So many steps of the tile's lines, from step `first` on.
void PatternTileRunner::JoinRest(const PatternInputs& inputs, const kernels::LinesTo& output,
                                 std::int64_t first, std::int64_t steps) const {
  PatternInputs rest = inputs;
  for (std::size_t k = 0; k < s_.input_count; ++k) rest[k].data += InTile(first) * StepOf(k);
  kernels::LinesTo to = output;
  to.data += s_.Bytes(first * s_.part_elements);
  to.n = static_cast<std::size_t>(steps * s_.part_elements);
  Join(rest, to);
}

// Input k along a tile. Its windows, if it is read from windows, are written to `windows`, which is advanced.
kernels::PatternInput PatternTileRunner::InputOf(std::size_t k, const MaxTile& tile,
                                                 std::byte*& windows) const {
  const PatternReading& reading = (*s_.patterns)[k];
  const DimsView steps = s_.nest.Steps(s_.inputs[k].index);
  const std::byte* const first = bindings_.inputs[k] + tile.Distance(s_, steps);
  const std::ptrdiff_t block_stride = tile.BlockStride(s_, steps), line_stride = tile.LineStride(s_, steps);
  if (reading.kind != Kind::kWindow) {
    return {first, block_stride, line_stride, reading.kind, reading.pattern, s_.OrdersOf(k)};
  }
  const std::size_t period = reading.pattern.period * s_.width, room = period + s_.row.vector_bytes;
  const std::ptrdiff_t blocks = block_stride == 0 ? 1 : InTile(tile.blocks),
                       lines = line_stride == 0 ? 1 : InTile(tile.lines);
  const std::byte* const begin = windows;
  for (std::ptrdiff_t block = 0; block < blocks; ++block) {
    for (std::ptrdiff_t line = 0; line < lines; ++line, windows += room) {
      std::memcpy(windows, first + block * block_stride + line * line_stride, period);
      // A period has at least a vector; a shorter one is read by its orders.
      std::memcpy(windows + period, windows, room - period);
    }
  }
  const std::ptrdiff_t distance = static_cast<std::ptrdiff_t>(room);
  return {begin, blocks == 1 ? 0 : distance * lines, lines == 1 ? 0 : distance, reading.kind,
          reading.pattern};
}

}  // namespace supremum
