#include "bare_loops.h"

#include <algorithm>
#include <cstring>

#include "bare_ops.h"

namespace supremum::bench {
namespace {

constexpr std::size_t kVectorBytes = 32, kUnrolledVectors = 4;
constexpr std::size_t kTileBytes = 4096;      // a tile of several inputs stays in the first-level cache
constexpr std::size_t kMaxInputsPerPass = 8;  // a pass is a function for each number of inputs

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

template <class Op, Store kStore, std::size_t K>
void Pass(const std::byte* const* inputs, std::byte* y, std::size_t bytes) {
  const std::byte* in[K];
  std::copy(inputs, inputs + K, in);
  ForEach(
      bytes, [&](std::size_t i, bool last) __attribute__((always_inline)) {
        Vec x[K];
        for (std::size_t k = 0; k < K; ++k) x[k] = Load(in[k] + i);
        const Vec result = Op::template Of<K>(x);
        last ? Put<Store::kPlain>(result, y + i) : Put<kStore>(result, y + i);
      });
}

template <class Op, Store kStore>
void PassOf(std::size_t count, const std::byte* const* inputs, std::byte* y, std::size_t bytes) {
  using Function = void (*)(const std::byte* const*, std::byte*, std::size_t);
  static constexpr Function kPasses[kMaxInputsPerPass + 1] = {nullptr,
                                                              Pass<Op, kStore, 1>,
                                                              Pass<Op, kStore, 2>,
                                                              Pass<Op, kStore, 3>,
                                                              Pass<Op, kStore, 4>,
                                                              Pass<Op, kStore, 5>,
                                                              Pass<Op, kStore, 6>,
                                                              Pass<Op, kStore, 7>,
                                                              Pass<Op, kStore, 8>};
  kPasses[count](inputs, y, bytes);
}

// More inputs than one pass reads: tile by tile; `partial` is the maximum of the earlier passes.
template <class Op, Store kStore>
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
        PassOf<Op, kStore>(have, group, y + begin, n);
      } else {
        PassOf<Op, Store::kPlain>(have, group, last ? y + begin : partial, n);
      }
      group[0] = partial;
      have = 1;
    }
  }
}

// One full-size input and small ones, or only small ones.
template <class Op, Store kStore>
void WithSmall(const std::byte* input, const std::byte* small, std::byte* y, std::size_t bytes) {
  const Vec constant = Load(small);
  ForEach(
      bytes, [&](std::size_t i, bool last) __attribute__((always_inline)) {
        const std::byte* from = input != nullptr ? input + i : small + (i & (kTileBytes - 1));
        const Vec x[2] = {Load(from), constant};
        const Vec result = Op::template Of<2>(x);
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

template <class Op, Store kStore>
void Max(bool exact, std::span<const std::byte* const> inputs, const std::byte* small, std::byte* y,
         std::size_t bytes) {
  if (small == nullptr) {
    inputs.size() <= kMaxInputsPerPass ? PassOf<Op, kStore>(inputs.size(), inputs.data(), y, bytes)
                                       : Many<Op, kStore>(inputs, y, bytes);
  } else if (inputs.empty() && !exact) {
    FillWith<kStore>(Load(small), y, bytes);
  } else {
    WithSmall<Op, kStore>(inputs.empty() ? nullptr : inputs[0], small, y, bytes);
  }
  if (kStore == Store::kStream) _mm_sfence();
}

template <class Op, Store kStore>
void Reduce(const std::byte* x, std::size_t bytes, std::byte* y, std::size_t y_bytes) {
  // As many running maxima as the registers hold.
  constexpr std::size_t kAccs = sizeof(typename Op::Acc) == kVectorBytes ? 8 : 4;
  typename Op::Acc acc[kAccs];
  std::size_t i = 0;
  if (bytes >= kAccs * kVectorBytes) {
    for (std::size_t u = 0; u < kAccs; ++u) acc[u] = Op::First(Load(x + u * kVectorBytes));
    i = kAccs * kVectorBytes;
    constexpr std::size_t kStep = 2 * kAccs * kVectorBytes;
    for (; i + kStep <= bytes; i += kStep) {
      for (std::size_t u = 0; u < kAccs; ++u) {
        Op::Add(acc[u], Load(x + i + 2 * u * kVectorBytes), Load(x + i + (2 * u + 1) * kVectorBytes));
      }
    }
    for (std::size_t u = 1; u < kAccs; ++u) Op::Add(acc[0], acc[u]);
  } else {
    acc[0] = Op::First(Load(x));
  }
  for (; i + kVectorBytes <= bytes; i += kVectorBytes) Op::Add(acc[0], Load(x + i), Load(x + i));
  if (i < bytes && bytes >= kVectorBytes)
    Op::Add(acc[0], Load(x + bytes - kVectorBytes), Load(x + bytes - kVectorBytes));
  FillWith<kStore>(Op::Done(acc[0]), y, y_bytes);
  if (kStore == Store::kStream) _mm_sfence();
}

// Clears the upper halves of the registers. GCC does so at the end of a function, but not where it passes a
// vector on; SSE code that runs next, as that of the portable kernels, would take three times as long.
void LeaveAvx() { _mm256_zeroupper(); }

// Calls call.operator()<Op, store>() for a kernel.
template <class Call>
void Visit(BareKernel kernel, Call call) {
  const auto with = [&]<class Op>(Op) {
    if (kernel.store == Store::kStream) {
      call.template operator()<Op, Store::kStream>();
    } else {
      call.template operator()<Op, Store::kPlain>();
    }
  };
  switch (kernel.exact.value_or(DType::kInt32)) {
    case DType::kBFloat16:
      return with(BF16());
    case DType::kFloat16:
      return with(F16());
    case DType::kFloat32:
      return with(F32());
    case DType::kFloat64:
      return with(F64());
    case DType::kInt8:
      return with(I8());
    case DType::kInt16:
      return with(I16());
    case DType::kInt64:
      return with(I64());
    case DType::kUInt16:
      return with(U16());
    case DType::kUInt32:
      return with(U32());
    case DType::kUInt64:
      return with(U64());
    case DType::kUInt8:
    case DType::kBool:
      return with(U8());
    case DType::kInt32:
      return with(Plain());
  }
}

}  // namespace

void BareMax(BareKernel kernel, std::span<const std::byte* const> inputs, const std::byte* small,
             std::byte* y, std::size_t bytes) {
  Visit(kernel, [&]<class Op, Store kStore>() {
    Max<Op, kStore>(kernel.exact.has_value(), inputs, small, y, bytes);
  });
  LeaveAvx();
}

void BareReduce(BareKernel kernel, const std::byte* x, std::size_t bytes, std::byte* y, std::size_t y_bytes) {
  Visit(kernel, [&]<class Op, Store kStore>() { Reduce<Op, kStore>(x, bytes, y, y_bytes); });
  LeaveAvx();
}

}  // namespace supremum::bench
