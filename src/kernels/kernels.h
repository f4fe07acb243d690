// The row primitives that everything is made of, one table a target.
#ifndef SUPREMUM_SRC_KERNELS_KERNELS_H_
#define SUPREMUM_SRC_KERNELS_KERNELS_H_

#include <array>
#include <cstddef>
#include <string_view>

#include "supremum/dtype.h"

namespace supremum::kernels {

/// A row that is read: element i lies at data + i * stride. Strides are in bytes, of any sign, zero included;
/// `data` need not be aligned.
struct Row {
  const std::byte* data;
  std::ptrdiff_t stride;
};

/// A row that is written. Requires: |stride| is at least the element's width, or there is at most one
/// element.
struct MutableRow {
  std::byte* data;
  std::ptrdiff_t stride;

  operator Row() const { return Row{data, stride}; }
};

/// Lines that are read, in blocks of some. Element i of line j of block k is the one at
/// data + k * block_stride + j * line_stride + i / times * width: each element is shown `times` times, once
/// where the line is dense; a scalar is shown to the end of its line. Where lines run backwards, times is 1
/// and the place is - i * width.
struct Lines {
  const std::byte* data;
  std::ptrdiff_t block_stride;
  std::ptrdiff_t line_stride;
  std::size_t times;
  bool backwards;

  bool IsDense() const { return times == 1 && !backwards; }
};

/// How often an element can be shown before the next one of its line follows, and in how long a line.
inline constexpr std::size_t kMaxRepeatCount = 128;
inline constexpr std::size_t kMaxRepeatLineElements = 1 << 16;

/// Dense lines of n elements that are written. With past_caches, they are not to be read again soon: they go
/// past the caches to memory.
struct LinesTo {
  std::byte* data;
  std::ptrdiff_t block_stride;
  std::ptrdiff_t line_stride;
  std::size_t blocks;
  std::size_t lines;
  std::size_t n;
  bool past_caches;
};

/// Dense operands that go through memory together: operand m begins at from[m] + offset.
struct Operands {
  const std::byte* const* from;
  std::size_t count;
  std::ptrdiff_t offset;
};

/// What is folded into a row of accumulators: `kept` elements are left of kept x `reduced`. Element (j, i) of
/// the block lies at data + j * kept_stride + i * reduced_stride. Strides and `data` as in Row. Several such
/// blocks can be folded at once: block b begins b * block_stride behind the first one, its accumulators
/// behind those of block b - 1.
struct Block {
  const std::byte* data;
  std::ptrdiff_t kept_stride;
  std::ptrdiff_t reduced_stride;
  std::size_t kept;
  std::size_t reduced;
  bool fresh;  ///< the accumulators hold nothing yet: they are written, not joined
  std::size_t blocks = 1;
  std::ptrdiff_t block_stride = 0;
};

// The primitives for one element type: a struct for each translation unit that compiles some of them
// (simd_join.cc, simd_lines.cc and so on).

struct JoinKernels {
  /// y[i] = Join(a[i], b[i]) for i < n.
  ///
  /// Requires: y is exactly a, exactly b, or shares no memory with either.
  void (*join)(Row a, Row b, MutableRow y, std::size_t n);

  /// y[i] = Join(a[i], a[i]) for i < n: a copy in which every NaN is the canonical one (ORD-4).
  ///
  /// Requires: y is exactly a, or shares no memory with it.
  void (*copy)(Row a, MutableRow y, std::size_t n);
};

struct LineKernels {
  /// y = Join(a, b), element by element, line after line.
  ///
  /// Requires: a or b is dense; where the other one shows its elements more than once, and is no scalar, that
  /// is at most kMaxRepeatCount, and n at most kMaxRepeatLineElements. y is exactly a or exactly b where those are dense, or
  /// shares no memory with them. With y.past_caches, StoreFence follows at the end.
  void (*join_lines)(const Lines& a, const Lines& b, const LinesTo& y);
};

struct ManyKernels {
  /// y[i] = max over m < count of the i-th element at from[m] + offset, for i < n; all dense. `acc` has room
  /// for n elements, for what is kept between some operands and the next.
  ///
  /// Requires: count > 0; y is exactly one of the operands or shares no memory with any; with past_caches,
  /// StoreFence follows at the end.
  void (*join_many)(const Operands& x, std::byte* acc, std::byte* y, std::size_t n, bool past_caches);
};

struct MoveKernels {
  /// out[i * times + k] = a[i] for i < n and k < times.
  ///
  /// Requires: 64 bytes behind the last element may be overwritten; out shares no memory with a.
  void (*spread)(Row a, std::size_t n, std::size_t times, std::byte* out);

  /// out[c * rows + r] = the element at from + r * row_stride + c * width, for r < rows and c < columns.
  ///
  /// Requires: out shares no memory with the source.
  void (*transpose)(const std::byte* from, std::ptrdiff_t row_stride, std::size_t rows, std::size_t columns,
                    std::byte* out);
};

struct FoldKernels {
  /// acc[j] = kBottom for j < n: the maximum of nothing (RED-6, RED-7). Accumulators lie side by side,
  /// aligned to the element's width at least.
  void (*clear)(std::byte* acc, std::size_t n);

  /// As reduce_runs, row after row: for elements that lie closest along the kept dimension.
  void (*fold_rows)(const Block& a, std::byte* acc);
};

struct RunKernels {
  /// acc[j] = Join(acc[j], max over i < reduced of a(j, i)) for j < kept, with kBottom for acc[j] if a.fresh;
  /// run after run: for elements that lie closest along the reduced dimension.
  ///
  /// Requires: acc shares no memory with a.
  void (*reduce_runs)(const Block& a, std::byte* acc);
};

/// The primitives for one element type.
struct RowKernels : JoinKernels, LineKernels, ManyKernels, MoveKernels, FoldKernels, RunKernels {};

/// The primitives for every type, as one instruction set has them.
struct KernelTable {
  std::string_view target;
  std::array<RowKernels, kAllDTypes.size()> rows;  // by DType

  const RowKernels& For(DType dtype) const { return rows[static_cast<std::size_t>(dtype)]; }
};

/// Makes what went past the caches visible to all, in the order of the program, before anything that follows.
void StoreFence();

/// Plain loops over the lane functions: right on every processor.
const KernelTable& PortableKernels();

/// The table that operators use: the best for this processor, or the one that UseKernels chose.
const KernelTable& ActiveKernels();

}  // namespace supremum::kernels

#endif  // SUPREMUM_SRC_KERNELS_KERNELS_H_
