#include "bare_loops.h"

#include <immintrin.h>

#include <algorithm>
#include <cstring>

namespace supremum::bench {
namespace {

constexpr std::size_t kVectorBytes = 32, kUnrolledVectors = 4;
constexpr std::size_t kTileBytes = 4096;      // a tile of several inputs stays in the first-level cache
constexpr std::size_t kMaxInputsPerPass = 8;  // a pass is a function for each number of inputs

// In a struct, since a template argument loses the alignment of __m256i.
struct Vec {
  __m256i v;
};

Vec Max(Vec a, Vec b) { return {_mm256_max_epi32(a.v, b.v)}; }

Vec Load(const std::byte* from) { return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))}; }

template <Store kStore>
void Put(Vec a, std::byte* to) {
  if constexpr (kStore == Store::kStream) {
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to), a.v);
  } else {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), a.v);
  }
}

// Calls step(i, last) for every vector; the last one overlaps the one before. Fewer bytes than a vector are
// not handled.
template <class Vectors>
void ForEach(std::size_t bytes, Vectors step) {
  std::size_t i = 0;
  for (; i + kUnrolledVectors * kVectorBytes <= bytes; i += kUnrolledVectors * kVectorBytes) {
    for (std::size_t u = 0; u < kUnrolledVectors; ++u) step(i + u * kVectorBytes, false);
  }
  for (; i + kVectorBytes <= bytes; i += kVectorBytes) step(i, false);
  if (i < bytes && bytes >= kVectorBytes) step(bytes - kVectorBytes, true);
}

template <Store kStore, std::size_t K>
void Pass(const std::byte* const* inputs, std::byte* y, std::size_t bytes) {
  const std::byte* in[K];
  std::copy(inputs, inputs + K, in);
  ForEach(
      bytes, [&](std::size_t i, bool last) __attribute__((always_inline)) {
        Vec result = Load(in[0] + i);
        for (std::size_t k = 1; k < K; ++k) result = Max(result, Load(in[k] + i));
        last ? Put<Store::kPlain>(result, y + i) : Put<kStore>(result, y + i);
      });
}

template <Store kStore>
void PassOf(std::size_t count, const std::byte* const* inputs, std::byte* y, std::size_t bytes) {
  using Function = void (*)(const std::byte* const*, std::byte*, std::size_t);
  static constexpr Function kPasses[kMaxInputsPerPass + 1] = {
      nullptr,         Pass<kStore, 1>, Pass<kStore, 2>, Pass<kStore, 3>, Pass<kStore, 4>,
      Pass<kStore, 5>, Pass<kStore, 6>, Pass<kStore, 7>, Pass<kStore, 8>};
  kPasses[count](inputs, y, bytes);
}

// More inputs than one pass reads: tile by tile; `partial` is the maximum of the earlier passes.
template <Store kStore>
void Many(std::span<const std::byte* const> inputs, std::byte* y, std::size_t bytes) {
  alignas(kVectorBytes) std::byte partial[kTileBytes];
  for (std::size_t at = 0; at < bytes; at += kTileBytes) {
    // A tile shorter than a vector would not be written: it begins a vector earlier.
    const std::size_t begin = bytes - at < kVectorBytes && at >= kTileBytes ? at - kVectorBytes : at;
    const std::size_t n = std::min(kTileBytes, bytes - begin);
    const std::byte* group[kMaxInputsPerPass];
    std::size_t m = 0, have = 0;
    while (m < inputs.size()) {
      for (; have < kMaxInputsPerPass && m < inputs.size(); ++have) group[have] = inputs[m++] + begin;
      const bool last = m == inputs.size();
      if (last && begin == at) {
        PassOf<kStore>(have, group, y + begin, n);
      } else {
        PassOf<Store::kPlain>(have, group, last ? y + begin : partial, n);
      }
      group[0] = partial;
      have = 1;
    }
  }
}

// One full-size input and small ones.
template <Store kStore>
void WithSmall(const std::byte* input, const std::byte* small, std::byte* y, std::size_t bytes) {
  const Vec constant = Load(small);
  ForEach(
      bytes, [&](std::size_t i, bool last) __attribute__((always_inline)) {
        const Vec result = Max(Load(input + i), constant);
        last ? Put<Store::kPlain>(result, y + i) : Put<kStore>(result, y + i);
      });
}

template <Store kStore>
void FillWith(Vec value, std::byte* y, std::size_t bytes) {
  ForEach(
      bytes, [&](std::size_t i, bool last) __attribute__((always_inline)) {
        last ? Put<Store::kPlain>(value, y + i) : Put<kStore>(value, y + i);
      });
  if (bytes < kVectorBytes) std::memcpy(y, &value, bytes);
}

template <Store kStore>
void Join(std::span<const std::byte* const> inputs, const std::byte* small, std::byte* y, std::size_t bytes) {
  if (small == nullptr) {
    inputs.size() <= kMaxInputsPerPass ? PassOf<kStore>(inputs.size(), inputs.data(), y, bytes)
                                       : Many<kStore>(inputs, y, bytes);
  } else if (inputs.empty()) {
    FillWith<kStore>(Load(small), y, bytes);
  } else {
    WithSmall<kStore>(inputs[0], small, y, bytes);
  }
  if (kStore == Store::kStream) _mm_sfence();
}

Vec Greatest(const std::byte* x, std::size_t bytes) {
  constexpr std::size_t kAccs = 8;  // as many running maxima as the registers hold
  Vec acc[kAccs];
  std::size_t i = 0;
  if (bytes >= kAccs * kVectorBytes) {
    for (std::size_t u = 0; u < kAccs; ++u) acc[u] = Load(x + u * kVectorBytes);
    i = kAccs * kVectorBytes;
    for (; i + kAccs * kVectorBytes <= bytes; i += kAccs * kVectorBytes) {
      for (std::size_t u = 0; u < kAccs; ++u) acc[u] = Max(acc[u], Load(x + i + u * kVectorBytes));
    }
    for (std::size_t u = 1; u < kAccs; ++u) acc[0] = Max(acc[0], acc[u]);
  } else {
    acc[0] = Load(x);
  }
  for (; i + kVectorBytes <= bytes; i += kVectorBytes) acc[0] = Max(acc[0], Load(x + i));
  if (i < bytes && bytes >= kVectorBytes) acc[0] = Max(acc[0], Load(x + bytes - kVectorBytes));
  return acc[0];
}

// Clears the upper halves of the registers. GCC does so at the end of a function, but not where it passes a
// vector on; SSE code that runs next, as that of the portable kernels, would take three times as long.
void LeaveAvx() { _mm256_zeroupper(); }

}  // namespace

void BareMax(Store store, std::span<const std::byte* const> inputs, const std::byte* small, std::byte* y,
             std::size_t bytes) {
  store == Store::kStream ? Join<Store::kStream>(inputs, small, y, bytes)
                          : Join<Store::kPlain>(inputs, small, y, bytes);
  LeaveAvx();
}

void BareReduce(Store store, const std::byte* x, std::size_t bytes, std::byte* y, std::size_t y_bytes) {
  const Vec greatest = Greatest(x, bytes);
  store == Store::kStream ? FillWith<Store::kStream>(greatest, y, y_bytes)
                          : FillWith<Store::kPlain>(greatest, y, y_bytes);
  if (store == Store::kStream) _mm_sfence();
  LeaveAvx();
}

}  // namespace supremum::bench
