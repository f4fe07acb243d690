#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "core/axes.h"
#include "core/out_of_memory.h"
#include "core/walk.h"
#include "ops/parallel.h"
#include "stream/buffers.h"
#include "stream/stream.h"
#include "stream/write_behind.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"

namespace supremum::stream {
namespace {

// Maximum number of workers: more do not read faster, since the memory bandwidth is used up.
constexpr std::size_t kMaxReducers = 8;

// In steps: the share of a worker between two barriers, and the minimum share of an additional worker.
constexpr std::int64_t kStepsPerShare = 32;
constexpr std::int64_t kMinStepsPerReducer = 4;

using Axes = std::optional<std::span<const std::int64_t>>;

// All boxes have the source's rank; in those of the output, a reduced dimension has extent 1.
struct Tile {
  std::int64_t position = 0;  // of its first element in the output
  Box box;
  Box from;                // what makes it up
  std::int64_t total = 0;  // elements of that
};

// A worker: reads steps and joins their maxima.
struct Reducer {
  Tensor read;
  Tensor maxima;  // of a step
  Tensor own;     // the maxima of its share; the first worker uses the tile itself
};

class ReduceMaxStream {
 public:
  ReduceMaxStream(const Source& source, const Axes& axes, Output& output, const StreamOptions& options)
      : source_(source),
        axes_(axes),
        output_(output),
        options_(options),
        reduced_(*ResolveAxes(axes, source.shape().rank(), ReduceMaxVersion::kSupremum, {})),
        kept_(ReducedShape(source.shape(), reduced_, true)) {
    // Max has no bool; as uint8, false < true as well.
    join_dtype_ = source.dtype() == DType::kBool ? DType::kUInt8 : source.dtype();
    // Writing a few elements in a background thread costs more than it saves.
    const bool large = output.elements() > ElementCount(source.shape()).value_or(0) / 16;
    threaded_ = options.threads != 1 && large;
  }

  Result<void> Run();

 private:
  Result<void> TakeMemory();
  Tile TileAt(std::int64_t position) const;
  std::optional<Tile> After(const Tile& tile) const;
  Box StepAt(const Tile& tile, std::int64_t done, std::int64_t most) const;
  Result<void> FillWithIdentity(std::span<std::byte> tile) const;
  Result<void> Share(Reducer& reducer, const Tile& tile, std::int64_t begin, std::int64_t end,
                     std::span<std::byte> into) const;
  Result<void> Join(Reducer& reducer, const Tile& tile, const Box& step, std::span<std::byte> into) const;
  Result<void> Join(std::span<std::byte> tile, const Reducer& reducer) const;
  Result<std::int64_t> ReduceShares(const Tile& tile, std::int64_t done, std::span<std::byte> into);
  Result<void> Work(WriteBehind& behind);
  bool ReadsAhead() const;
  void Announce(std::int64_t elements);
  void Report(const Tile& tile, std::int64_t done) const;
  std::size_t BytesOfTile(const Tile& tile) const {
    return static_cast<std::size_t>(tile.box.Count()) * ByteWidth(source_.dtype());
  }

