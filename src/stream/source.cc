#include "stream/source.h"

#include <fcntl.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <utility>

#include "core/walk.h"
#include "io/files/messages.h"
#include "io/formats/byte_order.h"

namespace supremum::stream {
namespace {

// Bytes: runs with a gap up to this size are read together. With a larger gap, each run is on a page of its
// own.
constexpr std::int64_t kGap = 8192;
// Bytes of the buffer for runs that are read together.
constexpr std::int64_t kTogether = 65536;

// Bytes: for shorter runs, the system reads the adjacent pages anyway.
constexpr std::int64_t kWorthAnnouncing = 65536;

// The runs of a box in the file, in its order, all in elements. There are `count` runs of `length` elements,
// the first from `start` on. The loops around a run have `extents` and `strides`, from the outermost on.
struct Runs {
  Runs(DimsView shape, DimsView shape_strides, const Box& box, bool columns_first)
      : start(DistanceTo(box.first, shape_strides)) {
    const std::size_t rank = shape.size();
    const auto outer_to_inner = [&](std::size_t i) { return columns_first ? rank - 1 - i : i; };
    std::size_t loops = rank;
    for (bool whole = true; whole && loops > 0; --loops) {
      const std::size_t d = outer_to_inner(loops - 1);
      length *= box.extent[d];
      whole = box.extent[d] == shape[d];
    }
    for (std::size_t i = 0; i < loops; ++i) {
      const std::size_t d = outer_to_inner(i);
      count *= box.extent[d];
      extents.PushBack(box.extent[d]);
      strides.PushBack(shape_strides[d]);
    }
  }

