#include "ops/expand.h"

#include <array>
#include <cstdint>
#include <cstring>

#include "core/walk.h"

namespace supremum {
namespace {

// Repeats the first `size` bytes until there are `total`; writes up to kExpandSlack bytes more.
void Repeat(std::byte* out, std::size_t size, std::size_t total) {
  using Block = std::array<std::byte, kExpandSlack>;
  const auto copy_block = [out](std::size_t from, std::size_t to) {
    Block block;
    std::memcpy(block.data(), out + from, block.size());
    std::memcpy(out + to, block.data(), block.size());
  };
  std::size_t done = size;
  for (; done < sizeof(Block) && done < total; done *= 2) copy_block(0, done);
  for (std::size_t at = done; at < total; at += sizeof(Block)) copy_block(at - done, at);
}

// The number of outer dimensions, which are iterated over; the others are one call of a kernel.
std::size_t OuterDimensions(DimsView extents, DimsView steps) {
  const std::size_t last = extents.size() - 1;
  const bool transposed = last > 0 && steps[last - 1] == 1 && steps[last] != 0;
  if (transposed) return last - 1;
  // The kernel repeats each element of dimension d for the dimensions after it, whose steps are 0.
  std::size_t d = last;
  while (d > 0 && steps[d] == 0) --d;
  return steps[d] == 0 ? last : d;
}

// Expands the dimensions that are one call of a kernel.
void ExpandInner(const kernels::RowKernels& row, std::size_t width, const std::byte* data, DimsView extents,
                 DimsView steps, std::byte* out) {
  const std::size_t n = static_cast<std::size_t>(extents[0]);
  const std::ptrdiff_t bytes = static_cast<std::ptrdiff_t>(width);
  if (extents.size() == 2 && steps[1] != 0) {
    return row.transpose(data, static_cast<std::ptrdiff_t>(steps[1]) * bytes,
                         static_cast<std::size_t>(extents[1]), n, out);
  }
  std::size_t repeat_count = 1;
  for (std::int64_t extent : extents.subspan(1)) repeat_count *= static_cast<std::size_t>(extent);
  if (steps[0] == 0) return row.repeat({data, 0}, 1, n, out);
  if (steps[0] == 1 && repeat_count == 1) {
    std::memcpy(out, data, n * width);
    return;
  }
  row.repeat({data, static_cast<std::ptrdiff_t>(steps[0]) * bytes}, n, repeat_count, out);
}

}  // namespace

void Expand(const kernels::RowKernels& row, std::size_t width, const std::byte* data, DimsView extents,
            DimsView steps, std::byte* out) {
  const std::size_t outer = OuterDimensions(extents, steps);
  // One index of a dimension with step 0 is expanded; it is repeated when it is complete.
  std::array<std::int64_t, kMaxRank> expanded, sizes;  // sizes[d]: the bytes of one index of dimension d
  std::int64_t size = static_cast<std::int64_t>(width);
  for (std::size_t d = extents.size(); d-- > 0; size *= extents[d]) {
    expanded[d] = steps[d] == 0 ? 1 : extents[d];
    sizes[d] = size;
  }
  const DimsView inner_extents = extents.subspan(outer), inner_steps = steps.subspan(outer);
  Walk<2> walk({expanded.data(), outer}, {steps.first(outer), DimsView(sizes.data(), outer)});
  do {
    ExpandInner(row, width, data + walk.offset(0) * static_cast<std::int64_t>(width), inner_extents,
                inner_steps, out + walk.offset(1));
  } while (walk.Next([&](std::size_t d) {
    if (steps[d] != 0) return;
    Repeat(out + walk.offset(1), static_cast<std::size_t>(sizes[d]),
           static_cast<std::size_t>(extents[d] * sizes[d]));
  }));
}

}  // namespace supremum
