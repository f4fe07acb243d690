// Random tensors that depend only on a seed.
#ifndef SUPREMUM_TOOLS_CLI_RANDOM_H_
#define SUPREMUM_TOOLS_CLI_RANDOM_H_

#include <cstdint>
#include <string_view>

#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum::cli {

/// SplitMix64, Steele, Lea and Flood 2014: the same numbers from the same seed on every machine.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Next() {
    state_ += 0x9E3779B97F4A7C15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

/// A tensor with elements of the kind `values`:
///
///   random   integers and bools: all values are equally likely; floats: uniform between -1 and 1, namely
///            all multiples of 2^-p with magnitudes below 1, where p is the type's precision (8, 11, 24 or
///            53); -0 too
///   bits     random bits: floats include NaNs, infinities and numbers of every magnitude
///   edge     edge values of the type, all equally likely. Floats, with either sign: zero, the least and the
///            greatest subnormal, the least normal number, 1 and its two neighbours, the greatest number,
///            infinity, and three NaNs: a quiet one, a signaling one, one with all bits set. Integers: zero,
///            one, the limits of the type and their neighbours, and the values around the sign bit
///
/// Errors: those of Tensor::Create.
Result<Tensor> TensorOf(std::string_view values, DType dtype, DimsView shape, std::uint64_t seed,
                        std::int64_t max_bytes);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_RANDOM_H_
