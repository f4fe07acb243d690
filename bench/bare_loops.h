// The limits: hand-written AVX2 loops over the same bytes as a case, as nobody could use them, to compare
// with.
#ifndef SUPREMUM_BENCH_BARE_LOOPS_H_
#define SUPREMUM_BENCH_BARE_LOOPS_H_

#include <cstddef>
#include <optional>
#include <span>

#include "supremum/dtype.h"

namespace supremum::bench {

/// A tile of the first-level cache, and a vector more.
inline constexpr std::size_t kSmallBytes = 4096 + 32;

/// How the output is written: through the caches, or past them (non-temporal).
enum class Store { kPlain, kStream };

/// One loop: its operation by type, or none (the limit proper).
struct BareKernel {
  std::optional<DType> exact;  ///< with the NaN and zero rule of this type; nullopt: with no rule
  Store store = Store::kPlain;
};

/// y = the maximum of `inputs`, each of `bytes` bytes like y. `small`: kSmallBytes that stand for all
/// smaller inputs, or null if there are none; with no input at all, y is a maximum of what the small inputs
/// hold.
///
/// Requires: y is 32-byte aligned; the processor has AVX2.
void BareMax(BareKernel kernel, std::span<const std::byte* const> inputs, const std::byte* small,
             std::byte* y, std::size_t bytes);

/// Reads x and writes the maximum of its vectors over all of y: the bytes of any reduction.
void BareReduce(BareKernel kernel, const std::byte* x, std::size_t bytes, std::byte* y, std::size_t y_bytes);

/// y[i][j] = max(x[j][i], b[i][j]) with no rule: an n x n matrix, transposed in 16-byte blocks, tile by tile.
///
/// Requires: n * width is a multiple of 64, n of 16.
void BareTransposedMax(std::size_t width, const std::byte* x, const std::byte* b, std::byte* y,
                       std::size_t n);

}  // namespace supremum::bench

#endif  // SUPREMUM_BENCH_BARE_LOOPS_H_
