#include "cli/random.h"

#include <bit>
#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "cli/element.h"

namespace supremum::cli {
namespace {

/// The bits of 1.0 have the exponent field of +inf without its highest and with one bit less:
///
///   +inf 0 11111 0000000000      1.0 0 01111 0000000000      (float16)
///
/// so that 1.0 is half of +inf, rounded down to the field.
template <Element T>
constexpr BitsOf<T> kOneBits = static_cast<BitsOf<T>>((kInfinityBits<T> >> 1) & kInfinityBits<T>);
static_assert(kOneBits<float> == std::bit_cast<std::uint32_t>(1.0f));
static_assert(kOneBits<double> == std::bit_cast<std::uint64_t>(1.0));

template <Element T>
T Draw(SplitMix64& random) {
  if constexpr (kIsFloat<T>) {
    // A sign and `kDigits` bits, which are the multiple of 2^-kDigits: k = 0..01xx has the exponent of its
    // first bit, and the bits after it as the fraction.
    constexpr int kFraction = std::countr_zero(kInfinityBits<T>);
    constexpr int kDigits = kFraction + 1;
    const std::uint64_t drawn = random.Next() >> (63 - kDigits);
    const auto sign = static_cast<BitsOf<T>>(drawn >> kDigits == 0 ? BitsOf<T>{0} : kSignBit<T>);
    const std::uint64_t k = drawn & ((std::uint64_t{1} << kDigits) - 1);
    if (k == 0) return std::bit_cast<T>(sign);
    const int below = kDigits - static_cast<int>(std::bit_width(k));  // zeros before the first bit
    const std::uint64_t exponent =
        (std::uint64_t{kOneBits<T>} >> kFraction) - static_cast<std::uint64_t>(below) - 1;
    const std::uint64_t fraction = (k << below) & ((std::uint64_t{1} << kFraction) - 1);
    return std::bit_cast<T>(static_cast<BitsOf<T>>(sign | (exponent << kFraction) | fraction));
  } else if constexpr (std::is_same_v<T, bool>) {
    return (random.Next() >> 63) != 0;
  } else {
    constexpr int kBits = std::numeric_limits<BitsOf<T>>::digits;
    return std::bit_cast<T>(static_cast<BitsOf<T>>(random.Next() >> (64 - kBits)));
  }
}

template <Element T>
T DrawBits(SplitMix64& random) {
  if constexpr (std::is_same_v<T, bool>) {
    return (random.Next() >> 63) != 0;
  } else {
    return std::bit_cast<T>(static_cast<BitsOf<T>>(random.Next()));
  }
}

/// The edge values of the type, as bits.
template <Element T>
std::vector<BitsOf<T>> Edges() {
  using Word = BitsOf<T>;
  constexpr Word kAll = static_cast<Word>(~Word{0});
  if constexpr (std::is_same_v<T, bool>) {
    return {0, 1};
  } else if constexpr (!kIsFloat<T>) {
    constexpr Word kSign = kSignBit<T>;
    return {0,
            1,
            Word{kSign - 1},
            kSign,
            static_cast<Word>(kSign + 1),
            Word{kAll - 1},
            kAll,
            static_cast<Word>(kSign - 2)};
  } else {
    constexpr Word kInfinity = kInfinityBits<T>;
    constexpr Word kLeastNormal = static_cast<Word>(kInfinity & (~kInfinity + 1));  // the exponent's last bit
    constexpr Word kOne = kOneBits<T>;
    const Word magnitudes[] = {0,
                               1,
                               static_cast<Word>(kLeastNormal - 1),
                               kLeastNormal,
                               static_cast<Word>(kOne - 1),
                               kOne,
                               static_cast<Word>(kOne + 1),
                               static_cast<Word>(kInfinity - 1),
                               kInfinity,
                               static_cast<Word>(kInfinity | kLeastNormal >> 1),
                               static_cast<Word>(kInfinity | 1),
                               static_cast<Word>(kAll & ~kSignBit<T>)};
    std::vector<Word> edges;
    for (Word magnitude : magnitudes) {
      edges.push_back(magnitude);
      edges.push_back(static_cast<Word>(magnitude | kSignBit<T>));
    }
    return edges;
  }
}

}  // namespace

Result<Tensor> TensorOf(std::string_view values, DType dtype, DimsView shape, std::uint64_t seed,
                        std::int64_t max_bytes) {
  Result<Tensor> tensor = Tensor::Create(dtype, shape, max_bytes);
  if (!tensor) return tensor;
  SplitMix64 random(seed);
  VisitDType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const std::span<T> elements = tensor->template Elements<T>();
    if (values == "edge") {
      // The remainder favours no edge by more than one in 2^59.
      const std::vector<BitsOf<T>> edges = Edges<T>();
      for (T& element : elements) element = std::bit_cast<T>(edges[random.Next() % edges.size()]);
    } else if (values == "bits") {
      for (T& element : elements) element = DrawBits<T>(random);
    } else {
      for (T& element : elements) element = Draw<T>(random);
    }
  });
  return tensor;
}

}  // namespace supremum::cli
