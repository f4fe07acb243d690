#include "random.h"

#include <bit>
#include <limits>
#include <type_traits>

#include "element.h"

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
  // The upper bits of a draw.
  constexpr int kShift = 64 - std::numeric_limits<BitsOf<T>>::digits;
  if constexpr (kIsFloat<T>) {
    constexpr auto kMask = static_cast<BitsOf<T>>((BitsOf<T>{1} << std::bit_width(kOneBits<T>)) - 1);
    for (;;) {
      const auto bits = static_cast<BitsOf<T>>(random.Next() >> kShift);
      const auto magnitude = static_cast<BitsOf<T>>(bits & kMask);
      // Drawing again, rather than a remainder, makes every magnitude exactly as likely as any other.
      if (magnitude < kOneBits<T>)
        return std::bit_cast<T>(static_cast<BitsOf<T>>(magnitude | (bits & kSignBit<T>)));
    }
  } else if constexpr (std::is_same_v<T, bool>) {
    return (random.Next() >> 63) != 0;
  } else {
    return std::bit_cast<T>(static_cast<BitsOf<T>>(random.Next() >> kShift));
  }
}

}  // namespace

Result<Tensor> RandomTensor(DType dtype, DimsView shape, std::uint64_t seed, std::int64_t max_bytes) {
  Result<Tensor> tensor = Tensor::Create(dtype, shape, max_bytes);
  if (!tensor) return tensor;
  SplitMix64 random(seed);
  VisitDType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (T& element : tensor->template Elements<T>()) element = Draw<T>(random);
  });
  return tensor;
}

}  // namespace supremum::cli
