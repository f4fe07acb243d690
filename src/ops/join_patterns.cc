#include "ops/join_patterns.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "ops/tuning.h"

namespace supremum {
namespace {

using kernels::LinesTo;
using kernels::PatternInput;

// A loop over lines or blocks: how many, and the bytes from one to the next, whatever its direction.
struct Loop {
  Loop(std::size_t number, std::ptrdiff_t distance)
      : count(number), stride(number > 1 ? static_cast<std::size_t>(std::abs(distance)) : 0) {}
  std::size_t count, stride;
};

// What keeps the primitive from reading all lines of an input at once.
struct Gaps {
  bool leave_pages = false;       // between lines or blocks
  std::size_t bytes_to_copy = 0;  // of the source of each line, if lines of one block leave pages
};

// False for nearly all inputs: a small call has time for no more.
bool MayLeavePages(const PatternInput& x) {
  constexpr std::ptrdiff_t kPage = kernels::kMinPageBytes;
  return x.kind == PatternInput::Kind::kOrders &&
         (std::abs(x.line_stride) >= kPage || std::abs(x.block_stride) >= kPage);
}

Gaps GapsOf(const PatternInput& x, const LinesTo& y, std::size_t width, std::size_t vector_bytes) {
  if (!MayLeavePages(x)) return {};
  const Loop lines(y.lines, x.line_stride), blocks(y.blocks, x.block_stride);
  const std::size_t bytes = x.pattern.SourceElements(y.n) * width;
  if (bytes > vector_bytes) return {};  // each vector is within the source of its line
  const auto [inner, outer] = std::minmax(lines, blocks, [](Loop a, Loop b) { return a.stride < b.stride; });
  const std::size_t of_inner = bytes + (inner.count - 1) * inner.stride, far = bytes + kernels::kMinPageBytes;
  if (inner.stride < far && outer.stride < of_inner + kernels::kMinPageBytes) return {};
  return {true, lines.stride >= far ? bytes : 0};
}

// Lets x have copies of its lines, of which so many bytes are read.
void CopyLines(std::size_t lines, std::size_t bytes, std::byte* copies, PatternInput& x) {
  for (std::size_t line = 0; line < lines; ++line) {
    std::memcpy(copies + line * bytes, x.data + static_cast<std::ptrdiff_t>(line) * x.line_stride, bytes);
  }
  x.data = copies;
  x.line_stride = static_cast<std::ptrdiff_t>(bytes);
}

// Some inputs may leave pages.
void JoinDistantLines(const kernels::RowKernels& row, std::size_t width, std::span<const PatternInput> inputs,
                      const LinesTo& y) {
  std::array<Gaps, kernels::kMaxPatternInputs> gaps;
  std::size_t most = 0;
  bool any = false;
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    gaps[m] = GapsOf(inputs[m], y, width, row.vector_bytes);
    most = std::max(most, gaps[m].bytes_to_copy);
    any = any || gaps[m].leave_pages;
  }
  if (!any) return row.join_patterns(inputs.data(), inputs.size(), y);

  assert(most <= kDefaultTuning.max_copied_bytes);
  const std::size_t at_once = most == 0 ? y.lines : std::max<std::size_t>(1, tuning.max_copied_bytes / most);
  std::array<PatternInput, kernels::kMaxPatternInputs> some;
  alignas(64) std::array<std::array<std::byte, kDefaultTuning.max_copied_bytes>, kernels::kMaxPatternInputs>
      copies;
  for (std::size_t block = 0; block < y.blocks; ++block) {
    for (std::size_t first = 0; first < y.lines; first += at_once) {
      const std::size_t lines = std::min(at_once, y.lines - first);
      const auto distance = [&](const auto& of) {
        return static_cast<std::ptrdiff_t>(block) * of.block_stride +
               static_cast<std::ptrdiff_t>(first) * of.line_stride;
      };
      for (std::size_t m = 0; m < inputs.size(); ++m) {
        some[m] = inputs[m];
        some[m].data += distance(inputs[m]);
        const std::size_t bytes = gaps[m].bytes_to_copy;
        if (bytes != 0) CopyLines(lines, bytes, copies[m].data(), some[m]);
      }
      row.join_patterns(some.data(), inputs.size(),
                        {y.data + distance(y), y.block_stride, y.line_stride, 1, lines, y.n, y.non_temporal});
    }
  }
}

}  // namespace

void JoinPatterns(const kernels::RowKernels& row, std::size_t width, std::span<const PatternInput> inputs,
                  const LinesTo& y) {
  if (std::none_of(inputs.begin(), inputs.end(), MayLeavePages) || y.n == 0) {
    return row.join_patterns(inputs.data(), inputs.size(), y);
  }
  JoinDistantLines(row, width, inputs, y);
}

}  // namespace supremum
