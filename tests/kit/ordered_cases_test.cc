// The cases of types that a user brings, by the generic implementation.
#include <gmpxx.h>
#include <gtest/gtest.h>

#include "kit/further.h"
#include "supremum/reference.h"

namespace supremum::test {
namespace {

using nlohmann::json;

mpq_class Rational(const json& text) {
  mpq_class number(text.get<std::string>());
  number.canonicalize();
  return number;
}

using Text = std::string;
using Pair = std::pair<mpq_class, Text>;

/// A number with the bound of its error; of a maximum, the greatest bound.
struct Measured {
  mpq_class value, error;
  bool operator==(const Measured&) const = default;
};
struct JoinMeasured {
  Measured operator()(const Measured& a, const Measured& b) const {
    return {std::max(a.value, b.value), std::max(a.error, b.error)};
  }
};

template <class T>
T Read(const json& element);
template <>
mpq_class Read(const json& element) {
  return Rational(element);
}
template <>
Text Read(const json& element) {
  return element.get<Text>();
}
template <>
Pair Read(const json& element) {
  return {Rational(element.at(0)), element.at(1).get<Text>()};
}
template <>
Measured Read(const json& element) {
  return {Rational(element.at(0)), Rational(element.at(1))};
}

template <class T>
reference::Tensor<T> ReadTensor(const json& shape, const json& elements) {
  reference::Tensor<T> tensor{shape.get<std::vector<std::int64_t>>(), {}};
  for (const json& element : elements) tensor.values.push_back(Read<T>(element));
  return tensor;
}

template <class T, class Join>
std::string WrongBy(const json& one, Join join) {
  std::vector<reference::Tensor<T>> inputs;
  for (std::size_t m = 0; m < one.at("inputs").size(); ++m) {
    inputs.push_back(ReadTensor<T>(one.at("shapes")[m], one.at("inputs")[m]));
  }
  const auto expected = ReadTensor<T>(one.at("output_shape"), one.at("output"));
  const Reduction reduction(one);
  const auto actual = one.at("operator") == "ReduceMax"
                          ? reference::ReduceMax(inputs.at(0), reduction.axes, reduction.keepdims,
                                                 Read<T>(one.at("bottom")), join)
                          : reference::Max(inputs, join);
  if (!actual) return actual.error().message;
  if (actual->shape != expected.shape) return "another shape";
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    if (!(actual->values.at(i) == expected.values[i])) return "element " + std::to_string(i) + " is wrong";
  }
  return "";
}

template <class T, class Less>
std::string WrongByOrder(const json& one, Less less) {
  return WrongBy<T>(one, reference::JoinBy<Less>{less});
}

std::string Wrong(const json& one) {
  const std::string order = one.at("order");
  if (order == "rational") return WrongByOrder<mpq_class>(one, std::less<mpq_class>{});
  if (order == "descending") return WrongByOrder<mpq_class>(one, std::greater<mpq_class>{});
  if (order == "text") return WrongByOrder<Text>(one, std::less<Text>{});
  if (order == "pair") return WrongByOrder<Pair>(one, std::less<Pair>{});
  if (order == "key") {
    return WrongByOrder<Pair>(one, [](const Pair& a, const Pair& b) { return a.first < b.first; });
  }
  if (order == "measured") return WrongBy<Measured>(one, JoinMeasured{});
  return "no order '" + order + "'";
}

// Rules: ORD-7
TEST(FurtherCases, OfUserTypesHaveTheMaximaThatTheyState) {
  const std::vector<FurtherCase> cases = ReadFurther("ordered");
  EXPECT_GE(cases.size(), 80u);
  for (const FurtherCase& one : cases) EXPECT_EQ(Wrong(one.stated), "") << one.id;
}

// Rules: ORD-7
TEST(FurtherCases, OfUserTypesDetectPlantedFaults) {
  for (FurtherCase one : ReadFurther("ordered")) {
    if (one.stated.at("output").empty()) continue;
    json& element = one.stated["output"].back();
    json& text = element.is_array() ? element.back() : element;
    const bool is_number = one.stated.at("order") != "text" && one.stated.at("order") != "pair" &&
                           one.stated.at("order") != "key";
    text = is_number ? mpq_class(Rational(text) + 1).get_str() : text.get<Text>() + "!";
    EXPECT_NE(Wrong(one.stated), "") << one.id;
  }
}

}  // namespace
}  // namespace supremum::test
