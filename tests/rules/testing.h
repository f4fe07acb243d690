// Operands whose extents are written as texts, for the tests of the rules.
#ifndef SUPREMUM_TESTS_RULES_TESTING_H_
#define SUPREMUM_TESTS_RULES_TESTING_H_

#include <cctype>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rules/operands.h"
#include "supremum/dtype.h"

namespace supremum::test {

/// A shape as a list of "2", "N" or "?"; kUnknownRank alone is a shape of unknown rank.
using ShapeText = std::vector<std::string>;
inline const ShapeText kUnknownRank = {"unknown"};

inline Extent ParseExtent(const std::string& text) {
  if (text == "?") return {};
  if (std::isdigit(static_cast<unsigned char>(text[0])) != 0) return Extent(std::stoll(text));
  return Extent(text);
}

inline std::string ToText(const Extent& extent) {
  if (extent.number) return std::to_string(*extent.number);
  return extent.IsUnknown() ? "?" : std::string(extent.symbol);
}

template <class Extents>
std::string ToText(const Extents& extents) {
  std::string text = "[";
  for (const Extent& extent : extents) text += (text.size() > 1 ? "," : "") + ToText(extent);
  return text + "]";
}

/// An OperandList: the shapes of operands 'a', 'b', ..., and the types, which are float32 if there are none.
struct TextOperands {
  std::vector<ShapeText> shapes;
  std::vector<ElementType> types = {};

  std::size_t count() const { return shapes.size(); }
  std::string who(std::size_t m) const { return std::string("input '") + static_cast<char>('a' + m) + "'"; }
  ElementType type(std::size_t m) const {
    return types.empty() ? ElementType{DType::kFloat32, {}} : types[m];
  }
  std::optional<std::size_t> rank(std::size_t m) const {
    if (shapes[m] == kUnknownRank) return std::nullopt;
    return shapes[m].size();
  }
  Extent extent(std::size_t m, std::size_t d) const { return ParseExtent(shapes[m][d]); }
  std::string shape_text(std::size_t m) const {
    std::vector<Extent> extents;
    for (const std::string& text : shapes[m]) extents.push_back(ParseExtent(text));
    return ToText(extents);
  }
};

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_RULES_TESTING_H_
