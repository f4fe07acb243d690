// More elements than 32 bits count. Run by scripts/test.sh --large.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "supremum/max.h"
#include "supremum/tensor.h"

namespace supremum {
namespace {

// Rules: MAX-2, BRO-5
TEST(MaxLarge, OfMoreThanTwoToThe31ElementsIsRightInEveryOne) {
  const std::int64_t rows = 65'537, columns = 32'800;  // 2,149,613,600 elements
  Result<Tensor> x = Tensor::Create(DType::kInt8, Shape{rows, columns});
  Result<Tensor> y = Tensor::Create(DType::kInt8, Shape{rows, columns});
  ASSERT_TRUE(x && y);
  const auto value = [](std::int64_t i) {
    return static_cast<std::int8_t>((i * 31 + (i >> 20)) % 251 - 125);
  };
  const std::span<std::int8_t> elements = x->Elements<std::int8_t>();
  for (std::int64_t i = 0; i < rows * columns; ++i) elements[static_cast<std::size_t>(i)] = value(i);
  std::vector<std::int8_t> row(static_cast<std::size_t>(columns));
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = static_cast<std::int8_t>(j % 200 - 100);
  const Shape row_shape{columns};

  ASSERT_TRUE(Max({x->View(), TensorView::Of(row.data(), row_shape)}, y->MutableView()));
  const std::span<const std::int8_t> result = y->Elements<std::int8_t>();
  std::size_t wrong = 0;
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    const std::int8_t expected = std::max(value(i), row[static_cast<std::size_t>(i % columns)]);
    wrong += result[static_cast<std::size_t>(i)] != expected;
  }
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace supremum
