#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "kernels/kernels.h"
#include "support/values.h"
#include "supremum/reference.h"

namespace supremum {
namespace {

using kernels::KernelTable;
using kernels::MutableRow;
using kernels::Row;
using test::Rng;
using test::StridedTensor;

class KernelTest : public testing::TestWithParam<DType> {
 protected:
  const KernelTable& table_ = kernels::PortableKernels();

  static Row RowOf(const TensorView& view) {
    return {static_cast<const std::byte*>(view.data),
            view.strides[0] * static_cast<std::ptrdiff_t>(ByteWidth(view.dtype))};
  }
  static MutableRow RowOf(const MutableTensorView& view) {
    return {static_cast<std::byte*>(view.data),
            view.strides[0] * static_cast<std::ptrdiff_t>(ByteWidth(view.dtype))};
  }
};

INSTANTIATE_TEST_SUITE_P(AllTypes, KernelTest, testing::ValuesIn(kAllDTypes),
                         [](const auto& param) { return std::string(Name(param.param)); });

// Rules: ORD-4, ORD-5, TYP-1, MEM-1
TEST_P(KernelTest, RowsOfAnyLengthStrideAndAlignmentAreJoinedAsTheOracleDoes) {
  Rng rng(7);
  using Layout = StridedTensor::Layout;
  for (std::int64_t n = 0; n <= 70; ++n) {
    for (Layout layout : {Layout::kDense, Layout::kReversed, Layout::kAny}) {
      const Shape shape{n};
      StridedTensor a(rng, GetParam(), shape, layout, StridedTensor::Use::kInput);
      StridedTensor b(rng, GetParam(), shape, layout, StridedTensor::Use::kInput);
      StridedTensor y(rng, GetParam(), shape, layout, StridedTensor::Use::kOutput);
      a.Fill(rng);
      b.Fill(rng);
      StridedTensor expected = y;
      const TensorView inputs[] = {a.View(), b.View()};
      ASSERT_TRUE(reference::Max(inputs, expected.MutableView()));
      table_.For(GetParam())
          .join(RowOf(a.View()), RowOf(b.View()), RowOf(y.MutableView()), static_cast<std::size_t>(n));
      ASSERT_EQ(y.buffer(), expected.buffer()) << "n = " << n;

      StridedTensor copied = expected;
      ASSERT_TRUE(reference::Max({inputs, 1}, copied.MutableView()));
      table_.For(GetParam()).copy(RowOf(a.View()), RowOf(y.MutableView()), static_cast<std::size_t>(n));
      ASSERT_EQ(y.buffer(), copied.buffer()) << "n = " << n;
    }
  }
}

// Rules: MEM-2
TEST_P(KernelTest, TheOutputRowMayBeEitherInputRow) {
  Rng rng(8);
  const Shape shape{100};
  StridedTensor a(rng, GetParam(), shape, StridedTensor::Layout::kDense, StridedTensor::Use::kOutput);
  StridedTensor b = a, expected = a;
  a.Fill(rng);
  b.Fill(rng);
  const TensorView inputs[] = {a.View(), b.View()};
  ASSERT_TRUE(reference::Max(inputs, expected.MutableView()));
  StridedTensor left = a, right = b;
  table_.For(GetParam()).join(RowOf(left.View()), RowOf(b.View()), RowOf(left.MutableView()), 100);
  table_.For(GetParam()).join(RowOf(a.View()), RowOf(right.View()), RowOf(right.MutableView()), 100);
  EXPECT_EQ(left.buffer(), expected.buffer());
  EXPECT_EQ(right.buffer(), expected.buffer());
}

// Rules: TYP-1
TEST(Kernels, EveryTypeHasItsPrimitivesAndTheTableHasAName) {
  EXPECT_FALSE(kernels::ActiveKernels().target.empty());
  for (DType dtype : kAllDTypes) {
    EXPECT_NE(kernels::ActiveKernels().For(dtype).join, nullptr);
    EXPECT_NE(kernels::ActiveKernels().For(dtype).copy, nullptr);
  }
}

}  // namespace
}  // namespace supremum
