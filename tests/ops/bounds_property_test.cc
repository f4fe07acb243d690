// Compares the bounds of MaxWithBounds and ReduceMaxWithBounds with true results: the unit verification of
// numerical accuracy (ACC-1..4). True results are computed in exact rational arithmetic.
#include <gmpxx.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "lane/enclose.h"
#include "support/configurations.h"
#include "support/rational.h"
#include "support/values.h"
#include "supremum/bounds.h"
#include "supremum/reference.h"
#include "supremum/shape.h"

namespace supremum {
namespace {

using test::Below;
using test::RationalOf;
using test::Rng;
using test::StridedTensor;
using Layout = StridedTensor::Layout;
using Use = StridedTensor::Use;

/// A computed number and the exact number that it approximates. Comparisons use the computed number, because
/// a program does not know the exact one.
struct Tracked {
  mpq_class computed;
  mpq_class exact;

  mpq_class Error() const { return abs(computed - exact); }
  friend bool operator<(const Tracked& a, const Tracked& b) { return a.computed < b.computed; }
};

/// The maximum of two such numbers: what a program takes for it, and the maximum of what is true, which may
/// be the other operand's.
struct TrackedJoin {
  Tracked operator()(const Tracked& a, const Tracked& b) const {
    return {reference::JoinBy<std::less<Tracked>>{}(a, b).computed, std::max(a.exact, b.exact)};
  }
};

using TrackedTensor = reference::Tensor<Tracked>;

/// A tensor and the bound of its errors, which broadcasts to it.
struct BoundedTensor {
  StridedTensor value, bound;
};

/// Constraints on the random elements.
enum class Kind {
  kAnything,  ///< NaNs and infinities too
  kFinite,
  kClose,     ///< finite, all values next to each other
  kOneBound,  ///< finite, all bounds the same: whatever wins has the largest
};

class BoundedTensors {
 public:
  BoundedTensors(Rng& rng, DType dtype, Kind kind)
      : rng_(rng),
        dtype_(dtype),
        kind_(kind),
        special_(test::SpecialBits(dtype)),
        base_(Value()),
        one_(Bound()) {}

  BoundedTensor Make(const Shape& shape) {
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
  // Random shape that broadcasts to `shape`: some leading dimensions omitted, some extents replaced by 1.
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
    return finite ? bits : bits ^ (test::SignBit(dtype_) >> 1);
  }

  std::uint64_t Value() { return Number(test::RandomBits(rng_, dtype_, special_)); }

  // Not negative: zero, anything, or of the size of the values.
  std::uint64_t Bound() {
    const std::uint64_t all =
        test::SignBit(dtype_) - 1 + (IsFloat(dtype_) || test::IsSigned(dtype_) ? 0 : test::SignBit(dtype_));
    switch (Below(rng_, 4)) {
      case 0:
        return 0;
      case 1:
        return Number(base_ & all);
      case 2:
        return Number((rng_() >> Below(rng_, 64)) & all);
      default:
        return Number(test::RandomBits(rng_, dtype_, special_) & all);
    }
  }

  Rng& rng_;
  DType dtype_;
  Kind kind_;
  std::vector<std::uint64_t> special_;
  std::uint64_t base_;
  std::uint64_t one_;
};

// The distance of each true value from the given one, as a part of its bound.
enum class Error { kNone, kUp, kDown, kEitherEnd, kAnywhere };
constexpr Error kErrors[] = {Error::kNone,      Error::kUp,       Error::kDown,    Error::kEitherEnd,
                             Error::kEitherEnd, Error::kAnywhere, Error::kAnywhere};

mpq_class PartOf(Rng& rng, Error error) {
  switch (error) {
    case Error::kNone:
      return 0;
    case Error::kUp:
      return 1;
    case Error::kDown:
      return -1;
    case Error::kEitherEnd:
      return Below(rng, 2) == 0 ? 1 : -1;
    case Error::kAnywhere:
      break;
  }
  return mpq_class(static_cast<long>(Below(rng, 2001)) - 1000) / 1000;
}

class BoundsProperty : public testing::TestWithParam<DType> {
 protected:
  // The outputs of one call, in memory of any layout.
  struct Outputs {
    StridedTensor value, bound, lower, upper;

    BoundedOutput Views() {
      return {value.MutableView(), bound.MutableView(), lower.MutableView(), upper.MutableView()};
    }
  };
  static Outputs MakeOutputs(Rng& rng, const Shape& shape) {
    const auto one = [&] {
      return StridedTensor(rng, GetParam(), shape, Below(rng, 2) == 0 ? Layout::kDense : Layout::kAny,
                           Use::kOutput);
    };
    return {one(), one(), one(), one()};
  }

