#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/align.h"
#include "core/out_of_memory.h"
#include "core/walk.h"
#include "stream/buffers.h"
#include "stream/stream.h"
#include "stream/worker.h"
#include "stream/write_behind.h"
#include "supremum/max.h"

namespace supremum::stream {
namespace {

/// The part of a source that a box of the output is computed from (BRO-1, BRO-5).
Box PartOf(const Source& source, const Box& box) {
  const std::size_t rank = source.shape().rank();
  Box part{Shape::Filled(rank, 0), Shape::Filled(rank, 1)};
  ForEachAligned(source.shape(), box.extent.rank(), [&](std::size_t d, std::size_t j) {
    part.first[d] = box.first[j];
    part.extent[d] = box.extent[j];
  });
  return part;
}

/// The memory of one input: all of a small broadcast source, or its parts of one or two tiles.
struct Input {
  const Source* source = nullptr;
  bool whole = false;
  std::array<Tensor, 2> buffers;
};

/// A tile in progress: its place in the output, and the part of each input that it needs.
struct Tile {
  Box box;
  std::vector<Box> parts;
  std::vector<Shape> strides;
};

class MaxStream {
 public:
  MaxStream(std::span<const Source> sources, const Shape& shape, Output& output, const StreamOptions& options)
      : sources_(sources),
        shape_(shape),
        output_(output),
        options_(options),
        dtype_(sources.front().dtype()),
        front_to_back_(
            std::ranges::none_of(sources, [](const Source& source) { return source.columns_first(); })),
        turns_(front_to_back_ ? 1 : 2) {}

  Result<void> Run();

 private:
  Result<void> TakeMemory();
  Result<void> Read(std::size_t turn, std::int64_t position);
  Result<void> Compute(std::size_t turn, std::span<std::byte> into);

