// Operands as the rules see them: types and extents, which are numbers in a call and may be symbols or
// unknown in a model.
#ifndef SUPREMUM_SRC_RULES_OPERANDS_H_
#define SUPREMUM_SRC_RULES_OPERANDS_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "supremum/dtype.h"
#include "supremum/verdict.h"

namespace supremum {

/// One extent of an operand: a number; else a symbol, which has one value wherever it occurs; else unknown.
struct Extent {
  std::optional<std::int64_t> number = {};
  std::string_view symbol = {};  ///< empty if there is a number, or if nothing is known

  constexpr Extent() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): the extents of a call are numbers
  constexpr Extent(std::int64_t value) : number(value) {}
  constexpr explicit Extent(std::string_view name) : symbol(name) {}

  constexpr bool IsUnknown() const { return !number && symbol.empty(); }

  friend constexpr bool operator==(const Extent& a, const Extent& b) {
    return a.number == b.number && a.symbol == b.symbol;
  }
};

/// Are the two extents equal? Undecided unless both are numbers or both are the same symbol.
constexpr Verdict JudgeEqual(const Extent& a, const Extent& b) {
  if (a.number && b.number) return *a.number == *b.number ? Verdict::kHolds : Verdict::kFails;
  return a == b && !a.IsUnknown() ? Verdict::kHolds : Verdict::kUndecided;
}

/// The element type of an operand, as far as it is known.
struct ElementType {
  std::optional<DType> dtype = {};
  std::string_view stated = {};  ///< what a model calls it; it may be none of the library's types

  constexpr bool IsKnown() const { return dtype || !stated.empty(); }
  constexpr bool IsSparse() const { return stated.starts_with("sparse "); }
  constexpr std::string_view name() const {
    if (stated.empty() && dtype) return supremum::Name(*dtype);
    return stated;
  }
  friend constexpr bool operator==(const ElementType& a, const ElementType& b) {
    return a.stated.empty() && b.stated.empty() ? a.dtype == b.dtype : a.name() == b.name();
  }
};

/// The operands of one call or one node. `extent` returns an Extent, or std::int64_t where all are numbers.
/// Names and texts are made only for an error.
template <class T>
concept OperandList = requires(const T& operands, std::size_t m, std::size_t d) {
  { operands.count() } -> std::same_as<std::size_t>;
  { operands.who(m) } -> std::same_as<std::string>;  // "input 'x'"
  { operands.type(m) } -> std::same_as<ElementType>;
  { operands.rank(m) } -> std::same_as<std::optional<std::size_t>>;
  { operands.extent(m, d) } -> std::convertible_to<Extent>;  // requires: d < rank(m)
  { operands.shape_text(m) } -> std::same_as<std::string>;   // "[2,N]"; requires: rank(m) has a value
};

/// True if every type, rank and extent is known. Judging such operands allocates nothing.
template <OperandList T>
inline constexpr bool kNumbers = std::same_as<decltype(std::declval<const T&>().extent(0, 0)), std::int64_t>;

}  // namespace supremum

#endif  // SUPREMUM_SRC_RULES_OPERANDS_H_
