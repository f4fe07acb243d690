// The lower bound of a Max of a transposed matrix and a plain one, which no loop over contiguous bytes
// models.
#include <immintrin.h>

#include <array>
#include <cstddef>

#include "bare_loops.h"

namespace supremum::bench {
namespace {

struct Half {
  __m128i v;
};

template <std::size_t kWidth>
Half Low(Half a, Half b) {
  if constexpr (kWidth == 1) return {_mm_unpacklo_epi8(a.v, b.v)};
  if constexpr (kWidth == 2) return {_mm_unpacklo_epi16(a.v, b.v)};
  if constexpr (kWidth == 4) return {_mm_unpacklo_epi32(a.v, b.v)};
  if constexpr (kWidth == 8) return {_mm_unpacklo_epi64(a.v, b.v)};
}

template <std::size_t kWidth>
Half High(Half a, Half b) {
  if constexpr (kWidth == 1) return {_mm_unpackhi_epi8(a.v, b.v)};
  if constexpr (kWidth == 2) return {_mm_unpackhi_epi16(a.v, b.v)};
  if constexpr (kWidth == 4) return {_mm_unpackhi_epi32(a.v, b.v)};
  if constexpr (kWidth == 8) return {_mm_unpackhi_epi64(a.v, b.v)};
}

// y = max(transposed x, b) on a square of 16 / kWidth elements: each round interleaves the upper half of the
// rows with the lower.
template <std::size_t kWidth>
void Square(const std::byte* x, const std::byte* b, std::byte* y, std::size_t stride) {
  constexpr std::size_t kRows = 16 / kWidth;
  std::array<Half, kRows> rows, mixed;
  for (std::size_t r = 0; r < kRows; ++r)
    rows[r].v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(x + r * stride));
  for (std::size_t round = 1; round < kRows; round *= 2) {
    for (std::size_t r = 0; r < kRows / 2; ++r) {
      mixed[2 * r] = Low<kWidth>(rows[r], rows[r + kRows / 2]);
      mixed[2 * r + 1] = High<kWidth>(rows[r], rows[r + kRows / 2]);
    }
    rows = mixed;
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    const __m128i other = _mm_loadu_si128(reinterpret_cast<const __m128i*>(b + r * stride));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(y + r * stride), _mm_max_epi32(rows[r].v, other));
  }
}

template <std::size_t kWidth>
void Transposed(const std::byte* x, const std::byte* b, std::byte* y, std::size_t n) {
  constexpr std::size_t kRows = 16 / kWidth, kTileElements = 64 / kWidth;  // a tile is a cache line wide
  const std::size_t stride = n * kWidth;
  for (std::size_t i0 = 0; i0 < n; i0 += kTileElements) {
    for (std::size_t j0 = 0; j0 < n; j0 += kTileElements) {
      for (std::size_t i = i0; i < i0 + kTileElements; i += kRows) {
        for (std::size_t j = j0; j < j0 + kTileElements; j += kRows) {
          const std::size_t at = i * stride + j * kWidth;
          Square<kWidth>(x + j * stride + i * kWidth, b + at, y + at, stride);
        }
      }
    }
  }
}

}  // namespace

void BareTransposedMax(std::size_t width, const std::byte* x, const std::byte* b, std::byte* y,
                       std::size_t n) {
  switch (width) {
    case 1:
      return Transposed<1>(x, b, y, n);
    case 2:
      return Transposed<2>(x, b, y, n);
    case 4:
      return Transposed<4>(x, b, y, n);
    default:
      return Transposed<8>(x, b, y, n);
  }
}

}  // namespace supremum::bench
