#include "ops/max_execute.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/walk.h"
#include "kernels/kernels.h"
#include "ops/expand.h"
#include "ops/parallel.h"

namespace supremum {
namespace {

// The first step of a tile along each loop up to the first of a line, and the tile's extents along the last
// three of them.
struct MaxTile {
  DimsView first;
  std::int64_t blocks, lines, parts;

  // The elements of a line.
  std::int64_t Length(const MaxSchedule& s) const { return parts * s.part_elements; }

  // Bytes from the nest's origin to the first element of the tile, from line to line, and from block to
  // block, of an operand with these steps.
  std::ptrdiff_t Distance(const MaxSchedule& s, DimsView steps) const {
    return s.Bytes(DistanceTo(first, steps));
  }
  static std::ptrdiff_t LineStride(const MaxSchedule& s, DimsView steps) {
    return s.line >= 1 ? s.Bytes(steps[s.line - 1]) : 0;
  }
  static std::ptrdiff_t BlockStride(const MaxSchedule& s, DimsView steps) {
    return s.line >= 2 ? s.Bytes(steps[s.line - 2]) : 0;
  }

  // The tile of the output.
  kernels::LinesTo Output(const MaxSchedule& s, const MaxBindings& bindings) const {
    const DimsView steps = s.nest.DrivingSteps();
    return {bindings.output + Distance(s, steps),
            BlockStride(s, steps),
            LineStride(s, steps),
            static_cast<std::size_t>(blocks),
            static_cast<std::size_t>(lines),
            static_cast<std::size_t>(Length(s)),
            bindings.non_temporal};
  }
};

// The temporary buffers of a thread, on its stack.
struct Buffers {
  // Elements of an input in the order of a tile: `parts` parts of each of `lines` lines of `blocks` blocks.
  struct Expanded {
    const std::byte* source = nullptr;  // the first of these elements; null if they are not to be reused
    std::int64_t blocks = 0, lines = 0, parts = 0;
    alignas(64) std::array<std::byte, MaxSchedule::kMaxTileBytes + kExpandSlack> bytes;
  };
  alignas(64) std::array<std::byte, MaxSchedule::kMaxTileBytes> joined;  // the maximum of the inputs so far
  std::array<Expanded, MaxSchedule::kMaxExpandBuffers> expanded;
};

template <class Visit>
void ForEachLine(std::size_t blocks, std::size_t lines, Visit visit) {
  for (std::size_t k = 0; k < blocks; ++k) {
    for (std::size_t j = 0; j < lines; ++j)
      visit(static_cast<std::ptrdiff_t>(k), static_cast<std::ptrdiff_t>(j));
  }
}

// Computes tiles, on one thread.
class TileRunner {
 public:
  // `buffers` may be null if the schedule needs none.
  TileRunner(const MaxSchedule& schedule, const MaxBindings& bindings, Buffers* buffers)
      : s_(schedule), bindings_(bindings), buffers_(buffers) {}

  void RunTile(const MaxTile& tile) const;

 private:
  std::ptrdiff_t Bytes(std::int64_t elements) const { return s_.Bytes(elements); }

  kernels::Lines LinesOf(std::size_t k, const MaxTile& tile) const;
  kernels::Lines ExpandedLinesOf(std::size_t k, const MaxTile& tile, const std::byte* first) const;
  void JoinStepped(const MaxTile& tile, const kernels::LinesTo& y) const;
  void CopyLines(const kernels::Lines& x, const kernels::LinesTo& y) const;
  void JoinInputsLikeOutput(const kernels::LinesTo& output, const kernels::LinesTo& joined,
                            const kernels::LinesTo& y) const;

