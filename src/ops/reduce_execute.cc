#include "ops/reduce_execute.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/walk.h"
#include "kernels/kernels.h"
#include "ops/expand.h"
#include "ops/parallel.h"
#include "ops/tuning.h"

namespace supremum {
namespace {

using Order = ReduceSchedule::Order;

// Some indices of the loop that threads share, ReduceSchedule::SharedExtent().
struct Share {
  std::int64_t begin, end;
};

// `line_elements` elements of the line in each of `blocks` blocks; the first one is at `source`.
struct Tile {
  const std::byte* source;
  std::int64_t line_elements, blocks;

  std::size_t Elements() const { return static_cast<std::size_t>(line_elements * blocks); }
};

// Computes tiles, on one thread or with several threads for each tile.
class TileRunner {
 public:
  explicit TileRunner(const ReduceSchedule& schedule) : s_(schedule) {}

  void RunTile(const Tile& tile, const kernels::MutableRow& y) const;

 private:
  std::ptrdiff_t Bytes(std::int64_t elements) const {
    return static_cast<std::ptrdiff_t>(elements) * static_cast<std::ptrdiff_t>(s_.width);
  }
  kernels::Block BlockOf(const Tile& tile, std::int64_t run) const;
  template <class Visit>
  void ForEachReduced(const Tile& tile, const Share& share, std::size_t loops, Visit visit) const;
  // Not inlined: its buffer would be part of the frame of every RunTile.
  [[gnu::noinline]] void RunShared(const Tile& tile, std::byte* acc) const;
  void Fold(const Tile& tile, const Share& share, std::byte* acc) const;
  [[gnu::noinline]] void ReduceScattered(const kernels::Block& runs, std::byte* acc) const;
  void FoldBlocksFirst(const Tile& tile, const Share& share, std::byte* acc) const;

