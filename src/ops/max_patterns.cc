#include "ops/max_patterns.h"

#include <cstring>

namespace supremum {
namespace {

using Kind = kernels::PatternInput::Kind;

// A line that can be cut into so many lines is cut: what there is to do at each place of a line is then
// little beside joining. Chosen by estimate; no benchmark line yet. Cases: max * pairwise.
constexpr std::int64_t kMinCuts = 6;

// A number of elements, lines or blocks of a tile, all of which are in memory.
std::ptrdiff_t InTile(std::int64_t number) { return static_cast<std::ptrdiff_t>(number); }

}  // namespace

void PatternTileRunner::RunTile(const MaxTile& tile) {
  PatternInputs inputs;
  std::byte* windows = windows_.data();
  for (std::size_t k = 0; k < s_.input_count; ++k) inputs[k] = InputOf(k, tile, windows);
  const kernels::LinesTo output = tile.Output(s_, bindings_);
  const std::int64_t cuts = tile.parts / s_.cut_steps, rest = tile.parts % s_.cut_steps;
  if (cuts < kMinCuts || output.non_temporal || !CuttingPays(inputs, tile.lines, cuts)) {
    return s_.row.join_patterns(inputs.data(), s_.input_count, output);
  }
  for (std::int64_t block = 0; block < tile.blocks; ++block) {
    for (std::int64_t line = 0; line < tile.lines; ++line) {
      JoinPart(inputs, output, {InTile(block), InTile(line), 0}, {cuts, s_.cut_steps});
    }
  }
  if (rest == 0) return;
  for (std::int64_t block = 0; block < tile.blocks; ++block) {
    for (std::int64_t line = 0; line < tile.lines; ++line) {
      JoinPart(inputs, output, {InTile(block), InTile(line), InTile(cuts * s_.cut_steps)}, {1, rest});
    }
  }
}

// True if lines into which a tile's lines are cut take less time: fewer inputs differ from line to line, or
// as many do and there are more lines; or the tile has few lines.
bool PatternTileRunner::CuttingPays(const PatternInputs& inputs, std::int64_t lines,
                                    std::int64_t cuts) const {
  std::size_t differing = 0, differing_if_cut = 0;
  for (std::size_t k = 0; k < s_.input_count; ++k) {
    if (lines > 1 && inputs[k].line_stride != 0) ++differing;
    if (s_.nest.Steps(s_.inputs[k].index)[s_.line] != 0) ++differing_if_cut;
  }
  const bool many_lines = lines >= kMinCuts && differing_if_cut != differing;
  return many_lines ? differing_if_cut < differing : cuts >= lines;
}

// Joins lines, one behind the other, that begin at a step of a line of the tile.
void PatternTileRunner::JoinPart(const PatternInputs& inputs, const kernels::LinesTo& output,
                                 const Start& start, const Cut& cut) const {
  PatternInputs part = inputs;
  const auto start_of = [&](auto* data, std::ptrdiff_t block_stride, std::ptrdiff_t line_stride,
                            std::ptrdiff_t step) {
    return data + start.block * block_stride + start.line * line_stride + start.step * step;
  };
  for (std::size_t k = 0; k < s_.input_count; ++k) {
    const std::ptrdiff_t step = s_.Bytes(s_.nest.Steps(s_.inputs[k].index)[s_.line]);
    part[k].data = start_of(inputs[k].data, inputs[k].block_stride, inputs[k].line_stride, step);
    part[k].line_stride = InTile(cut.steps) * step;
  }
  const std::ptrdiff_t step = s_.Bytes(s_.part_elements);
  s_.row.join_patterns(
      part.data(), s_.input_count,
      {start_of(output.data, output.block_stride, output.line_stride, step), 0, InTile(cut.steps) * step, 1,
       static_cast<std::size_t>(cut.lines), static_cast<std::size_t>(cut.steps * s_.part_elements), false});
}

// Input k along a tile. Its windows, if it is read from windows, are written to `windows`, which is advanced.
kernels::PatternInput PatternTileRunner::InputOf(std::size_t k, const MaxTile& tile,
                                                 std::byte*& windows) const {
  const PatternReading& reading = s_.patterns[k];
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
