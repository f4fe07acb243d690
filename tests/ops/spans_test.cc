// Max and ReduceMax of spans are those of tensors.
#include "supremum/spans.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "support/allocations.h"
#include "support/errors.h"
#include "support/values.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"
#include "supremum/reference.h"

namespace supremum {
namespace {

template <class T>
class Spans : public testing::Test {
 protected:
  static std::vector<T> Some(test::Rng& rng, std::size_t size) {
    const std::vector<std::uint64_t> special = test::SpecialBits(kDTypeOf<T>);
    std::vector<T> some(size);
    for (T& element : some) {
      const std::uint64_t bits = test::RandomBits(rng, kDTypeOf<T>, special);
      std::memcpy(&element, &bits, sizeof(T));
    }
    return some;
  }
};

using Types = testing::Types<float, double, std::int8_t, std::uint16_t, std::int32_t, std::uint64_t>;
TYPED_TEST_SUITE(Spans, Types);

// Rules: MAX-2, ORD-1, ORD-4, RED-1, RED-6, MEM-2, MEM-3
TYPED_TEST(Spans, HaveTheMaximumOfTensorsInEveryBit) {
  using T = TypeParam;
  test::Rng rng(7);
  for (const std::size_t size : {0u, 1u, 2u, 3u, 15u, 16u, 17u, 64u, 100u, 1000u, 100'000u}) {
    const std::vector<T> a = this->Some(rng, size), b = this->Some(rng, size);
    const Shape shape{static_cast<std::int64_t>(size)};
    std::vector<T> y(size), expected(size), in_place = a;
    const TensorView inputs[] = {TensorView::Of(a.data(), shape), TensorView::Of(b.data(), shape)};
    ASSERT_TRUE(reference::Max(inputs, MutableTensorView::Of(expected.data(), shape)));
    const std::size_t before = test::Allocations();
    const Result<void> done = Max<T>(a, b, y), overwritten = Max<T>(in_place, b, in_place);
    const T largest = ReduceMax<T>(a);
    EXPECT_EQ(test::Allocations(), before);
    ASSERT_TRUE(done && overwritten);
    const auto is_expected = [&](const std::vector<T>& elements) {
      return size == 0 || std::memcmp(elements.data(), expected.data(), size * sizeof(T)) == 0;
    };
    EXPECT_TRUE(is_expected(y)) << size;
    EXPECT_TRUE(is_expected(in_place)) << size;
    T of_tensor;
    const Shape scalar;
    const std::int64_t axes[] = {0};
    ASSERT_TRUE(reference::ReduceMax(inputs[0], MutableTensorView::Of(&of_tensor, scalar),
                                     std::span<const std::int64_t>(axes), false));
    EXPECT_EQ(std::memcmp(&largest, &of_tensor, sizeof(T)), 0) << size;
  }
}

// Rules: MAX-3, E2, MEM-2
TEST(SpansErrors, NameWhatDiffersAndWriteNothing) {
  using test::ExpectError;
  std::vector<float> memory{9, 8, 7, 6, 5, 4, 3, 2};
  const std::vector<float> before = memory;
  const auto span = [&](std::size_t begin, std::size_t size) {
    return std::span(memory).subspan(begin, size);
  };
  ExpectError(Max<float>(span(0, 3), span(3, 2), span(5, 3)), ErrorCode::kNotBroadcastable,
              {"input 0 has 3 elements", "input 1 has 2 elements", "MAX-3"});
  ExpectError(Max<float>(span(0, 1), span(1, 1), span(5, 3)), ErrorCode::kOutputShapeMismatch,
              {"the output has 3 elements", "the inputs have 1"});
  ExpectError(Max<float>(span(0, 3), span(5, 3), span(1, 3)), ErrorCode::kOverlap, {"input 0", "MEM-2"});
  ExpectError(Max<float>(span(5, 3), span(0, 3), span(2, 3)), ErrorCode::kOverlap, {"input 1", "MEM-2"});
  EXPECT_EQ(memory, before);
}

}  // namespace
}  // namespace supremum
