// The limits: hand-written AVX2 loops over the same bytes as a case, to compare with. Without the rule of a
// type, their output is not a result.
#ifndef SUPREMUM_BENCH_BARE_LOOPS_H_
#define SUPREMUM_BENCH_BARE_LOOPS_H_

#include <cstddef>
#include <optional>
#include <span>

#include "supremum/dtype.h"

namespace supremum::bench {

/// The bytes that replace smaller inputs: a tile in the first-level cache, and a vector more.
inline constexpr std::size_t kSmallBytes = 4096 + 32;

/// How the output is written.
enum class Store {
  kPlain,   ///< ordinary stores
  kStream,  ///< non-temporal stores
};

/// One loop: its operation by type, or none (the limit proper).
struct BareKernel {
  std::optional<DType> exact;  ///< with the NaN and zero rule of this type; nullopt: with no rule
  Store store = Store::kPlain;
};

/// y = the maximum of `inputs`, each of `bytes` bytes, as many as y. `small`: kSmallBytes that replace all
/// smaller inputs, or null if there are none; without inputs, y is a maximum of the bytes of `small`.
///
/// Requires: y is 32-byte aligned; the processor has AVX2.
void BareMax(BareKernel kernel, std::span<const std::byte* const> inputs, const std::byte* small,
             std::byte* y, std::size_t bytes);

/// Reads x and writes the maximum of its vectors to all of y: it moves the bytes of any reduction.
void BareReduce(BareKernel kernel, const std::byte* x, std::size_t bytes, std::byte* y, std::size_t y_bytes);

/// y[i][j] = max(x[j][i], b[i][j]) with no rule: an n x n matrix, transposed in 16-byte blocks, tile by tile.
///
/// Requires: n * width is a multiple of 64, n of 16.
void BareTransposedMax(std::size_t width, const std::byte* x, const std::byte* b, std::byte* y,
                       std::size_t n);

}  // namespace supremum::bench

#endif  // SUPREMUM_BENCH_BARE_LOOPS_H_
