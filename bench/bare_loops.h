// The limits: AVX2 loops over the same bytes as a case, to compare with. They have no rule of a type, so that
// their output is not a result.
#ifndef SUPREMUM_BENCH_BARE_LOOPS_H_
#define SUPREMUM_BENCH_BARE_LOOPS_H_

#include <cstddef>
#include <span>

namespace supremum::bench {

/// The bytes that replace smaller inputs: a tile in the first-level cache, and a vector more.
inline constexpr std::size_t kSmallBytes = 4096 + 32;

/// How the output is written.
enum class Store {
  kPlain,   ///< ordinary stores
  kStream,  ///< non-temporal stores
};

/// y = the maximum of `inputs`, each of `bytes` bytes, as many as y. Smaller inputs are replaced by the
/// kSmallBytes at `small`, which is null if there are none. Without inputs, y is the first vector of `small`.
///
/// Requires: y is 32-byte aligned; the processor has AVX2.
void BareMax(Store store, std::span<const std::byte* const> inputs, const std::byte* small, std::byte* y,
             std::size_t bytes);

/// Reads x and writes the maximum of its vectors to all of y: it moves the bytes of any reduction.
void BareReduce(Store store, const std::byte* x, std::size_t bytes, std::byte* y, std::size_t y_bytes);

}  // namespace supremum::bench

#endif  // SUPREMUM_BENCH_BARE_LOOPS_H_
