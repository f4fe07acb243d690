// The cases of bounds of errors, by the library, on every target.
#include <gtest/gtest.h>

#include "kit/further.h"
#include "supremum/bounds.h"

namespace supremum::test {
namespace {

std::string Wrong(const FurtherCase& one, std::size_t threads) {
  const DenseTensors values(one.stated.at("shapes"), one.bits.at("inputs"), one.dtype);
  const DenseTensors bounds(one.stated.at("bound_shapes"), one.bits.at("bounds"), one.dtype);
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
    for (const Tensor& part : parts) {
      if (std::ranges::any_of(part.bytes(), [](std::byte byte) { return byte != std::byte{0xA5}; }))
        return "something is written";
    }
    return WrongRefusal(one, done);
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
  std::size_t changed = 0, refused = 0;
  for (const FurtherCase& one : ReadFurther("bounds")) {
    if (one.stated.contains("error")) {
      FurtherCase other = one;
      other.stated["error"]["code"] = "overlap";
      EXPECT_NE(Wrong(other, 1), "") << one.id;
      ++refused;
      continue;
    }
    for (const char* part : {"value", "bound", "lower", "upper"}) {
      if (one.bits.at(part) == "") continue;
      FurtherCase other = one;
      ChangeFirstElement(other.bits.at(part).get_ref<std::string&>(), one.dtype);
      EXPECT_NE(Wrong(other, 1), "") << one.id << ": " << part;
      ++changed;
    }
  }
  EXPECT_GE(changed, 2000u);
  EXPECT_GE(refused, 50u);
}

}  // namespace
}  // namespace supremum::test