  static std::vector<std::int64_t> ListOf(DimsView shape) { return {shape.begin(), shape.end()}; }

  // The position in a bound of the element that belongs to each element of its value.
  static std::vector<std::size_t> BoundPositions(const BoundedTensor& input) {
    const auto shape = ListOf(input.value.View().shape), bound_shape = ListOf(input.bound.View().shape);
    std::vector<std::size_t> positions;
    std::vector<std::int64_t> index(shape.size(), 0);
    if (ElementCount(shape) == 0) return positions;
    do positions.push_back(reference::BroadcastPosition(bound_shape, index));
    while (reference::NextIndex(shape, index));
    return positions;
  }

  // An input whose true values are within its bounds. Those of an integer type are integers of that type.
  static TrackedTensor Perturbed(Rng& rng, BoundedTensor& input, Error error) {
    TrackedTensor tracked{ListOf(input.value.View().shape), {}};
    const auto values = input.value.Elements(), bounds = input.bound.Elements();
    const auto positions = BoundPositions(input);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const mpq_class z = *RationalOf(GetParam(), values[i]);
      mpq_class by = *RationalOf(GetParam(), bounds[positions[i]]) * PartOf(rng, error);
      if (!IsFloat(GetParam())) by = mpz_class(by);
      tracked.values.push_back({z, OfTheType(z + by)});
    }
    return tracked;
  }

  static mpq_class OfTheType(const mpq_class& number) {
    if (IsFloat(GetParam())) return number;
    const auto [least, most] = test::LimitsOf(GetParam());
    return std::clamp(number, least, most);
  }

  // A reference in the sense of ORD-7, on tracked numbers.
  using Reference = std::function<Result<TrackedTensor>(const std::vector<TrackedTensor>&)>;

  // Perturbs the inputs in every way and compares the true results with what was said of them.
  void ExpectSound(Rng& rng, std::vector<BoundedTensor>& inputs, Outputs& y, const Reference& reference) {
    const auto value = y.value.Elements(), bound = y.bound.Elements();
    const auto lower = y.lower.Elements(), upper = y.upper.Elements();
    for (Error error : kErrors) {
      std::vector<TrackedTensor> tracked;
      for (BoundedTensor& input : inputs) tracked.push_back(Perturbed(rng, input, error));
      const Result<TrackedTensor> truth = reference(tracked);
      ASSERT_TRUE(truth) << truth.error().message;
      ASSERT_EQ(truth->values.size(), value.size());
      for (std::size_t i = 0; i < value.size(); ++i) {
        const Tracked& one = truth->values[i];
        const mpq_class computed = *RationalOf(GetParam(), value[i]),
                        most = *RationalOf(GetParam(), bound[i]);
        ASSERT_EQ(computed - one.computed, 0) << "ACC-1: an error that Max has introduced";
        ASSERT_LE(one.Error(), most) << "ACC-2";
        // Infinite ends contain everything on their side.
        const auto low = RationalOf(GetParam(), lower[i]), high = RationalOf(GetParam(), upper[i]);
        ASSERT_TRUE(low ? *low <= one.exact : lower[i] == MinusInfinity()) << "ACC-3: " << one.exact;
        ASSERT_TRUE(high ? one.exact <= *high : upper[i] == test::InfinityBits(GetParam())) << "ACC-3";
        if (error == Error::kUp) {
          ASSERT_TRUE(test::IsLeastAbove(GetParam(), upper[i], one.exact)) << "attained, but for rounding";
          ASSERT_LE(one.exact, computed + most) << "never wider than the bound";
          bound_attained_ += one.Error() == most && most > 0;
        }
        if (error == Error::kDown) {
          ASSERT_TRUE(test::IsMostBelow(GetParam(), lower[i], one.exact)) << "attained, but for rounding";
          ASSERT_GE(one.exact, computed - most) << "never wider than the bound";
        }
        sharper_ += high && *high < computed + most;
        ++cases_;
      }
    }
  }

  static std::uint64_t MinusInfinity() { return test::InfinityBits(GetParam()) | test::SignBit(GetParam()); }

  // If all elements have the same bound, each output has this bound too, and its enclosure ends at the value
  // plus and minus the bound, rounded outwards.
  static void ExpectAttained(std::vector<BoundedTensor>& inputs, Outputs& y) {
    const mpq_class bound = *RationalOf(GetParam(), inputs[0].bound.Elements().at(0));
    for (std::size_t i = 0; i < y.value.Elements().size(); ++i) {
      const mpq_class value = *RationalOf(GetParam(), y.value.Elements()[i]);
      ASSERT_EQ(RationalOf(GetParam(), y.bound.Elements()[i]), bound);
      ASSERT_TRUE(test::IsLeastAbove(GetParam(), y.upper.Elements()[i], value + bound));
      ASSERT_TRUE(test::IsMostBelow(GetParam(), y.lower.Elements()[i], value - bound));
    }
  }

