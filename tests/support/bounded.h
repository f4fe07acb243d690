// Random tensors with bounds of their errors, for every type.
#ifndef SUPREMUM_TESTS_SUPPORT_BOUNDED_H_
#define SUPREMUM_TESTS_SUPPORT_BOUNDED_H_

#include <cstdint>
#include <vector>

#include "support/rational.h"
#include "support/values.h"
#include "supremum/shape.h"

namespace supremum::test {

/// A tensor and the bound of its errors, which broadcasts to it.
struct BoundedTensor {
  StridedTensor value, bound;
};

/// What the elements are like.
enum class Kind {
  kAnything,  ///< NaNs and infinities too
  kFinite,
  kClose,     ///< finite, all values next to each other
  kOneBound,  ///< finite, all bounds the same: whatever wins has the largest
};

class BoundedTensors {
 public:
  BoundedTensors(Rng& rng, DType dtype, Kind kind)
      : rng_(rng), dtype_(dtype), kind_(kind), special_(SpecialBits(dtype)), base_(Value()), one_(Bound()) {}

  BoundedTensor Make(const Shape& shape) {
    using Layout = StridedTensor::Layout;
    using Use = StridedTensor::Use;
    const auto layout = Below(rng_, 2) == 0 ? Layout::kDense : Layout::kAny;
    BoundedTensor made{StridedTensor(rng_, dtype_, shape, layout, Use::kInput),
                       StridedTensor(rng_, dtype_, BoundShape(shape), layout, Use::kInput)};
    std::vector<std::uint64_t> bits(made.value.Elements().size());
    for (std::uint64_t& one : bits) {
      one = kind_ == Kind::kClose && Below(rng_, 8) != 0 ? Number(base_ ^ (rng_() & 3)) : Value();
    }
    made.value.Set(bits);
    bits.resize(made.bound.Elements().size());
    for (std::uint64_t& one : bits) one = kind_ == Kind::kOneBound ? one_ : Bound();
    made.bound.Set(bits);
    return made;
  }

 private:
  // Of the value's rank or less, extents of 1 now and then.
  Shape BoundShape(const Shape& shape) {
    Shape bound;
    const std::size_t missing = Below(rng_, 3) == 0 ? Below(rng_, shape.rank() + 1) : 0;
    for (std::size_t d = missing; d < shape.rank(); ++d) bound.PushBack(Below(rng_, 4) == 0 ? 1 : shape[d]);
    return bound;
  }

  // A number instead of a NaN or an infinity, unless anything goes; 0 or 1 for a bool.
  std::uint64_t Number(std::uint64_t bits) const {
    if (dtype_ == DType::kBool) return bits & 1;
    const bool finite = kind_ == Kind::kAnything || RationalOf(dtype_, bits);
    return finite ? bits : bits ^ (SignBit(dtype_) >> 1);
  }

  std::uint64_t Value() { return Number(RandomBits(rng_, dtype_, special_)); }

  // Not negative: zero, anything, or of the size of the values.
  std::uint64_t Bound() {
    const std::uint64_t all =
        SignBit(dtype_) - 1 + (IsFloat(dtype_) || IsSigned(dtype_) ? 0 : SignBit(dtype_));
    switch (Below(rng_, 4)) {
      case 0:
        return 0;
      case 1:
        return Number(base_ & all);
      case 2:
        return Number((rng_() >> Below(rng_, 64)) & all);
      default:
        return Number(RandomBits(rng_, dtype_, special_) & all);
    }
  }

  Rng& rng_;
  DType dtype_;
  Kind kind_;
  std::vector<std::uint64_t> special_;
  std::uint64_t base_;
  std::uint64_t one_;
};

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_BOUNDED_H_