  const MaxSchedule& s_;
  const MaxBindings& bindings_;
  Buffers* const buffers_;
};

// Joins all inputs along a tile, in an order that changes no bit (ORD-5). An element of the output is written
// after it has been read from all inputs, so that the output may be one of them (MEM-2).
void TileRunner::RunTile(const MaxTile& tile) const {
  const std::int64_t length = tile.Length(s_);
  const kernels::LinesTo output = tile.Output(s_, bindings_);
  if (s_.joined_step != 0) return JoinStepped(tile, output);
  if (s_.dense && s_.input_count == 1 && !bindings_.non_temporal) return CopyLines(LinesOf(0, tile), output);
  if (s_.dense && s_.input_count <= 2) {
    const kernels::Lines first = LinesOf(0, tile);
    return s_.row.join_lines(first, s_.input_count == 2 ? LinesOf(1, tile) : first, output);
  }

  const kernels::LinesTo joined{buffers_->joined.data(),
                                Bytes(tile.lines * length),
                                Bytes(length),
                                output.blocks,
                                output.lines,
                                output.n,
                                false};
  const kernels::Lines joined_lines{joined.data, joined.block_stride, joined.line_stride, 1, false};
  const auto target = [&](bool is_last) -> const kernels::LinesTo& {
    if (is_last && s_.dense) return output;
    return joined;
  };
  std::size_t k = 1;
  kernels::Lines so_far = joined_lines;
  if (s_.inputs_like_output > 2) {
    k = s_.inputs_like_output;
    JoinInputsLikeOutput(output, joined, target(k == s_.input_count));
  } else {
    so_far = LinesOf(0, tile);
  }
  for (; k < s_.input_count; ++k) {
    s_.row.join_lines(so_far, LinesOf(k, tile), target(k + 1 == s_.input_count));
    so_far = joined_lines;
  }
  if (!s_.dense) {
    s_.row.copy({so_far.data, Bytes(1)}, {output.data, Bytes(s_.nest.DrivingSteps().back())}, output.n);
  }
}

// Input k of the schedule along a tile, as kernels read it.
kernels::Lines TileRunner::LinesOf(std::size_t k, const MaxTile& tile) const {
  const MaxSchedule::Input& input = s_.inputs[k];
  const DimsView steps = s_.nest.Steps(input.index);
  const std::byte* const first = bindings_.inputs[k] + tile.Distance(s_, steps);
  if (!input.reading.IsInPlace()) return ExpandedLinesOf(k, tile, first);
  const bool backwards = input.reading.IsBackwards();
  return {first, tile.BlockStride(s_, steps), tile.LineStride(s_, steps),
          backwards ? 1 : input.reading.repeat_count, backwards};
}

// Expands input k, whose first element of the tile is `first`, unless its buffer has these elements already.
// Blocks and lines with step 0 are expanded once.
kernels::Lines TileRunner::ExpandedLinesOf(std::size_t k, const MaxTile& tile, const std::byte* first) const {
  const MaxSchedule::Input& input = s_.inputs[k];
  const DimsView steps = s_.nest.Steps(input.index);
  const std::int64_t blocks = tile.BlockStride(s_, steps) == 0 ? 1 : tile.blocks;
  const std::int64_t lines = tile.LineStride(s_, steps) == 0 ? 1 : tile.lines;
  const std::int64_t length = tile.Length(s_);
  Buffers::Expanded& buffer = buffers_->expanded[input.buffer];
  const kernels::Lines expanded{buffer.bytes.data(), blocks == 1 ? 0 : Bytes(lines * length),
                                lines == 1 ? 0 : Bytes(length), 1, false};
  const bool same_extents = buffer.blocks == blocks && buffer.lines == lines && buffer.parts == tile.parts;
  if (buffer.source == first && same_extents) return expanded;

  std::array<std::int64_t, kMaxRank> loop_extents, loop_steps;
  std::size_t rank = 0;
  const auto add_loop = [&](std::int64_t extent, std::int64_t step) {
    loop_extents[rank] = extent;
    loop_steps[rank++] = step;
  };
  if (blocks > 1) add_loop(blocks, steps[s_.line - 2]);
  if (lines > 1) add_loop(lines, steps[s_.line - 1]);
  add_loop(tile.parts, steps[s_.line]);  // a nest without loops has one element, which is read in place
  for (std::size_t d = s_.line + 1; d < s_.nest.rank(); ++d) add_loop(s_.nest.extents()[d], steps[d]);
  Expand(s_.row, s_.width, first, {loop_extents.data(), rank}, {loop_steps.data(), rank},
         buffer.bytes.data());
  buffer.source = input.owns_buffer ? first : nullptr;
  buffer.blocks = blocks;
  buffer.lines = lines;
  buffer.parts = tile.parts;
  return expanded;
}

// Joins both inputs line by line, which have the schedule's joined_step.
void TileRunner::JoinStepped(const MaxTile& tile, const kernels::LinesTo& y) const {
  const auto row_of = [&](std::size_t k, std::ptrdiff_t block, std::ptrdiff_t line) {
    const DimsView steps = s_.nest.Steps(s_.inputs[k].index);
    return kernels::Row{bindings_.inputs[k] + tile.Distance(s_, steps) + block * tile.BlockStride(s_, steps) +
                            line * tile.LineStride(s_, steps),
                        Bytes(s_.joined_step)};
  };
  ForEachLine(y.blocks, y.lines, [&](std::ptrdiff_t block, std::ptrdiff_t line) {
    s_.row.join(row_of(0, block, line), row_of(1, block, line),
                {y.data + block * y.block_stride + line * y.line_stride, Bytes(1)}, y.n);
  });
}

// Copies in canonical form. Requires: x is dense.
void TileRunner::CopyLines(const kernels::Lines& x, const kernels::LinesTo& y) const {
  ForEachLine(y.blocks, y.lines, [&](std::ptrdiff_t block, std::ptrdiff_t line) {
    s_.row.copy({x.data + block * x.block_stride + line * x.line_stride, Bytes(1)},
                {y.data + block * y.block_stride + line * y.line_stride, Bytes(1)}, y.n);
  });
}

// Writes the maximum of the inputs with the output's steps along the tile `output` to `y`, which is `output`
// or `joined`. `joined` is the buffer for the maximum of the inputs of earlier passes.
void TileRunner::JoinInputsLikeOutput(const kernels::LinesTo& output, const kernels::LinesTo& joined,
                                      const kernels::LinesTo& y) const {
  const std::ptrdiff_t distance = output.data - bindings_.output;  // the same for all these inputs
  ForEachLine(y.blocks, y.lines, [&](std::ptrdiff_t block, std::ptrdiff_t line) {
    const auto place = [&](const kernels::LinesTo& lines) {
      return block * lines.block_stride + line * lines.line_stride;
    };
    s_.row.join_many({bindings_.inputs.data(), s_.inputs_like_output, distance + place(output)},
                     joined.data + place(joined), y.data + place(y), y.n, y.non_temporal);
  });
}

// Tiles are numbered along the loops up to the first of a line, the last loop fastest.
template <class Runner>
void RunTiles(const MaxSchedule& schedule, const MaxBindings& bindings, std::int64_t begin, std::int64_t end,
              Runner& runner) {
  const std::size_t loops = schedule.tile_extents.rank();
  const auto run_tile = [&](DimsView first) {
    // Tiles at the end of a loop can be smaller.
    const auto extent_of_loop = [&](std::size_t from_the_last) {
      if (loops < from_the_last) return std::int64_t{1};
      const std::size_t d = loops - from_the_last;
      return std::min(schedule.tile_extents[d], schedule.nest.extents()[d] - first[d]);
    };
    runner.RunTile({first, extent_of_loop(3), extent_of_loop(2), extent_of_loop(1)});
  };
  if (schedule.tile_count == 1) {  // small tensors: without the walk
    static constexpr std::array<std::int64_t, kMaxRank> kOrigin = {};
    run_tile(DimsView(kOrigin).first(loops));
    if (bindings.non_temporal) kernels::StoreFence();
    return;
  }
  Walk<0> walk(schedule.tile_counts, {}, begin);
  const DimsView index = walk.index();
  std::array<std::int64_t, kMaxRank> first;
  for (std::int64_t tile = begin; tile < end; ++tile) {
    if (tile != begin) walk.Next();
    for (std::size_t d = 0; d < loops; ++d) first[d] = index[d] * schedule.tile_extents[d];
    run_tile(DimsView(first.data(), loops));
  }
  if (bindings.non_temporal) kernels::StoreFence();
}

// A function of its own, so that a run has only the buffers that it needs on its stack.
void RunWithBuffers(const MaxSchedule& schedule, const MaxBindings& bindings, std::int64_t begin,
                    std::int64_t end) {
  Buffers buffers;
  const TileRunner runner(schedule, bindings, &buffers);
  RunTiles(schedule, bindings, begin, end, runner);
}

}  // namespace

void Execute(const MaxSchedule& schedule, const MaxBindings& bindings) noexcept {
  if (!schedule.has_elements) return;
  if (schedule.one_join != 0) {  // small tensors: what is around a tile takes longer than the tile
    const auto& strides = schedule.one_join_strides;
    return schedule.row.join({bindings.inputs[0], strides[0]}, {bindings.inputs[1], strides[1]},
                             {bindings.output, schedule.Bytes(1)}, schedule.one_join);
  }
  const auto run = [&](std::size_t begin, std::size_t end) noexcept {
    const std::int64_t first = static_cast<std::int64_t>(begin), last = static_cast<std::int64_t>(end);
    if (schedule.needs_buffer) return RunWithBuffers(schedule, bindings, first, last);
    const TileRunner runner(schedule, bindings, nullptr);
    RunTiles(schedule, bindings, first, last, runner);
  };
  ParallelFor(schedule.threads, static_cast<std::size_t>(schedule.tile_count), run);
}

}  // namespace supremum