  std::span<const Source> sources_;
  const Shape& shape_;
  Output& output_;
  const StreamOptions& options_;
  const DType dtype_;
  const bool front_to_back_;
  // Files that are read from front to back: the system reads ahead, and what a thread has read is in its own
  // cache. Otherwise one tile is read while another is computed.
  const std::size_t turns_;
  bool threaded_ = false;  // reading and writing
  std::int64_t tile_elements_ = 0;
  std::vector<Input> inputs_;
  std::array<Tensor, 2> outputs_;
  std::array<Tile, 2> tiles_;
};

Result<void> MaxStream::TakeMemory() {
  const std::int64_t least = LeastBufferBytesOfMax(sources_.size());
  std::int64_t bytes = options_.buffer_bytes;
  const std::int64_t turns = static_cast<std::int64_t>(turns_);
  std::int64_t buffers = 2 + turns * static_cast<std::int64_t>(sources_.size());
  if (auto enough = BufferSize(bytes, least, buffers, front_to_back_); !enough) return enough.error();
  // A broadcast source would be read once for each tile. All such sources may take half of the memory, the
  // small ones first; each has its least buffers already, so the minimum is enough.
  std::vector<const Source*> small;
  for (const Source& source : sources_) {
    inputs_.emplace_back().source = &source;
    if (source.byte_size() * 2 <=
        ElementCount(shape_).value_or(0) * static_cast<std::int64_t>(ByteWidth(dtype_))) {
      small.push_back(&source);
    }
  }
  std::ranges::stable_sort(small, {}, &Source::byte_size);
  std::int64_t spare = std::max<std::int64_t>((bytes - least) / 2, 0);
  for (const Source* const source : small) {
    if (source->byte_size() > spare) break;
    Input& input = inputs_[static_cast<std::size_t>(source - sources_.data())];
    Result<Tensor> whole = MakeBuffer(dtype_, ElementCount(source->shape()).value_or(0));
    if (!whole) return whole.error();
    input.whole = true;
    input.buffers[0] = *std::move(whole);
    const Box all{Shape::Filled(source->shape().rank(), 0), source->shape()};
    if (auto done = source->Read(all, input.buffers[0].bytes()); !done) return done;
    spare -= source->byte_size();
    bytes -= source->byte_size();
    buffers -= turns;
  }
  const Result<std::int64_t> size = BufferSize(bytes, buffers * kLeastBuffer, buffers, front_to_back_);
  if (!size) return size.error();
  tile_elements_ = std::min(*size / static_cast<std::int64_t>(ByteWidth(dtype_)), output_.elements());
  // A single tile leaves nothing to do meanwhile.
  threaded_ = options_.threads != 1 && tile_elements_ < output_.elements();
  for (Input& input : inputs_) {
    for (std::size_t turn = 0; turn < turns_ && !input.whole; ++turn) {
      Result<Tensor> made = MakeBuffer(dtype_, tile_elements_);
      if (!made) return made.error();
      input.buffers[turn] = *std::move(made);
    }
  }
  Result<std::array<Tensor, 2>> made =
      MakeOutputBuffers(dtype_, tile_elements_, threaded_ ? bytes - (buffers - 2) * *size : 0);
  if (!made) return made.error();
  outputs_ = *std::move(made);
  return {};
}

Result<void> MaxStream::Read(std::size_t turn, std::int64_t position) {
  Tile& tile = tiles_[turn];
  tile.box = NextBox(shape_, position, tile_elements_);
  tile.parts.clear();
  tile.strides.clear();
  for (Input& input : inputs_) {
    const Box part = PartOf(*input.source, tile.box);
    tile.parts.push_back(part);
    tile.strides.push_back(input.source->DenseStrides(input.whole ? input.source->shape() : part.extent));
    if (input.whole) continue;
    const auto into = BytesOf(input.buffers[turn], part.Count());
    if (auto done = input.source->Read(part, into); !done) return done;
  }
  return {};
}

Result<void> MaxStream::Compute(std::size_t turn, std::span<std::byte> into) {
  const Tile& tile = tiles_[turn];
  std::vector<TensorView> views;
  for (std::size_t m = 0; m < inputs_.size(); ++m) {
    const Input& input = inputs_[m];
    const TensorView view{dtype_, tile.parts[m].extent, tile.strides[m],
                          input.buffers[input.whole ? 0 : turn].data()};
    views.push_back(input.whole ? From(view, DistanceTo(tile.parts[m].first, tile.strides[m])) : view);
  }
  return Max(views, MutableTensorView{dtype_, tile.box.extent, {}, into.data()},
             {.threads = front_to_back_ ? 1 : options_.threads});
}

Result<void> MaxStream::Run() {
  if (output_.elements() == 0) return {};
  if (auto done = TakeMemory(); !done) return done;
  Worker reader(threaded_ && turns_ == 2);
  WriteBehind behind(output_, threaded_, std::move(outputs_));
  std::int64_t position = 0;
  if (auto done = Read(0, position); !done) return done;
  for (std::size_t turn = 0;; turn = (turn + 1) % turns_) {
    const std::int64_t count = tiles_[turn].box.Count();
    position += count;
    const bool last = position == output_.elements();
    if (!last && turns_ == 2) reader.Start([this, turn, position] { return Read(1 - turn, position); });
    const Result<std::span<std::byte>> room =
        behind.Room(static_cast<std::size_t>(count) * ByteWidth(dtype_));
    if (!room) return room.error();
    if (auto done = Compute(turn, *room); !done) return done;
    if (auto done = behind.Append(); !done) return done;
    if (auto done = reader.Wait(); !done) return done;
    if (options_.on_progress) {
      options_.on_progress(static_cast<double>(position) / static_cast<double>(output_.elements()));
    }
    if (last) return behind.Flush();
    if (turns_ == 2) continue;
    if (auto done = Read(0, position); !done) return done;
  }
}

}  // namespace

std::int64_t LeastBufferBytesOfMax(std::size_t sources) {
  return (2 + 2 * static_cast<std::int64_t>(sources)) * kLeastBuffer;
}

Result<void> StreamMax(std::span<const Source> sources, const Shape& shape, Output& output,
                       const StreamOptions& options) {
  const Result<void> done =
      OrOutOfMemory([&]() -> Result<void> { return MaxStream(sources, shape, output, options).Run(); });
  return EndOfStream(sources, done);
}

}  // namespace supremum::stream
