#include "supremum/explain.h"

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>

#include "reference/elements.h"

namespace supremum::reference {
namespace {

using Operands = std::vector<Operand>;

// With union as Join, the generic forms gather the operands of each element of the output.
constexpr auto kUnion = [](Operands a, const Operands& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
};

template <class T>
std::uint64_t BitsOf(Scalar<T> value) {
  return static_cast<std::make_unsigned_t<Scalar<T>>>(value);
}

// Each element of a view as a set of its own.
template <class T>
Tensor<Operands> SetsOf(const TensorView& view, std::size_t input) {
  Tensor<Operands> sets{Index(view.shape.begin(), view.shape.end()), {}};
  if (std::find(sets.shape.begin(), sets.shape.end(), 0) != sets.shape.end()) return sets;
  const Index strides = Strides(view);
  Index index(sets.shape.size(), 0);
  std::int64_t position = 0;
  do {
    sets.values.push_back({{input, position++, BitsOf<T>(Read<T>(view, index, strides))}});
  } while (NextIndex(sets.shape, index));
  return sets;
}

template <class T>
std::string_view ReasonOfNothing() {
  if (IsFloat(kDTypeOf<T>)) return "no elements meet: the maximum of nothing is -inf";
  if (std::is_same_v<T, bool>) return "no elements meet: the maximum of nothing is false";
  return "no elements meet: the maximum of nothing is the type's least value";
}

// The rules and the reason that decide an element of a float type.
template <class T>
void DecideFloat(Explanation& why, std::string_view only) {
  constexpr FloatFormat format = kFormat<T>;
  bool nan = false, subnormal = false, plus_zero = false, minus_zero = false;
  for (const Operand& operand : why.operands) {
    const Float value = TakeApart(operand.bits, format);
    const bool small = value.exponent == 0;
    nan = nan || IsNaN(value, format);
    subnormal = subnormal || (small && value.fraction != 0);
    (value.negative ? minus_zero : plus_zero) |= small && value.fraction == 0;
  }
  const Float result = TakeApart(why.bits, format);
  const bool zero = result.exponent == 0 && result.fraction == 0;
  if (nan && why.operands.size() == 1) {
    why.rules = {"ORD-4"};
    why.reason = "a NaN comes out as the canonical one of its type";
  } else if (nan) {
    why.rules = {"ORD-3", "ORD-4"};
    why.reason = "a NaN absorbs all other operands, and comes out as the canonical one of its type";
  } else if (why.operands.size() == 1) {
    why.rules = {only};
    why.reason = "the only operand, as it is";
  } else {
    why.rules = {"ORD-2"};
    why.reason = zero && plus_zero && minus_zero
                     ? "of zeros, +0 is greater than -0"
                     : "the last in the order -inf < negative < -0 < +0 < positive < +inf";
  }
  if (subnormal) why.rules.push_back("ORD-6");
}

template <class T>
Explanation Explain(Operands operands, std::string_view only) {
  Explanation why;
  why.operands = std::move(operands);
  if (why.operands.empty()) {
    why.bits = BitsOf<T>(Least<T>());
    why.rules = {"RED-6"};
    why.reason = ReasonOfNothing<T>();
    return why;
  }
  const auto value = [&](std::size_t k) { return static_cast<Scalar<T>>(why.operands[k].bits); };
  Scalar<T> joined = JoinValues<T>(value(0), value(0));
  for (std::size_t k = 1; k < why.operands.size(); ++k) joined = JoinValues<T>(joined, value(k));
  why.bits = BitsOf<T>(joined);
  const auto winner = std::find_if(why.operands.begin(), why.operands.end(),
                                   [&](const Operand& operand) { return operand.bits == why.bits; });
  if (winner != why.operands.end())
    why.won = static_cast<std::size_t>(std::distance(why.operands.begin(), winner));
  if constexpr (IsFloat(kDTypeOf<T>)) {
    DecideFloat<T>(why, only);
  } else if (std::is_same_v<T, bool>) {
    why.rules = {"TYP-4"};
    why.reason = "false < true";
  } else if (why.operands.size() == 1) {
    why.rules = {only};
    why.reason = "the only operand, as it is";
  } else {
    why.rules = {"ORD-1"};
    why.reason = "the largest number";
  }
  return why;
}

template <class T>
Tensor<Explanation> ExplainAll(Tensor<Operands> sets, std::string_view only) {
  Tensor<Explanation> all{std::move(sets.shape), {}};
  for (Operands& operands : sets.values) all.values.push_back(Explain<T>(std::move(operands), only));
  return all;
}

}  // namespace

Result<Tensor<Explanation>> ExplainMax(std::span<const TensorView> inputs) {
  if (inputs.empty()) return BroadcastShape({}).error();
  return VisitDType(inputs[0].dtype, [&](auto tag) -> Result<Tensor<Explanation>> {
    using T = typename decltype(tag)::type;
    std::vector<Tensor<Operands>> sets;
    for (std::size_t m = 0; m < inputs.size(); ++m) sets.push_back(SetsOf<T>(inputs[m], m));
    Result<Tensor<Operands>> gathered = Max(sets, kUnion);
    if (!gathered) return gathered.error();
    Tensor<Explanation> all = ExplainAll<T>(*std::move(gathered), "MAX-2");
    for (Explanation& why : all.values) {
      const auto repeated = [&](const Operand& operand) {
        return sets[operand.input].values.size() != all.values.size();
      };
      if (std::any_of(why.operands.begin(), why.operands.end(), repeated)) why.rules.push_back("BRO-5");
    }
    return all;
  });
}

Result<Tensor<Explanation>> ExplainReduceMax(const TensorView& source,
                                             std::optional<std::span<const std::int64_t>> axes,
                                             bool keepdims) {
  std::optional<Index> list;
  if (axes) list.emplace(axes->begin(), axes->end());
  return VisitDType(source.dtype, [&](auto tag) -> Result<Tensor<Explanation>> {
    using T = typename decltype(tag)::type;
    Result<Tensor<Operands>> gathered = ReduceMax(SetsOf<T>(source, 0), list, keepdims, Operands{}, kUnion);
    if (!gathered) return gathered.error();
    return ExplainAll<T>(*std::move(gathered), "RED-1");
  });
}

}  // namespace supremum::reference
