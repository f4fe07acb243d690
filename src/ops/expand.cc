#include "ops/expand.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace supremum {
namespace {

// The first `size` bytes again and again, until there are `total`; and up to kExpandSlack more.
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

}  // namespace

void Expand(const kernels::RowKernels& row, std::size_t width, const std::byte* data, DimsView extents,
            DimsView steps, std::byte* out) {
  const std::size_t n = static_cast<std::size_t>(extents[0]);
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(steps[0]) * static_cast<std::ptrdiff_t>(width);
  if (extents.size() == 1) {
    if (steps[0] == 1) {
      std::memcpy(out, data, n * width);
      return;
    }
    return steps[0] == 0 ? row.spread({data, 0}, 1, n, out) : row.spread({data, step}, n, 1, out);
  }
  if (extents.size() == 2 && steps[0] == 1 && steps[1] != 0) {
    const std::ptrdiff_t row_stride =
        static_cast<std::ptrdiff_t>(steps[1] * static_cast<std::int64_t>(width));
    return row.transpose(data, row_stride, static_cast<std::size_t>(extents[1]), n, out);
  }
  std::size_t inner = 1;
  for (std::int64_t extent : extents.subspan(1)) inner *= static_cast<std::size_t>(extent);
  if (steps[0] == 0) {
    Expand(row, width, data, extents.subspan(1), steps.subspan(1), out);
    return Repeat(out, inner * width, n * inner * width);
  }
  const bool stands_still =
      std::all_of(steps.begin() + 1, steps.end(), [](std::int64_t s) { return s == 0; });
  if (stands_still) return row.spread({data, step}, n, inner, out);
  for (std::size_t i = 0; i < n; ++i) {
    Expand(row, width, data + static_cast<std::ptrdiff_t>(i) * step, extents.subspan(1), steps.subspan(1),
           out + i * inner * width);
  }
}

}  // namespace supremum