  const Source& source_;
  const Axes& axes_;
  Output& output_;
  const StreamOptions& options_;
  AxisSet reduced_;
  Shape kept_;  // the output's shape with reduced dimensions kept
  DType join_dtype_;
  bool threaded_ = false;  // writing
  std::int64_t step_ = 0;  // most elements of a step
  std::int64_t tile_ = 0;  // and of a tile
  std::vector<Reducer> reducers_;
  std::array<Tensor, 2> outputs_;
  // Read-ahead position: tile and elements already announced to the system; empty if none.
  std::optional<Tile> announced_;
  std::int64_t announced_in_tile_ = 0;
  std::int64_t ahead_ = 0;
};

Result<void> ReduceMaxStream::TakeMemory() {
  const std::int64_t width = static_cast<std::int64_t>(ByteWidth(source_.dtype()));
  const std::int64_t bytes = options_.buffer_bytes;
  // Two tiles of the output; each worker has its step, its maxima, and a tile, except the first.
  const auto buffers = [](std::size_t reducers) { return 1 + 3 * static_cast<std::int64_t>(reducers); };
  std::size_t reducers = std::min(ThreadCount(options_.threads), kMaxReducers);
  while (reducers > 1 && bytes / buffers(reducers) < kLeastBuffer) --reducers;
  const Result<std::int64_t> size = BufferSize(bytes, LeastBufferBytesOfReduceMax(), buffers(reducers), true);
  if (!size) return size.error();
  // A tile stays in the cache together with the step. But in a file with the first dimension innermost, a
  // larger tile makes the runs of its elements longer.
  const std::int64_t own = static_cast<std::int64_t>(reducers) + 1;
  const std::int64_t spare = bytes - 2 * static_cast<std::int64_t>(reducers) * *size;
  step_ = std::min(*size / width, std::max<std::int64_t>(ElementCount(source_.shape()).value_or(0), 1));
  tile_ = std::min((source_.columns_first() ? spare / own : *size) / width, output_.elements());
  threaded_ = threaded_ && tile_ < output_.elements();  // a single tile leaves nothing to do meanwhile
  for (std::size_t i = 0; i < reducers; ++i) {
    Reducer& reducer = reducers_.emplace_back();
    for (const auto& [buffer, elements] :
         {std::pair(&reducer.read, step_), std::pair(&reducer.maxima, std::min(step_, tile_)),
          std::pair(&reducer.own, i == 0 ? 0 : tile_)}) {
      Result<Tensor> made = MakeBuffer(source_.dtype(), elements);
      if (!made) return made.error();
      *buffer = *std::move(made);
    }
  }
  Result<std::array<Tensor, 2>> made =
      MakeOutputBuffers(source_.dtype(), tile_, threaded_ ? spare - (own - 2) * tile_ * width : 0);
  if (!made) return made.error();
  outputs_ = *std::move(made);
  return {};
}

Tile ReduceMaxStream::TileAt(std::int64_t position) const {
  Tile tile{position, NextBox(kept_, position, tile_), {}, 0};
  tile.from = tile.box;
  for (std::size_t d = 0; d < kept_.rank(); ++d) {
    if (reduced_.Has(d)) tile.from.extent[d] = source_.shape()[d];
  }
  tile.total = tile.from.Count();
  return tile;
}

std::optional<Tile> ReduceMaxStream::After(const Tile& tile) const {
  const std::int64_t next = tile.position + tile.box.Count();
  if (next == output_.elements()) return std::nullopt;
  return TileAt(next);
}

/// The step after the first `done` elements that a tile is reduced from, in the file's order, so that each
/// read is contiguous.
Box ReduceMaxStream::StepAt(const Tile& tile, std::int64_t done, std::int64_t most) const {
  const bool reverse = source_.columns_first();
  Shape extents = tile.from.extent;
  if (reverse) std::ranges::reverse(extents);
  Box step = NextBox(extents, done, most);
  if (reverse) {
    std::ranges::reverse(step.first);
    std::ranges::reverse(step.extent);
  }
  for (std::size_t d = 0; d < step.first.rank(); ++d) step.first[d] += tile.from.first[d];
  return step;
}

/// True if the system reads ahead by itself: not if steps leave gaps in the file, as for a tile that is a
/// part of each row, nor if several workers read.
bool ReduceMaxStream::ReadsAhead() const {
  if (source_.columns_first()) return true;
  if (reducers_.size() > 1) return false;
  const Tile tile = TileAt(0);
  if (tile.total == 0) return true;
  const Box first = StepAt(tile, 0, step_);
  if (first.Count() == tile.total) return true;
  const Shape strides = RowMajorStrides(source_.shape());
  const Box second = StepAt(tile, first.Count(), step_);
  return DistanceTo(second.first, strides) == DistanceTo(first.first, strides) + first.Count();
}

/// Announces steps until `elements` elements are announced and not yet read.
void ReduceMaxStream::Announce(std::int64_t elements) {
  while (announced_ && ahead_ < elements) {
    if (announced_in_tile_ == announced_->total) {
      announced_ = After(*announced_);
      announced_in_tile_ = 0;
      continue;
    }
    const Box step = StepAt(*announced_, announced_in_tile_, step_);
    source_.Announce(step);
    announced_in_tile_ += step.Count();
    ahead_ += step.Count();
  }
}

/// Fills the tile with the identity element of Join: the maximum of no elements (RED-6).
Result<void> ReduceMaxStream::FillWithIdentity(std::span<std::byte> tile) const {
  const std::int64_t count =
      static_cast<std::int64_t>(tile.size()) / static_cast<std::int64_t>(ByteWidth(source_.dtype()));
  const Shape no_rows{0, count}, shape{count};
  const std::int64_t first[] = {0};
  return ReduceMax(TensorView{source_.dtype(), no_rows, {}, nullptr},
                   MutableTensorView{source_.dtype(), shape, {}, tile.data()},
                   {.axes = first, .keepdims = false, .threads = 1});
}

/// Joins the maxima of a step, which the worker has read, to the tile.
Result<void> ReduceMaxStream::Join(Reducer& reducer, const Tile& tile, const Box& step,
                                   std::span<std::byte> into) const {
  const Shape from_strides = source_.DenseStrides(step.extent);
  const TensorView from{source_.dtype(), step.extent, from_strides, reducer.read.data()};
  // The place of its maxima in the tile.
  Shape extent = step.extent, away = step.first;
  bool first = true, single = true;
  for (std::size_t d = 0; d < extent.rank(); ++d) {
    away[d] -= tile.from.first[d];
    if (!reduced_.Has(d)) continue;
    first = first && away[d] == 0;
    single = single && extent[d] == 1;
    extent[d] = 1;
    away[d] = 0;
  }
  const Shape strides = RowMajorStrides(tile.box.extent);
  const MutableTensorView place =
      From(MutableTensorView{source_.dtype(), extent, strides, into.data()}, DistanceTo(away, strides));
  const ReduceMaxOptions options{.axes = axes_, .keepdims = true, .threads = 1};
  if (first) return ReduceMax(from, place, options);
  MutableTensorView joined = place;
  joined.dtype = join_dtype_;
  TensorView maxima = from;
  if (!single) {
    const MutableTensorView step_maxima{source_.dtype(), extent, {}, reducer.maxima.data()};
    if (auto done = ReduceMax(from, step_maxima, options); !done) return done;
    maxima = step_maxima;
  }
  maxima.dtype = join_dtype_;
  return Max({joined, maxima}, joined, {.threads = 1});
}

/// Joins another worker's maxima to the tile.
Result<void> ReduceMaxStream::Join(std::span<std::byte> tile, const Reducer& reducer) const {
  const Shape shape{static_cast<std::int64_t>(tile.size()) /
                    static_cast<std::int64_t>(ByteWidth(source_.dtype()))};
  const MutableTensorView joined{join_dtype_, shape, {}, tile.data()};
  return Max({joined, TensorView{join_dtype_, shape, {}, reducer.own.data()}}, joined, {.threads = 1});
}

/// One worker's share: the elements from `begin` to `end` of those that the tile is reduced from.
Result<void> ReduceMaxStream::Share(Reducer& reducer, const Tile& tile, std::int64_t begin, std::int64_t end,
                                    std::span<std::byte> into) const {
  while (begin < end) {
    const Box step = StepAt(tile, begin, std::min(step_, end - begin));
    if (auto done = source_.Read(step, BytesOf(reducer.read, step.Count())); !done) return done;
    if (auto done = Join(reducer, tile, step, into); !done) return done;
    begin += step.Count();
  }
  return {};
}

/// Each worker reduces one share of the tile; the shares are consecutive in the file. Returns how much is
/// done then.
Result<std::int64_t> ReduceMaxStream::ReduceShares(const Tile& tile, std::int64_t done,
                                                   std::span<std::byte> into) {
  const std::int64_t left = tile.total - done;
  // The share of each further worker costs two additional passes over a tile.
  const std::int64_t worth = kMinStepsPerReducer * std::max(step_, tile.box.Count());
  const std::int64_t shares =
      std::clamp(left / worth, std::int64_t{1}, static_cast<std::int64_t>(reducers_.size()));
  // A single worker needs no barrier.
  const std::int64_t most = shares == 1 ? step_ : std::max(kStepsPerShare * step_, worth);
  const std::int64_t share = std::min((left + shares - 1) / shares, most);
  const std::int64_t elements = std::min(left, shares * share);
  Announce(elements + kStepsPerShare * step_);
  std::vector<Result<void>> results(static_cast<std::size_t>(shares));
  ParallelFor(results.size(), results.size(), [&](std::size_t first, std::size_t last) noexcept {
    for (std::size_t i = first; i < last; ++i) {
      const std::int64_t begin = done + static_cast<std::int64_t>(i) * share;
      const std::int64_t end = std::min(begin + share, tile.total);
      results[i] = OrOutOfMemory([&]() -> Result<void> {
        if (i == 0) return Share(reducers_[0], tile, begin, end, into);
        const std::span<std::byte> own = BytesOf(reducers_[i].own, tile.box.Count());
        if (auto filled = FillWithIdentity(own); !filled) return filled;
        return Share(reducers_[i], tile, begin, end, own);
      });
    }
  });
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i]) return results[i].error();
    if (i == 0) continue;
    if (auto joined = Join(into, reducers_[i]); !joined) return joined.error();
  }
  ahead_ -= elements;
  return done + elements;
}

