// Shapes and strides that lead to schedules which few shapes lead to, compared with the reference.
#include "ops/max_schedule.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "support/values.h"
#include "supremum/max.h"
#include "supremum/reference.h"

namespace supremum {
namespace {

// An input: its strides, dense where there are none.
struct Operand {
  Shape shape, strides;
};

// Max of these by a plan is what the reference gives, with one thread and with three.
void ExpectOracle(DType dtype, const std::vector<Operand>& operands, const std::string& what) {
  test::Rng rng(41);
  const std::vector<std::uint64_t> special = test::SpecialBits(dtype);
  const std::size_t width = ByteWidth(dtype);
  std::vector<std::vector<std::byte>> memory;
  std::vector<TensorView> views;
  for (const Operand& operand : operands) {
    const Shape strides = operand.strides.rank() == 0 ? RowMajorStrides(operand.shape) : operand.strides;
    std::int64_t lowest = 0, highest = 0;
    for (std::size_t d = 0; d < strides.rank(); ++d) {
      (strides[d] < 0 ? lowest : highest) += strides[d] * (operand.shape[d] - 1);
    }
    std::vector<std::byte>& bytes =
        memory.emplace_back(static_cast<std::size_t>(highest - lowest + 1) * width);
    for (std::size_t i = 0; i < bytes.size(); i += width) {
      const std::uint64_t bits = test::RandomBits(rng, dtype, special);
      std::memcpy(bytes.data() + i, &bits, width);
    }
    views.push_back(
        {dtype, operand.shape, operand.strides, bytes.data() - lowest * static_cast<std::int64_t>(width)});
  }
  const Result<Shape> shape = MaxOutputShape(views);
  ASSERT_TRUE(shape) << what;
  std::vector<std::byte> expected(static_cast<std::size_t>(*ElementCount(*shape)) * width), y = expected;
  ASSERT_TRUE(reference::Max(views, {dtype, *shape, {}, expected.data()}));
  for (std::size_t threads : {1u, 3u}) {
    Result<MaxPlan> plan = MaxPlan::Prepare(views, {dtype, *shape, {}, y.data()}, {.threads = threads});
    ASSERT_TRUE(plan) << what;
    plan->Run();
    EXPECT_EQ(y, expected) << what << ", " << threads << " threads";
  }
}

// Rules: MAX-2, BRO-5
TEST(MaxSchedule, RowsThatRepeatTheirElementsAnyNumberOfTimesAreTheReferences) {
  for (std::int64_t n : {2, 31, 63, 64, 65, 127, 128, 129, 130, 200, 255, 256, 257, 511, 600}) {
    for (DType dtype : {DType::kInt8, DType::kFloat16, DType::kFloat32}) {
      const std::string what = std::string(Name(dtype)) + " repeated " + std::to_string(n) + " times";
      ExpectOracle(dtype, {{{300, n}, {}}, {{300, 1}, {}}}, what);
      ExpectOracle(dtype, {{{3, 90, n}, {}}, {{90, 1}, {}}, {{3, 1, 1}, {}}}, what);
      ExpectOracle(dtype, {{{40, 2, n}, {}}, {{40, 2, 1}, {}}, {{2, n}, {}}}, what);
    }
  }
}

// Rules: MAX-2, BRO-5
TEST(MaxSchedule, LinesOfManyLongPartsAreTheReferences) {
  for (std::int64_t part : {3, 60, 100, 130, 260, 520, 1000}) {
    for (std::int64_t parts : {2, 5, 63, 64, 65, 200}) {
      const std::string what = std::to_string(parts) + " parts of " + std::to_string(part);
      ExpectOracle(DType::kInt8, {{{3, parts, part}, {}}, {{parts, 1}, {}}, {{3, 1, part}, {}}}, what);
      ExpectOracle(DType::kInt8, {{{parts, part}, {1, parts}}, {{parts, 1}, {}}}, what);
      ExpectOracle(DType::kFloat64, {{{parts, part}, {part + 1, 1}}, {{part}, {}}, {{parts, 1}, {}}}, what);
    }
  }
}

// A transposed operand whose blocks overlap, so that the last square of one, which has fewer elements, begins
// where the first of the next does: what was expanded for the one is not taken for the other.
// Rules: MAX-2, MEM-1
TEST(MaxSchedule, SquaresOfDifferentSizesThatBeginAtOneAddressAreTheReferences) {
  ExpectOracle(DType::kFloat32, {{{2, 64, 100}, {4096, 1, 64}}}, "copied");
  ExpectOracle(DType::kFloat32, {{{2, 64, 100}, {4096, 1, 64}}, {{64, 1}, {}}}, "with a column");
}

// Rules: MAX-2, BRO-5
TEST(MaxSchedule, ATransposedInputBesideOthersIsTheReferences) {
  for (std::int64_t n : {64, 1000, 2049, 5000}) {
    const std::string what = "lines of " + std::to_string(n);
    ExpectOracle(DType::kFloat32, {{{130, n}, {1, 130}}, {{130, 1}, {}}, {{n}, {}}}, what);
    ExpectOracle(DType::kFloat64, {{{130, n}, {1, 130}}, {{130, n}, {}}}, what);
  }
}

}  // namespace
}  // namespace supremum
