#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "core/out_of_memory.h"
#include "stream/buffers.h"
#include "stream/stream.h"
#include "stream/worker.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"

namespace supremum::stream {
namespace {

// Two of what is read, two tiles of the output, and one for the maxima of a step.
constexpr std::int64_t kBuffers = 5;

// So many bytes are announced before they are read, in steps of at least so many.
constexpr std::int64_t kAhead = std::int64_t{1} << 23;
constexpr std::int64_t kWorthAnnouncing = std::int64_t{1} << 16;

using Axes = std::optional<std::span<const std::int64_t>>;

/// A step: a box of the source whose maxima are joined to a tile of the output. All boxes have the source's
/// rank; in those of the output, a reduced dimension has extent 1.
struct Step {
  Box tile;
  std::int64_t tile_position = 0;  // of the tile's first element in the output
  Box from;
  std::int64_t done = 0;  // of the tile's elements in the source, with this step
  bool last = false;      // of the tile
};

class ReduceMaxStream {
 public:
  ReduceMaxStream(const Source& source, const Axes& axes, Output& output, const StreamOptions& options)
      : source_(source),
        axes_(axes),
        output_(output),
        options_(options),
        kept_(source.shape()),
        // What one thread has read lies in its own cache.
        threads_(source.columns_first() ? options.threads : 1) {
    const std::size_t rank = source.shape().rank();
    for (std::size_t d = 0; !axes && d < rank; ++d) reduced_[d] = true;
    for (const std::int64_t axis : axes.value_or(std::span<const std::int64_t>())) {
      reduced_[static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis)] = true;
    }
    for (std::size_t d = 0; d < rank; ++d) kept_[d] = reduced_[d] ? 1 : kept_[d];
    // Max has no bool; as bytes, false < true all the same.
    join_dtype_ = source.dtype() == DType::kBool ? DType::kUInt8 : source.dtype();
  }

  Result<void> Run();

 private:
  Result<void> TakeMemory();
  Result<void> TakeUp();
  Box WhatMakesUp(const Box& tile) const;
  std::optional<Step> After(const Step& step) const;
  Step FirstOf(std::int64_t tile_position, std::int64_t most) const;
  Step StepAt(Step step) const;
  bool HasGaps() const;
  void Announce();
  Result<void> Read(std::size_t turn);
  Result<void> Compute(std::size_t turn, Tensor& tile);
  void Report(const Step& step);