void ReduceMaxStream::Report(const Tile& tile, std::int64_t done) const {
  if (!options_.on_progress) return;
  const double part = tile.total == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(tile.total);
  options_.on_progress((static_cast<double>(tile.position) + static_cast<double>(tile.box.Count()) * part) /
                       static_cast<double>(output_.elements()));
}

Result<void> ReduceMaxStream::Work(WriteBehind& behind) {
  std::optional<Tile> tile = TileAt(0);
  if (!ReadsAhead()) announced_ = tile;
  for (; tile; tile = After(*tile)) {
    const Result<std::span<std::byte>> room = behind.Room(BytesOfTile(*tile));
    if (!room) return room.error();
    // A tile of one step needs no initial value.
    if (tile->total == 0 || tile->total > step_) {
      if (auto filled = FillWithIdentity(*room); !filled) return filled;
    }
    for (std::int64_t done = 0; done < tile->total;) {
      const Result<std::int64_t> now = ReduceShares(*tile, done, *room);
      if (!now) return now.error();
      done = *now;
      if (done < tile->total) Report(*tile, done);
    }
    if (auto appended = behind.Append(); !appended) return appended;
    Report(*tile, tile->total);
  }
  return behind.Flush();
}

Result<void> ReduceMaxStream::Run() {
  if (output_.elements() == 0) return {};
  if (auto done = TakeMemory(); !done) return done;
  WriteBehind behind(output_, threaded_, std::move(outputs_));
  return Work(behind);
}

}  // namespace

std::int64_t LeastBufferBytesOfReduceMax() { return 4 * kLeastBuffer; }

Result<void> StreamReduceMax(const Source& source, const Axes& axes, Output& output,
                             const StreamOptions& options) {
  const Result<void> done =
      OrOutOfMemory([&]() -> Result<void> { return ReduceMaxStream(source, axes, output, options).Run(); });
  return EndOfStream({&source, 1}, done);
}

}  // namespace supremum::stream
