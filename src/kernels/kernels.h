// The row primitives that the operators are made of: one table for each target.
#ifndef SUPREMUM_SRC_KERNELS_KERNELS_H_
#define SUPREMUM_SRC_KERNELS_KERNELS_H_

#include <array>
#include <cstddef>
#include <string_view>

#include "supremum/dtype.h"

namespace supremum::kernels {

/// A row that is read: element i is at data + i * stride. Strides are in bytes, of any sign, zero included;
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

/// Blocks of lines that are read. Line j of block k begins at begin = data + k * block_stride + j *
/// line_stride. Its element i is at begin + i / repeat_count * width. With `backwards` it is at begin - i *
/// width, and repeat_count is 1.
///
// clang-format off
///   data
///   v
///   |line 0      |line 1      | ... |line lines-1|      block 0
///   |<---------->| line_stride
///   |line 0      |line 1      | ... |line lines-1|      block 1, block_stride bytes after block 0
///   ...                                                 block blocks-1
///
///   one line of n = 6 elements     in memory                      as read
///     dense,   repeat_count 1      a0 a1 a2 a3 a4 a5              a0 a1 a2 a3 a4 a5
///     repeat,  repeat_count 3      a0 a1                          a0 a0 a0 a1 a1 a1
///     scalar,  repeat_count >= n   a0                             a0 a0 a0 a0 a0 a0
///     backwards                    a5 a4 a3 a2 a1 a0 <- data      a0 a1 a2 a3 a4 a5
// clang-format on
struct Lines {
  const std::byte* data;
  std::ptrdiff_t block_stride;
  std::ptrdiff_t line_stride;
  std::size_t repeat_count;
  bool backwards;

  bool IsDense() const { return repeat_count == 1 && !backwards; }
};

/// The largest repeat count of a line that is neither dense nor a scalar, and the largest number of elements
/// of such a line. Chosen by estimate; no benchmark line yet. The second also keeps the division by
/// repeat_count exact (simd_line-inl.h).
inline constexpr std::size_t kMaxRepeatCount = 128;
inline constexpr std::size_t kMaxRepeatLineElements = 1 << 16;

/// Blocks of dense lines of n elements that are written; strides and picture as for Lines. With
/// `non_temporal`, they are not read again soon and are written by non-temporal stores.
struct LinesTo {
  std::byte* data;
  std::ptrdiff_t block_stride;
  std::ptrdiff_t line_stride;
  std::size_t blocks;
  std::size_t lines;
  std::size_t n;
  bool non_temporal;
};

/// Dense inputs with equal strides: input m begins at from[m] + offset.
struct DenseInputs {
  const std::byte* const* from;
  std::size_t count;
  std::ptrdiff_t offset;
};

/// A block to fold into a row of accumulators: kept x reduced elements become `kept` elements. Element (j, i)
/// of a block is at data + j * kept_stride + i * reduced_stride. Strides and `data` as in Row. Several blocks
/// can be folded by one call: block b begins b * block_stride bytes after the first one, and its accumulators
/// follow those of block b - 1.
///
// clang-format off
///   reduce_runs: reduced_stride is the smaller one         fold_rows: kept_stride is the smaller one
///
///   run j=0      |i=0 i=1 ... reduced-1| -> acc[0]         row i=0         |j=0    j=1    ... kept-1     |
///   run j=1      |i=0 i=1 ... reduced-1| -> acc[1]         row i=1         |j=0    j=1    ... kept-1     |
///   ...                                                    ...               v      v         v
///   run kept-1   |i=0 i=1 ... reduced-1| -> acc[kept-1]    row reduced-1   acc[0] acc[1] ... acc[kept-1]
// clang-format on
struct Block {
  const std::byte* data;
  std::ptrdiff_t kept_stride;
  std::ptrdiff_t reduced_stride;
  std::size_t kept;
  std::size_t reduced;
  bool fresh;  ///< the accumulators are uninitialised: they are written, not joined
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

  /// The largest stride, in elements, with which `join` reads two rows of at least a vector by vectors, and
  /// the bytes of a vector.
  std::size_t max_step = 1, vector_bytes = 0;
};

struct LineKernels {
  /// y = Join(a, b), element by element, line after line.
  ///
  /// Requires: a or b is dense. If the other operand repeats its elements and is no scalar, repeat_count is
  /// at most kMaxRepeatCount, and n at most kMaxRepeatLineElements. The output is exactly a or exactly b,
  /// which is dense, or shares no memory with them. With y.non_temporal, the caller calls StoreFence at the
  /// end.
  void (*join_lines)(const Lines& a, const Lines& b, const LinesTo& y);
};

struct ManyKernels {
  /// y[i] = max over m < count of the i-th element at from[m] + offset, for i < n; all dense. The temporary
  /// buffer `acc` has room for n elements: the maximum of the inputs of earlier passes.
  ///
  /// Requires: count > 0; y is exactly one of the inputs or shares no memory with any; with non_temporal, the
  /// caller calls StoreFence at the end.
  void (*join_many)(const DenseInputs& x, std::byte* acc, std::byte* y, std::size_t n, bool non_temporal);
};

struct MoveKernels {
  /// out[i * repeat_count + k] = a[i] for i < n and k < repeat_count.
  ///
  /// Requires: 64 bytes after the last element may be overwritten; out shares no memory with a.
  void (*repeat)(Row a, std::size_t n, std::size_t repeat_count, std::byte* out);

  /// out[c * rows + r] = the element at from + r * row_stride + c * width, for r < rows and c < columns.
  ///
  /// Requires: out shares no memory with the source.
  void (*transpose)(const std::byte* from, std::ptrdiff_t row_stride, std::size_t rows, std::size_t columns,
                    std::byte* out);
};

struct FoldKernels {
  /// acc[j] = kBottom for j < n: the identity element of Join, the maximum of no elements (RED-6, RED-7).
  /// Accumulators are contiguous and aligned to the element's width at least.
  void (*clear)(std::byte* acc, std::size_t n);

  /// As reduce_runs, row after row: for blocks whose kept_stride is smaller than reduced_stride.
  void (*fold_rows)(const Block& a, std::byte* acc);
};

struct RunKernels {
  /// acc[j] = Join(acc[j], max over i < reduced of a(j, i)) for j < kept, with kBottom for acc[j] if a.fresh;
  /// run after run: for blocks whose reduced_stride is smaller than kept_stride.
  ///
  /// Requires: acc shares no memory with a.
  void (*reduce_runs)(const Block& a, std::byte* acc);
};

/// The primitives for one element type.
struct RowKernels : JoinKernels, LineKernels, ManyKernels, MoveKernels, FoldKernels, RunKernels {};

/// The primitives for every type, compiled for one instruction set.
struct KernelTable {
  std::string_view target;
  std::array<RowKernels, kAllDTypes.size()> rows;  // by DType

  const RowKernels& For(DType dtype) const { return rows[static_cast<std::size_t>(dtype)]; }
};

/// Store fence: makes non-temporal stores visible to other threads before any later store.
void StoreFence();

/// Plain loops over the lane functions, for every processor.
const KernelTable& PortableKernels();

/// The table that operators use: the best for this processor, or the one that UseKernels chose.
const KernelTable& ActiveKernels();

}  // namespace supremum::kernels

#endif  // SUPREMUM_SRC_KERNELS_KERNELS_H_