  const Source& source_;
  const Axes& axes_;
  Output& output_;
  const StreamOptions& options_;
  Shape kept_;  // the output's shape with reduced dimensions kept
  std::array<bool, kMaxRank> reduced_ = {};
  DType join_dtype_;
  const std::size_t threads_;  // that compute
  std::int64_t most_ = 0;      // elements of a step, and of a tile
  std::array<Tensor, 2> read_;
  std::array<Tensor, 2> tiles_;
  Tensor maxima_;
  std::array<Step, 2> steps_;
  // Steps are announced to the system before they are read, this one last, so many elements ahead; or none
  // is.
  std::optional<Step> announced_;
  std::int64_t ahead_ = 0;
};

Result<void> ReduceMaxStream::TakeMemory() {
  const std::int64_t width = static_cast<std::int64_t>(ByteWidth(source_.dtype()));
  const Result<std::int64_t> size =
      BufferSize(options_.buffer_bytes, LeastBufferBytesOfReduceMax(), kBuffers, !source_.columns_first());
  if (!size) return size.error();
  most_ = *size / width;  // and of a tile, which so stays in the cache beside what is read
  const std::int64_t in = std::min(most_, ElementCount(source_.shape()).value_or(0));
  const std::int64_t out = std::min(most_, output_.elements());
  for (auto& [buffer, elements] :
       {std::pair(&read_[0], in), std::pair(&read_[1], in), std::pair(&tiles_[0], out),
        std::pair(&tiles_[1], out), std::pair(&maxima_, out)}) {
    Result<Tensor> made = MakeBuffer(source_.dtype(), elements);
    if (!made) return made.error();
    *buffer = *std::move(made);
  }
  return {};
}

Box ReduceMaxStream::WhatMakesUp(const Box& tile) const {
  Box from = tile;
  for (std::size_t d = 0; d < kept_.rank(); ++d) {
    if (reduced_[d]) from.extent[d] = source_.shape()[d];
  }
  return from;
}

/// The step that begins where `step.done` says, in the tile of `step`.
Step ReduceMaxStream::StepAt(Step step) const {
  const Box all = WhatMakesUp(step.tile);
  const std::int64_t total = all.Count();
  if (total == 0) {
    step.from = all;
    step.last = true;
    return step;
  }
  // In the file's order, so that what is read lies together.
  const bool reverse = source_.columns_first();
  Shape extents = all.extent;
  if (reverse) std::ranges::reverse(extents);
  Box part = NextBox(extents, step.done, most_);
  if (reverse) {
    std::ranges::reverse(part.first);
    std::ranges::reverse(part.extent);
  }
  step.done += part.Count();
  step.last = step.done == total;
  for (std::size_t d = 0; d < part.first.rank(); ++d) part.first[d] += all.first[d];
  step.from = part;
  return step;
}

Step ReduceMaxStream::FirstOf(std::int64_t tile_position, std::int64_t most) const {
  Step step;
  step.tile = NextBox(kept_, tile_position, most);
  step.tile_position = tile_position;
  return StepAt(step);
}

std::optional<Step> ReduceMaxStream::After(const Step& step) const {
  if (!step.last) return StepAt(step);
  const std::int64_t next = step.tile_position + step.tile.Count();
  if (next == output_.elements()) return std::nullopt;
  return FirstOf(next, most_);
}

/// Whether steps leave gaps in the file, as where a tile is a part of each row: then the system does not read
/// ahead by itself.
bool ReduceMaxStream::HasGaps() const {
  const std::int64_t width = static_cast<std::int64_t>(ByteWidth(source_.dtype()));
  const std::optional<Step> second = After(steps_[0]);
  if (!second || source_.columns_first() || second->from.Count() * width < kWorthAnnouncing) return false;
  const Shape strides = RowMajorStrides(source_.shape());
  return OffsetOf(second->from.first, strides) !=
         OffsetOf(steps_[0].from.first, strides) + steps_[0].from.Count();
}

void ReduceMaxStream::Announce() {
  while (announced_ && ahead_ < kAhead / static_cast<std::int64_t>(ByteWidth(source_.dtype()))) {
    announced_ = After(*announced_);
    if (!announced_) return;
    source_.Announce(announced_->from);
    ahead_ += announced_->from.Count();
  }
}

Result<void> ReduceMaxStream::Read(std::size_t turn) {
  const Box& from = steps_[turn].from;
  Announce();
  ahead_ -= from.Count();
  return source_.Read(from, BytesOf(read_[turn], from.Count()));
}

Result<void> ReduceMaxStream::Compute(std::size_t turn, Tensor& tile) {
  const Step& step = steps_[turn];
  const Shape from_strides = source_.DenseStrides(step.from.extent);
  const TensorView from{source_.dtype(), step.from.extent, from_strides, read_[turn].data()};
  // Where its maxima belong in the tile.
  Shape extent = step.from.extent, away = step.from.first;
  bool first = true, single = true;
  for (std::size_t d = 0; d < extent.rank(); ++d) {
    away[d] -= step.tile.first[d];
    if (!reduced_[d]) continue;
    first = first && away[d] == 0;
    single = single && extent[d] == 1;
    extent[d] = 1;
    away[d] = 0;
  }
  const Shape strides = RowMajorStrides(step.tile.extent);
  const MutableTensorView place =
      From(MutableTensorView{source_.dtype(), extent, strides, tile.data()}, OffsetOf(away, strides));
  const ReduceMaxOptions options{.axes = axes_, .keepdims = true, .threads = threads_};
  if (first) return ReduceMax(from, place, options);
  MutableTensorView joined = place;
  joined.dtype = join_dtype_;
  TensorView maxima = from;
  if (!single) {
    const MutableTensorView into{source_.dtype(), extent, {}, maxima_.data()};
    if (auto done = ReduceMax(from, into, options); !done) return done;
    maxima = into;
  }
  maxima.dtype = join_dtype_;
  return Max({joined, maxima}, joined, {.threads = threads_});
}

/// The first step, in a tile that an earlier run began if there is room for it.
Result<void> ReduceMaxStream::TakeUp() {
  const std::optional<UnfinishedTile>& left = output_.unfinished();
  steps_[0] = FirstOf(output_.position(), most_);
  if (!left || left->elements > most_) return {};
  Step step;
  step.tile = NextBox(kept_, left->first, left->elements);
  step.tile_position = left->first;
  step.done = left->steps;
  if (step.tile.Count() != left->elements || left->steps >= WhatMakesUp(step.tile).Count()) return {};
  if (auto read = output_.Restore(BytesOf(tiles_[0], left->elements)); !read) return read;
  steps_[0] = StepAt(step);
  return {};
}

void ReduceMaxStream::Report(const Step& step) {
  if (!options_.on_progress) return;
  const double tiles = static_cast<double>(output_.elements());
  const std::int64_t all = WhatMakesUp(step.tile).Count();
  const double in_tile = all == 0 ? 1.0 : static_cast<double>(step.done) / static_cast<double>(all);
  options_.on_progress(
      (static_cast<double>(step.tile_position) + static_cast<double>(step.tile.Count()) * in_tile) / tiles);
}

Result<void> ReduceMaxStream::Run() {
  if (output_.position() == output_.elements()) return {};
  if (auto done = TakeMemory(); !done) return done;
  if (auto done = TakeUp(); !done) return done;
  // Where reading goes from front to back, the system reads ahead by itself; handing buffers from thread to
  // thread would cost more than it saves. So it would to write a few elements behind.
  const bool large = output_.elements() > ElementCount(source_.shape()).value_or(0) / 16;
  Worker reader(options_.threads != 1 && source_.columns_first());
  Output::Behind behind(options_.threads != 1 && large);
  if (HasGaps()) announced_ = steps_[0];
  if (auto done = Read(0); !done) return done;
  std::size_t tile = 0;
  for (std::size_t turn = 0;; turn = 1 - turn) {
    const Step step = steps_[turn];
    const std::optional<Step> next = After(step);
    if (next) {
      steps_[1 - turn] = *next;
      reader.Start([this, turn] { return Read(1 - turn); });
    }
    const std::int64_t count = step.tile.Count();
    // Of a tile that may be saved half done, no byte is left to chance.
    const bool begins = step.done == step.from.Count();
    if (begins && !step.last) std::ranges::fill(BytesOf(tiles_[tile], count), std::byte{0});
    if (auto done = Compute(turn, tiles_[tile]); !done) return done;
    if (step.last) {
      if (auto done = output_.Settle(behind); !done) return done;
      output_.Append(BytesOf(tiles_[tile], count), behind);
      tile = 1 - tile;
    }
    if (auto done = reader.Wait(); !done) return done;
    Report(step);
    if (!next) return output_.Settle(behind);
    if (step.last) continue;
    if (auto done = output_.Settle(behind); !done) return done;
    if (!output_.Due()) continue;
    if (auto done = output_.SaveTile(BytesOf(tiles_[tile], count), step.done); !done) return done;
  }
}

}  // namespace

std::int64_t LeastBufferBytesOfReduceMax() { return kBuffers * kLeastBuffer; }

Result<void> StreamReduceMax(const Source& source, const Axes& axes, Output& output,
                             const StreamOptions& options) {
  const Result<void> done =
      OrOutOfMemory([&]() -> Result<void> { return ReduceMaxStream(source, axes, output, options).Run(); });
  return EndOfStream({&source, 1}, done, output);
}

}  // namespace supremum::stream