  void Report(const std::string& what) {
    std::string text = std::to_string(cases_);
    for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
    std::cout << "accuracy: " << what << " of " << Name(GetParam()) << ": " << text
              << " cases, bound attained in " << bound_attained_ << ", enclosure sharper in " << sharper_
              << "\n";
    RecordProperty("cases", std::to_string(cases_));
    EXPECT_GE(cases_, 12'000u);
    EXPECT_GT(bound_attained_, 100u) << "these cases would not notice a bound that is too large";
    EXPECT_GT(sharper_, GetParam() == DType::kBool ? 0u : 100u)
        << "these cases would not notice a blunt enclosure";
  }

  std::size_t cases_ = 0, bound_attained_ = 0, sharper_ = 0;
};

// Max does not have bool.
class MaxBoundsProperty : public BoundsProperty {};

constexpr Kind kFiniteKinds[] = {Kind::kFinite, Kind::kClose, Kind::kOneBound};

// `rank` extents of 1 to 3, and shapes that broadcast to them.
std::vector<Shape> BroadcastingShapes(Rng& rng, std::size_t rank, std::size_t count) {
  Shape common;
  for (std::size_t d = 0; d < rank; ++d) common.PushBack(static_cast<std::int64_t>(1 + Below(rng, 3)));
  std::vector<Shape> shapes = {common};
  while (shapes.size() < count) {
    Shape shape;
    for (std::size_t d = Below(rng, rank + 1); d < rank; ++d) {
      shape.PushBack(Below(rng, 3) == 0 ? 1 : common[d]);
    }
    shapes.push_back(shape);
  }
  std::shuffle(shapes.begin(), shapes.end(), rng);
  return shapes;
}

// Rules: ACC-1, ACC-2, ACC-3, ACC-4, ORD-7
TEST_P(MaxBoundsProperty, TheTrueMaximumOfPerturbedInputsIsWithinTheBoundAndTheEnclosure) {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Rng rng(seed);
    const Kind kind = kFiniteKinds[seed % 3];
    BoundedTensors make(rng, GetParam(), kind);
    std::vector<BoundedTensor> inputs;
    for (const Shape& shape : BroadcastingShapes(rng, Below(rng, 4), 1 + Below(rng, 4))) {
      inputs.push_back(make.Make(shape));
    }
    std::vector<TensorView> values, bounds;
    for (const BoundedTensor& input : inputs) {
      values.push_back(input.value.View());
      bounds.push_back(input.bound.View());
    }
    Outputs y = MakeOutputs(rng, *MaxOutputShape(values));
    const Result<void> done = MaxWithBounds(values, bounds, y.Views(), {.threads = 1 + Below(rng, 3)});
    ASSERT_TRUE(done) << done.error().message;
    ExpectSound(rng, inputs, y, [](const std::vector<TrackedTensor>& tracked) {
      return reference::Max(tracked, TrackedJoin{});
    });
    if (kind == Kind::kOneBound && !HasFatalFailure()) ExpectAttained(inputs, y);
    if (HasFatalFailure()) return;
  }
  Report("Max");
}

// Rules: ACC-1, ACC-2, ACC-3, ACC-4, ORD-7
TEST_P(BoundsProperty, TheTrueMaximumAlongAxesIsWithinTheBoundAndTheEnclosure) {
  for (std::uint64_t seed = 0; seed < 700; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Rng rng(seed);
    const Kind kind = kFiniteKinds[seed % 3];
    const std::size_t rank = Below(rng, 5);
    Shape shape;
    std::vector<std::int64_t> axes;
    for (std::size_t d = 0; d < rank; ++d) {
      shape.PushBack(static_cast<std::int64_t>(1 + Below(rng, 4)));
      if (Below(rng, 2) == 0) axes.push_back(static_cast<std::int64_t>(d));
    }
    ReduceMaxOptions options{.axes = axes, .keepdims = Below(rng, 2) == 0, .threads = 1 + Below(rng, 3)};
    std::vector<BoundedTensor> source;
    source.push_back(BoundedTensors(rng, GetParam(), kind).Make(shape));
    const TensorView value = source[0].value.View(), bound = source[0].bound.View();
    Outputs y = MakeOutputs(rng, *ReduceMaxOutputShape(value, options));
    const Result<void> done = ReduceMaxWithBounds(value, bound, y.Views(), options);
    ASSERT_TRUE(done) << done.error().message;
    const mpq_class huge = *RationalOf(DType::kFloat64, 0x7FEF'FFFF'FFFF'FFFF) * 4;
    ExpectSound(rng, source, y, [&](const std::vector<TrackedTensor>& tracked) {
      return reference::ReduceMax(tracked[0], axes, options.keepdims, Tracked{-huge, -huge}, TrackedJoin{});
    });
    if (kind == Kind::kOneBound && !HasFatalFailure()) ExpectAttained(source, y);
    if (HasFatalFailure()) return;
  }
  Report("ReduceMax");
}

// Bound, lower end and upper end of each element of an input, computed by lane::Enclosure. Elements may be
// NaNs and infinities.
class KnownParts {
 public:
  KnownParts(Rng& rng, BoundedTensor& input, const std::vector<std::size_t>& bound_positions) {
    const TensorView view = input.value.View();
    VisitDType(view.dtype, [&](auto tag) {
      using E = lane::Enclosure<typename decltype(tag)::type>;
      using Bits = typename E::Bits;
      const auto values = input.value.Elements(), bounds = input.bound.Elements();
      for (auto function : {&E::Bound, &E::Lower, &E::Upper}) {
        parts.emplace_back(rng, view.dtype, *Shape::FromSpan(view.shape), Layout::kDense, Use::kInput);
        std::vector<std::uint64_t> bits;
        for (std::size_t i = 0; i < values.size(); ++i) {
          bits.push_back(static_cast<std::uint64_t>(
              function(static_cast<Bits>(values[i]), static_cast<Bits>(bounds[bound_positions[i]]))));
        }
        parts.back().Set(bits);
      }
    });
  }
  std::vector<StridedTensor> parts;
};

// Rules: ACC-2, ACC-3, ACC-4, MEM-1, ORD-5
TEST_P(BoundsProperty, EveryOutputHasTheBitsOfTheOraclesMaximumOfWhatIsKnownOfEachInput) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Rng rng(seed);
    BoundedTensors make(rng, GetParam(), Kind::kAnything);
    std::vector<BoundedTensor> inputs;
    std::vector<KnownParts> known;
    for (const Shape& shape : BroadcastingShapes(rng, Below(rng, 4), 1 + Below(rng, 4))) {
      inputs.push_back(make.Make(shape));
      known.emplace_back(rng, inputs.back(), BoundPositions(inputs.back()));
    }
    std::vector<TensorView> values, bounds;
    for (const BoundedTensor& input : inputs) {
      values.push_back(input.value.View());
      bounds.push_back(input.bound.View());
    }
    const bool reduce = GetParam() == DType::kBool || seed % 2 == 0;
    const bool has_axis = reduce && values[0].shape.size() > 0;
    const std::vector<std::int64_t> axes(has_axis ? 1 : 0, 0);
    ReduceMaxOptions options{.axes = axes};
    const Shape shape = reduce ? *ReduceMaxOutputShape(values[0], options) : *MaxOutputShape(values);
    Outputs fresh = MakeOutputs(rng, shape), expected = fresh;
    const auto oracle = [&](const std::vector<TensorView>& views, StridedTensor& to) {
      if (reduce) {
        ASSERT_TRUE(reference::ReduceMax(views[0], to.MutableView(), axes, false));
      } else {
        ASSERT_TRUE(reference::Max(views, to.MutableView()));
      }
    };
    oracle(values, expected.value);
    StridedTensor* const parts[] = {&expected.bound, &expected.lower, &expected.upper};
    for (std::size_t part = 0; part < 3; ++part) {
      std::vector<TensorView> views;
      for (const KnownParts& one : known) views.push_back(one.parts[part].View());
      oracle(views, *parts[part]);
    }
    test::ForEachConfiguration([&](std::size_t threads) {
      Outputs y = fresh;
      options.threads = threads;
      const Result<void> done = reduce ? ReduceMaxWithBounds(values[0], bounds[0], y.Views(), options)
                                       : MaxWithBounds(values, bounds, y.Views(), {.threads = threads});
      ASSERT_TRUE(done) << done.error().message;
      ASSERT_TRUE(y.value.SameBytes(expected.value));
      ASSERT_TRUE(y.bound.SameBytes(expected.bound));
      ASSERT_TRUE(y.lower.SameBytes(expected.lower));
      ASSERT_TRUE(y.upper.SameBytes(expected.upper));
    });
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(AllNumbers, MaxBoundsProperty, testing::ValuesIn(kNumberDTypes),
                         [](const auto& param) { return std::string(Name(param.param)); });
INSTANTIATE_TEST_SUITE_P(AllTypes, BoundsProperty, testing::ValuesIn(kAllDTypes),
                         [](const auto& param) { return std::string(Name(param.param)); });

}  // namespace
}  // namespace supremum