  const ReduceSchedule& s_;
};

// Writes the maxima of one tile to `y`.
void TileRunner::RunTile(const Tile& tile, const kernels::MutableRow& y) const {
  if (s_.is_copy) return s_.row.copy({tile.source, Bytes(s_.line.source_step)}, y, tile.Elements());
  const Share all{0, s_.SharedExtent()};
  const bool is_dense = y.stride == Bytes(1) || tile.Elements() == 1;
  const bool is_aligned = (reinterpret_cast<std::uintptr_t>(y.data) & (s_.width - 1)) == 0;
  if (s_.threads_per_tile == 1 && is_dense && is_aligned) return Fold(tile, all, y.data);
  alignas(64) std::array<std::byte, kDefaultTuning.max_accumulator_bytes> acc;
  if (s_.threads_per_tile > 1) {
    RunShared(tile, acc.data());
  } else {
    Fold(tile, all, acc.data());
  }
  s_.row.copy({acc.data(), Bytes(1)}, y, tile.Elements());
}

// The accumulators of one tile, whose shares are folded by several threads.
void TileRunner::RunShared(const Tile& tile, std::byte* acc) const {
  alignas(64) std::array<std::byte, kDefaultTuning.max_tile_bytes> of_shares;
  const std::size_t shares = s_.threads_per_tile, elements = tile.Elements(), bytes = elements * s_.width;
  const std::size_t extent = static_cast<std::size_t>(s_.SharedExtent());
  ParallelFor(shares, shares, [&](std::size_t begin, std::size_t end) noexcept {
    for (std::size_t k = begin; k < end; ++k) {
      const Share share{static_cast<std::int64_t>(RangeBegin(k, shares, extent)),
                        static_cast<std::int64_t>(RangeBegin(k + 1, shares, extent))};
      Fold(tile, share, of_shares.data() + k * bytes);
    }
  });
  const std::ptrdiff_t dense = Bytes(1);
  s_.row.clear(acc, elements);
  for (std::size_t k = 0; k < shares; ++k) {
    s_.row.join({acc, dense}, {of_shares.data() + k * bytes, dense}, {acc, dense}, elements);
  }
}

// Folds a share of the reduced elements of a tile into its accumulators, which are overwritten.
void TileRunner::Fold(const Tile& tile, const Share& share, std::byte* acc) const {
  if (s_.fold_blocks_first) return FoldBlocksFirst(tile, share, acc);
  const bool share_of_run = s_.reduced.extents.empty();
  kernels::Block block = BlockOf(tile, share_of_run ? share.end - share.begin : s_.run.extent);
  const auto fold = s_.order == Order::kRuns ? s_.row.reduce_runs : s_.row.fold_rows;
  const bool scattered = s_.order == Order::kRuns && block.reduced_stride != Bytes(1) &&
                         Bytes(static_cast<std::int64_t>(block.reduced)) >= tuning.min_long_line_bytes;
  ForEachReduced(tile, share, s_.reduced.extents.rank(), [&](const std::byte* data) {
    block.data = data;
    scattered ? ReduceScattered(block, acc) : fold(block, acc);
    block.fresh = false;
  });
}

// Reduces runs whose elements are apart, from a buffer to which these are copied: that takes half of the time
// of reading them one by one.
void TileRunner::ReduceScattered(const kernels::Block& runs, std::byte* acc) const {
  alignas(64) std::array<std::byte, kDefaultTuning.max_accumulator_bytes + kExpandSlack> gathered;
  const std::size_t most =
      std::max<std::size_t>(1, static_cast<std::size_t>(tuning.max_accumulator_bytes) / s_.width);
  for (std::size_t b = 0; b < runs.blocks; ++b) {
    for (std::size_t j = 0; j < runs.kept; ++j, acc += s_.width) {
      const std::byte* const run = runs.data + static_cast<std::ptrdiff_t>(b) * runs.block_stride +
                                   static_cast<std::ptrdiff_t>(j) * runs.kept_stride;
      for (std::size_t i = 0; i < runs.reduced; i += most) {
        const std::size_t n = std::min(most, runs.reduced - i);
        s_.row.repeat({run + static_cast<std::ptrdiff_t>(i) * runs.reduced_stride, runs.reduced_stride}, n, 1,
                      gathered.data());
        s_.row.reduce_runs({gathered.data(), 0, Bytes(1), 1, n, runs.fresh && i == 0}, acc);
      }
    }
  }
}

// The same where fold_blocks_first: folds whole blocks as rows, and then the block that results.
void TileRunner::FoldBlocksFirst(const Tile& tile, const Share& share, std::byte* acc) const {
  alignas(64) std::array<std::byte, kDefaultTuning.max_accumulator_bytes> folded;
  const std::size_t last = s_.reduced.extents.rank() - 1;  // one call folds along this loop
  kernels::Block block = BlockOf(tile, s_.run.extent), rows = block;
  rows.kept_stride = Bytes(1);
  rows.kept = block.kept * block.reduced;
  rows.reduced_stride = Bytes(s_.reduced.source_steps[last]);
  rows.reduced = static_cast<std::size_t>(last == 0 ? share.end - share.begin : s_.reduced.extents[last]);
  ForEachReduced(tile, share, last, [&](const std::byte* data) {
    rows.data = data;
    s_.row.fold_rows(rows, folded.data());
    rows.fresh = false;
  });
  block.data = folded.data();
  block.block_stride = static_cast<std::ptrdiff_t>(rows.kept) * Bytes(1);
  (s_.order == Order::kRuns ? s_.row.reduce_runs : s_.row.fold_rows)(block, acc);
}

// The blocks of a tile with runs of `run` elements.
kernels::Block TileRunner::BlockOf(const Tile& tile, std::int64_t run) const {
  kernels::Block block{tile.source,
                       Bytes(s_.line.source_step),
                       Bytes(s_.run.source_step),
                       static_cast<std::size_t>(tile.line_elements),
                       static_cast<std::size_t>(run),
                       true};
  if (s_.blocks_per_tile > 1) {
    block.blocks = static_cast<std::size_t>(tile.blocks);
    block.block_stride = Bytes(s_.kept.source_steps[s_.kept.extents.rank() - 1]);
  }
  return block;
}

// Calls visit(data) for the share's first element at each index of the outermost `loops` reduced loops, of
// which the first is restricted to the share; once if there are none.
template <class Visit>
void TileRunner::ForEachReduced(const Tile& tile, const Share& share, std::size_t loops, Visit visit) const {
  const std::byte* const first = tile.source + Bytes(share.begin * s_.SharedStep());
  if (loops == 0) return visit(first);
  std::array<std::int64_t, kMaxRank> extents;
  std::copy_n(s_.reduced.extents.begin(), loops, extents.begin());
  extents[0] = share.end - share.begin;
  const DimsView steps = DimsView(s_.reduced.source_steps).first(loops);
  Walk<1> walk(DimsView(extents.data(), loops), {steps});
  do visit(first + Bytes(walk.offset(0)));
  while (walk.Next());
}

// Tiles are numbered along ReduceSchedule::tiles, the last loop fastest.
void RunTiles(const ReduceSchedule& schedule, const ReduceBindings& bindings, std::int64_t begin,
              std::int64_t end) {
  const TileRunner runner(schedule);
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(schedule.width);
  const std::ptrdiff_t output_stride = static_cast<std::ptrdiff_t>(schedule.line.output_step) * step;
  if (schedule.tile_count == 1) {  // without the walk, which takes a tenth of the time for 256 elements
    const std::int64_t blocks =
        schedule.blocks_per_tile > 1 ? schedule.kept.extents[schedule.kept.extents.rank() - 1] : 1;
    return runner.RunTile({bindings.source, schedule.line.extent, blocks}, {bindings.output, output_stride});
  }
  Walk<2> walk(schedule.tiles.extents, {schedule.tiles.source_steps, schedule.tiles.output_steps}, begin);
  const DimsView index = walk.index();
  for (std::int64_t i = begin; i < end; ++i) {
    if (i != begin) walk.Next();
    Tile tile{bindings.source + walk.offset(0) * step, schedule.line.extent, 1};
    // Tiles at the end of a loop can be smaller.
    if (schedule.blocks_per_tile > 1) {
      const std::int64_t extent = schedule.kept.extents[index.size() - 1];
      tile.blocks = std::min(schedule.blocks_per_tile, extent - index.back() * schedule.blocks_per_tile);
    } else {
      const std::int64_t done = index.back() * schedule.line_elements_per_tile;
      tile.line_elements = std::min(schedule.line_elements_per_tile, schedule.line.extent - done);
    }
    runner.RunTile(tile, {bindings.output + walk.offset(1) * step, output_stride});
  }
}

}  // namespace

void Execute(const ReduceSchedule& schedule, const ReduceBindings& bindings) noexcept {
  if (!schedule.has_elements) return;
  if (schedule.threads_per_tile > 1) return RunTiles(schedule, bindings, 0, schedule.tile_count);
  ParallelFor(schedule.threads, static_cast<std::size_t>(schedule.tile_count),
              [&](std::size_t begin, std::size_t end) noexcept {
                RunTiles(schedule, bindings, static_cast<std::int64_t>(begin),
                         static_cast<std::int64_t>(end));
              });
}

}  // namespace supremum
