// The cases of bounds of errors, by the library, on every target.
#include <gtest/gtest.h>

#include "kit/further.h"
#include "supremum/bounds.h"

namespace supremum::test {
namespace {

/// Tensors of a case that are read.
struct Given {
  Given(const nlohmann::json& texts, const nlohmann::json& shape_lists, DType dtype) {
    for (std::size_t m = 0; m < texts.size(); ++m) {
      shapes.push_back(ShapeOf(shape_lists[m]));
      elements.push_back(Expand(dtype, texts[m].get<std::string>()));
    }
    for (std::size_t m = 0; m < texts.size(); ++m) {
      views.push_back({dtype, shapes[m], {}, elements[m].data()});
    }
  }

  std::vector<Shape> shapes;
  std::vector<std::vector<std::byte>> elements;
  std::vector<TensorView> views;
};

std::string Wrong(const FurtherCase& one, std::size_t threads) {
  const Given values(one.bits.at("inputs"), one.stated.at("shapes"), one.dtype);
  const Given bounds(one.bits.at("bounds"), one.stated.at("bound_shapes"), one.dtype);
  const Reduction reduction(one.stated);
  const ReduceMaxOptions reduce = reduction.Options(threads);
  MaxOptions max;
  max.threads = threads;
  const Result<Shape> shape =
      one.Reduces() ? ReduceMaxOutputShape(values.views[0], reduce) : MaxOutputShape(values.views, max);
  if (!shape) return shape.error().message;
  std::array<Tensor, 4> parts;
  for (Tensor& part : parts) {
    part = Tensor::Create(one.dtype, *shape).value();
    std::ranges::fill(part.bytes(), std::byte{0xA5});
  }
  const BoundedOutput output{parts[0].MutableView(), parts[1].MutableView(), parts[2].MutableView(),
                             parts[3].MutableView()};
  const Result<void> done = one.Reduces()
                                ? ReduceMaxWithBounds(values.views[0], bounds.views[0], output, reduce)
                                : MaxWithBounds(values.views, bounds.views, output, max);
  if (one.stated.contains("error")) {
    if (done) return "accepted";
    const nlohmann::json& error = one.stated.at("error");
    const bool as_stated = InfoOf(done.error().code).name == error.at("code").get<std::string>() &&
                           done.error().rule.text() == error.at("rule").get<std::string>();
    return as_stated ? "" : "refused otherwise: " + done.error().message;
  }
  if (!done) return done.error().message;
  if (!SameDims(*shape, ShapeOf(one.stated.at("output_shape")))) return "shape " + ToString(*shape);
  constexpr std::array<const char*, 4> kParts = {"value", "bound", "lower", "upper"};
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const std::vector<std::byte> actual(parts[p].bytes().begin(), parts[p].bytes().end());
    const std::string text = Difference(actual, Expand(one.dtype, one.bits.at(kParts[p]).get<std::string>()),
                                        ByteWidth(one.dtype));
    if (!text.empty()) return std::string(kParts[p]) + ": " + text;
  }
  return "";
}

// Rules: ACC-1, ACC-2, ACC-3, ACC-4
TEST(FurtherCases, OfBoundsHaveTheEndsThatTheyState) {
  const std::vector<FurtherCase> cases = ReadFurther("bounds");
  EXPECT_GE(cases.size(), 700u);
  const Failures failures = FailuresOf(cases, Wrong);
  EXPECT_EQ(failures.count(), 0u) << failures.texts();
}

// Rules: ACC-1, ACC-2, ACC-3, ACC-4
TEST(FurtherCases, OfBoundsDetectPlantedFaults) {
  std::size_t changed = 0;
  for (const FurtherCase& one : ReadFurther("bounds")) {
    for (const char* part : {"value", "bound", "lower", "upper"}) {
      if (one.stated.contains("error") || one.bits.at(part) == "") continue;
      FurtherCase other = one;
      std::string& text = other.bits.at(part).get_ref<std::string&>();
      char& digit = text[2 * ByteWidth(one.dtype) - 1];  // one unit in the last place of the first element
      digit = digit == '0' ? '1' : digit == '1' ? '0' : digit == '7' ? '6' : '7';
      EXPECT_NE(Wrong(other, 1), "") << one.id << ": " << part;
      ++changed;
    }
  }
  EXPECT_GE(changed, 2000u);
}

}  // namespace
}  // namespace supremum::test