  std::int64_t start;
  std::int64_t count = 1;
  std::int64_t length = 1;
  Shape extents, strides;
};

// True if that byte is in the page cache; false also if the system cannot tell.
bool InCache([[maybe_unused]] const io::InputFile& file, [[maybe_unused]] std::int64_t offset) {
#ifdef RWF_NOWAIT
  std::byte byte = {};
  const iovec into = {&byte, 1};
  return ::preadv2(file.descriptor(), &into, 1, offset, RWF_NOWAIT) == 1;
#else
  return false;
#endif
}

// Announces all runs to the system, so that it can read several at a time. If the first run is in the page
// cache, most likely so are the others. `offset` is the byte of the tensor's first element.
void AnnounceRuns(const io::InputFile& file, const Runs& runs, std::int64_t offset, std::int64_t width) {
  const std::int64_t first = offset + runs.start * width;
  if (InCache(file, first)) return;
  Walk<1> walk(runs.extents, {runs.strides});
  for (std::int64_t i = 0; i < runs.count; ++i, walk.Next()) {
    static_cast<void>(::posix_fadvise(file.descriptor(), first + walk.offset(0) * width, runs.length * width,
                                      POSIX_FADV_WILLNEED));
  }
}

}  // namespace

Source::Source(io::ElementFile elements) : elements_(std::move(elements)) {
  const auto wide = std::ranges::count_if(shape(), [](std::int64_t extent) { return extent != 1; });
  columns_first_ = elements_.fortran_order && wide > 1;
  strides_ = DenseStrides(shape());
}

Result<Source> Source::Open(const std::string& spec, std::optional<DType> stated) {
  Result<io::ElementFile> elements = io::OpenElements(spec, {.stated_dtype = stated});
  if (!elements) return elements.error();
  Source source(*std::move(elements));
  // A hint to read further ahead; failure has no effect on the result.
  if (!source.columns_first()) {
    static_cast<void>(::posix_fadvise(source.file().descriptor(), 0, 0, POSIX_FADV_SEQUENTIAL));
  }
  return source;
}

std::int64_t Source::byte_size() const {
  return ElementCount(shape()).value_or(0) * static_cast<std::int64_t>(ByteWidth(dtype()));
}

Shape Source::DenseStrides(DimsView extent) const {
  if (!columns_first_) return RowMajorStrides(extent);
  Shape reversed = *Shape::FromSpan(extent);
  std::ranges::reverse(reversed);
  Shape strides = RowMajorStrides(reversed);
  std::ranges::reverse(strides);
  return strides;
}

Result<void> Source::Read(const Box& box, std::span<std::byte> into) const {
  if (into.empty()) return {};
  if (auto done = ReadRuns(box, into); !done) return done;
  io::ToMachineOrder(into, ByteWidth(dtype()), elements_.big_endian);
  return {};
}

void Source::Announce(const Box& box) const {
  const std::int64_t width = static_cast<std::int64_t>(ByteWidth(dtype()));
  const Runs runs(shape(), strides_, box, columns_first_);
  if (runs.length * width >= kWorthAnnouncing) AnnounceRuns(file(), runs, elements_.offset, width);
}

Result<void> Source::ReadRuns(const Box& box, std::span<std::byte> into) const {
  const std::int64_t width = static_cast<std::int64_t>(ByteWidth(dtype()));
  const Runs runs(shape(), strides_, box, columns_first_);
  const std::int64_t run = runs.length * width;
  if (runs.count > 1 && run >= kWorthAnnouncing) AnnounceRuns(file(), runs, elements_.offset, width);
  // Not on the stack, which cannot grow if a limit of memory is lowered meanwhile.
  const auto together = runs.count > 1 ? std::make_unique_for_overwrite<std::byte[]>(kTogether)
                                       : std::unique_ptr<std::byte[]>();
  const std::int64_t first = elements_.offset + runs.start * width;
  std::int64_t here = first;
  Walk<1> walk(runs.extents, {runs.strides});
  for (std::int64_t i = 0; i < runs.count;) {
    // The runs from `here` on that are read at once.
    const std::int64_t begin = here;
    std::int64_t end = here + run;
    std::array<std::int64_t, 1024> starts;
    std::size_t found = 0;
    starts[found++] = here;
    for (++i; i < runs.count; ++i) {
      walk.Next();
      here = first + walk.offset(0) * width;
      const bool near = here - end <= kGap && here + run - begin <= kTogether;
      if (!near || found == starts.size()) break;
      end = here + run;
      starts[found++] = here;
    }
    const std::size_t size = static_cast<std::size_t>(run);
    if (found == 1) {
      if (auto done = file().ReadPart(begin, into.first(size)); !done) return done;
      if (auto good = CheckBools(begin, into.first(size)); !good) return good;
      into = into.subspan(size);
      continue;
    }
    const std::span<std::byte> bytes = std::span(together.get(), static_cast<std::size_t>(end - begin));
    if (auto done = file().ReadPart(begin, bytes); !done) return done;
    for (std::size_t j = 0; j < found; ++j) {
      const auto piece = bytes.subspan(static_cast<std::size_t>(starts[j] - begin), size);
      if (auto good = CheckBools(starts[j], piece); !good) return good;
      std::memcpy(into.data(), piece.data(), piece.size());
      into = into.subspan(size);
    }
  }
  return {};
}

// The error names the first wrong bool of the file, in whatever order its parts are read.
Result<void> Source::CheckBools(std::int64_t offset, std::span<const std::byte> bytes) const {
  if (dtype() != DType::kBool || io::FirstNonBool(bytes) == bytes.size()) return {};
  std::array<std::byte, 4096> buffer;
  for (std::int64_t at = elements_.offset; at < offset; at += std::ssize(buffer)) {
    const std::int64_t size = std::min<std::int64_t>(std::ssize(buffer), offset - at);
    const auto part = std::span(buffer).first(static_cast<std::size_t>(size));
    if (auto done = file().ReadPart(at, part); !done) return done;
    if (auto good = io::CheckBools(elements_.where, at, part, elements_.bool_advice); !good) return good;
  }
  return io::CheckBools(elements_.where, offset, bytes, elements_.bool_advice);
}

Result<void> EndOfStream(std::span<const Source> sources, const Result<void>& done) {
  if (!done && done.error().code != ErrorCode::kMalformedFile) return done;
  for (const Source& source : sources) {
    if (auto unchanged = source.CheckUnchanged(); !unchanged) return unchanged;
  }
  return done;
}

}  // namespace supremum::stream
