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

/// The primitives for one element type.
struct RowKernels {
  /// y[i] = Join(a[i], b[i]) for i < n.
  ///
  /// Requires: y is exactly a, exactly b, or shares no memory with either.
  void (*join)(Row a, Row b, MutableRow y, std::size_t n);

  /// y[i] = Join(a[i], a[i]) for i < n: a copy in which every NaN is the canonical one (ORD-4).
  ///
  /// Requires: y is exactly a, or shares no memory with it.
  void (*copy)(Row a, MutableRow y, std::size_t n);

  /// The same as join with an output that is not read again soon: it goes past the caches to memory. Ends
  /// with WaitForMemory, called by whoever calls this last.
  ///
  /// Requires: y is dense and aligned to an element; a and b are dense or a scalar (stride 0).
  void (*join_past_caches)(Row a, Row b, std::byte* y, std::size_t n);

  /// out[i * times + k] = a[i] for i < n and k < times.
  ///
  /// Requires: 64 bytes behind the last element may be overwritten; out shares no memory with a.
  void (*spread)(Row a, std::size_t n, std::size_t times, std::byte* out);

  /// acc[j] = kBottom for j < n: the maximum of nothing (RED-6, RED-7). Accumulators lie side by side,
  /// aligned to the element's width at least.
  void (*clear)(std::byte* acc, std::size_t n);

  /// acc[j] = Join(acc[j], max over i < reduced of a(j, i)) for j < kept, with kBottom for acc[j] if a.fresh;
  /// run after run: for elements that lie closest along the reduced dimension.
  ///
  /// Requires: acc shares no memory with a.
  void (*reduce_runs)(const Block& a, std::byte* acc);

  /// The same, row after row: for elements that lie closest along the kept dimension.
  void (*fold_rows)(const Block& a, std::byte* acc);
};

/// The primitives for every type, as one instruction set has them.
struct KernelTable {
  std::string_view target;
  std::array<RowKernels, kAllDTypes.size()> rows;  // by DType

  const RowKernels& For(DType dtype) const { return rows[static_cast<std::size_t>(dtype)]; }
};

/// Makes what went past the caches visible to all, in the order of the program, before anything that follows.
void WaitForMemory();

/// Plain loops over the lane functions: right on every processor.
const KernelTable& PortableKernels();

/// The table that operators use: the best for this processor, or the one that UseKernels chose.
const KernelTable& ActiveKernels();

}  // namespace supremum::kernels

#endif  // SUPREMUM_SRC_KERNELS_KERNELS_H_
