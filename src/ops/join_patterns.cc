#include "ops/join_patterns.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace supremum {
namespace {

using kernels::LinesTo;
using kernels::PatternInput;

// The bytes of the copies of an input's lines: 8 of the longest vector. Chosen by estimate; no benchmark
// line. Cases: none, as operands with such gaps are rare.
constexpr std::size_t kCopyBytes = 512;

// A dimension of lines or blocks: how many, and the bytes from one to the next, whatever its direction.
struct Loop {
  std::size_t count;
  std::size_t stride;
};

Loop LoopOf(std::size_t count, std::ptrdiff_t stride) {
  return {count, count > 1 ? static_cast<std::size_t>(std::abs(stride)) : 0};
}

// True if so many bytes, repeated by these loops, leave gaps in which a page can be.
bool LeavesPages(std::size_t bytes, Loop lines, Loop blocks) {
  const auto [inner, outer] = std::minmax(lines, blocks, [](Loop a, Loop b) { return a.stride < b.stride; });
  if (inner.stride >= bytes + kernels::kMinPageBytes) return true;
  return outer.stride >= bytes + (inner.count - 1) * inner.stride + kernels::kMinPageBytes;
}

// The bytes of a line's source that are to be copied, or 0 if it can be read where it is.
std::size_t BytesToCopy(const PatternInput& x, const LinesTo& y, std::size_t width,
                        std::size_t vector_bytes) {
  if (x.kind != PatternInput::Kind::kOrders) return 0;
  const Loop lines = LoopOf(y.lines, x.line_stride), blocks = LoopOf(y.blocks, x.block_stride);
  if (std::max(lines.stride, blocks.stride) < kernels::kMinPageBytes) return 0;  // almost always
  const std::size_t bytes = x.pattern.SourceElements(y.n) * width;
  return bytes <= vector_bytes && LeavesPages(bytes, lines, blocks) ? bytes : 0;
}

// All lines of one block; of an input for which `to_copy` is not 0, copies of lines of so many bytes.
void JoinSomeLines(const kernels::RowKernels& row, std::span<const PatternInput> inputs,
                   std::span<const std::size_t> to_copy, const LinesTo& y) {
  std::array<PatternInput, kernels::kMaxPatternInputs> near;
  alignas(64) std::array<std::array<std::byte, kCopyBytes>, kernels::kMaxPatternInputs> copies;
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    near[m] = inputs[m];
    if (to_copy[m] == 0) continue;
    for (std::size_t line = 0; line < y.lines; ++line) {
      std::memcpy(copies[m].data() + line * to_copy[m],
                  inputs[m].data + static_cast<std::ptrdiff_t>(line) * inputs[m].line_stride, to_copy[m]);
    }
    near[m].data = copies[m].data();
    near[m].line_stride = static_cast<std::ptrdiff_t>(to_copy[m]);
  }
  row.join_patterns(near.data(), inputs.size(), y);
}

}  // namespace

void JoinPatterns(const kernels::RowKernels& row, std::size_t width, std::span<const PatternInput> inputs,
                  const LinesTo& y) {
  std::array<std::size_t, kernels::kMaxPatternInputs> to_copy;
  std::size_t most = 0;
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    to_copy[m] = BytesToCopy(inputs[m], y, width, row.vector_bytes);
    most = std::max(most, to_copy[m]);
  }
  if (most == 0) return row.join_patterns(inputs.data(), inputs.size(), y);

  // Lines of one block at a time; where each block is one line, the blocks are the lines.
  const bool blocks_are_lines = y.lines == 1;
  const std::size_t lines = blocks_are_lines ? y.blocks : y.lines, blocks = blocks_are_lines ? 1 : y.blocks;
  const auto line_stride = [&](const auto& of) {
    return blocks_are_lines ? of.block_stride : of.line_stride;
  };
  const std::size_t at_once = kCopyBytes / most;
  std::array<PatternInput, kernels::kMaxPatternInputs> some;
  for (std::size_t block = 0; block < blocks; ++block) {
    for (std::size_t first = 0; first < lines; first += at_once) {
      const auto distance = [&](const auto& of) {
        return static_cast<std::ptrdiff_t>(block) * of.block_stride +
               static_cast<std::ptrdiff_t>(first) * line_stride(of);
      };
      for (std::size_t m = 0; m < inputs.size(); ++m) {
        some[m] = inputs[m];
        some[m].data += distance(inputs[m]);
        some[m].block_stride = 0;
        some[m].line_stride = line_stride(inputs[m]);
      }
      JoinSomeLines(row, std::span(some).first(inputs.size()), to_copy,
                    {y.data + distance(y), 0, line_stride(y), 1, std::min(at_once, lines - first), y.n,
                     y.non_temporal});
    }
  }
}

}  // namespace supremum
