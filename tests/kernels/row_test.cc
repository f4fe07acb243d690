#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/kernels.h"
#include "kernels/targets.h"
#include "support/values.h"
#include "supremum/reference.h"

namespace supremum {
namespace {

using kernels::KernelTable;
using kernels::MutableRow;
using kernels::Row;
using test::Rng;
using test::StridedTensor;

// Every type on every instruction set that this processor runs.
class KernelTest : public testing::TestWithParam<std::tuple<const KernelTable*, DType>> {
 protected:
  const KernelTable& table_ = *std::get<0>(GetParam());
  const DType dtype_ = std::get<1>(GetParam());

  static Row RowOf(const TensorView& view) {
    return {static_cast<const std::byte*>(view.data),
            view.strides[0] * static_cast<std::ptrdiff_t>(ByteWidth(view.dtype))};
  }
  static MutableRow RowOf(const MutableTensorView& view) {
    return {static_cast<std::byte*>(view.data),
            view.strides[0] * static_cast<std::ptrdiff_t>(ByteWidth(view.dtype))};
  }
};

const kernels::TableList kRunnable = kernels::RunnableTables();

INSTANTIATE_TEST_SUITE_P(AllTypes, KernelTest,
                         testing::Combine(testing::ValuesIn(kRunnable.begin(), kRunnable.end()),
                                          testing::ValuesIn(kAllDTypes)),
                         [](const auto& param) {
                           return std::string(std::get<0>(param.param)->target) + "_" +
                                  std::string(Name(std::get<1>(param.param)));
                         });

// Rules: ORD-4, ORD-5, TYP-1, MEM-1
TEST_P(KernelTest, RowsOfAnyLengthStrideAndAlignmentAreJoinedAsTheOracleDoes) {
  Rng rng(7);
  using Layout = StridedTensor::Layout;
  for (std::int64_t n = 0; n <= 70; ++n) {
    for (Layout layout : {Layout::kDense, Layout::kReversed, Layout::kAny}) {
      const Shape shape{n};
      StridedTensor a(rng, dtype_, shape, layout, StridedTensor::Use::kInput);
      StridedTensor b(rng, dtype_, shape, layout, StridedTensor::Use::kInput);
      StridedTensor y(rng, dtype_, shape, layout, StridedTensor::Use::kOutput);
      a.Fill(rng);
      b.Fill(rng);
      StridedTensor expected = y;
      const TensorView inputs[] = {a.View(), b.View()};
      ASSERT_TRUE(reference::Max(inputs, expected.MutableView()));
      table_.For(dtype_).join(RowOf(a.View()), RowOf(b.View()), RowOf(y.MutableView()),
                              static_cast<std::size_t>(n));
      ASSERT_EQ(y.buffer(), expected.buffer()) << "n = " << n;

      StridedTensor copied = expected;
      ASSERT_TRUE(reference::Max({inputs, 1}, copied.MutableView()));
      table_.For(dtype_).copy(RowOf(a.View()), RowOf(y.MutableView()), static_cast<std::size_t>(n));
      ASSERT_EQ(y.buffer(), copied.buffer()) << "n = " << n;
    }
  }
}

// Rules: MEM-2
TEST_P(KernelTest, TheOutputRowMayBeEitherInputRow) {
  Rng rng(8);
  const Shape shape{100};
  StridedTensor a(rng, dtype_, shape, StridedTensor::Layout::kDense, StridedTensor::Use::kOutput);
  StridedTensor b = a, expected = a;
  a.Fill(rng);
  b.Fill(rng);
  const TensorView inputs[] = {a.View(), b.View()};
  ASSERT_TRUE(reference::Max(inputs, expected.MutableView()));
  StridedTensor left = a, right = b;
  table_.For(dtype_).join(RowOf(left.View()), RowOf(b.View()), RowOf(left.MutableView()), 100);
  table_.For(dtype_).join(RowOf(a.View()), RowOf(right.View()), RowOf(right.MutableView()), 100);
  EXPECT_EQ(left.buffer(), expected.buffer());
  EXPECT_EQ(right.buffer(), expected.buffer());
}

// Rules: RED-1, RED-6, ORD-5
TEST_P(KernelTest, BlocksOfAnySizeAndStridesAreFoldedAsTheOracleDoesFromBothSides) {
  Rng rng(9);
  using Layout = StridedTensor::Layout;
  const std::ptrdiff_t width = static_cast<std::ptrdiff_t>(ByteWidth(dtype_));
  const std::vector<std::int64_t> last{1};
  const kernels::RowKernels& row = table_.For(dtype_);
  for (std::int64_t kept : {0, 1, 2, 3, 7, 8, 16, 31, 33, 70}) {
    for (std::int64_t reduced : {0, 1, 2, 3, 4, 5, 8, 15, 16, 17, 33, 64, 70, 129}) {
      for (Layout layout : {Layout::kDense, Layout::kTransposed, Layout::kReversed, Layout::kAny}) {
        const Shape shape{kept, reduced}, line{kept};
        StridedTensor x(rng, dtype_, shape, layout, StridedTensor::Use::kInput);
        x.Fill(rng);
        StridedTensor y(rng, dtype_, line, Layout::kDense, StridedTensor::Use::kOutput);
        StridedTensor expected = y;
        ASSERT_TRUE(reference::ReduceMax(x.View(), expected.MutableView(), last, false));
        const TensorView view = x.View();
        const kernels::Block block{static_cast<const std::byte*>(view.data),
                                   view.strides[0] * width,
                                   view.strides[1] * width,
                                   static_cast<std::size_t>(kept),
                                   static_cast<std::size_t>(reduced),
                                   false};
        for (auto fold : {row.reduce_runs, row.fold_rows}) {
          std::byte* const acc = static_cast<std::byte*>(y.MutableView().data);
          row.clear(acc, block.kept);
          fold(block, acc);
          ASSERT_EQ(y.buffer(), expected.buffer()) << ToString(shape);
          fold(block, acc);
          ASSERT_EQ(y.buffer(), expected.buffer()) << "folding the same once more changes nothing";
          kernels::Block fresh = block;
          fresh.fresh = true;
          y.Fill(rng);
          fold(fresh, acc);
          ASSERT_EQ(y.buffer(), expected.buffer()) << "what the accumulators held does not matter";
        }
      }
    }
  }
}

// Rules: TYP-1
TEST(Kernels, EveryTypeHasItsPrimitivesAndTheTableHasAName) {
  EXPECT_FALSE(kernels::ActiveKernels().target.empty());
  for (DType dtype : kAllDTypes) {
    EXPECT_NE(kernels::ActiveKernels().For(dtype).join, nullptr);
    EXPECT_NE(kernels::ActiveKernels().For(dtype).copy, nullptr);
    EXPECT_NE(kernels::ActiveKernels().For(dtype).clear, nullptr);
    EXPECT_NE(kernels::ActiveKernels().For(dtype).reduce_runs, nullptr);
    EXPECT_NE(kernels::ActiveKernels().For(dtype).fold_rows, nullptr);
  }
}

}  // namespace
}  // namespace supremum
