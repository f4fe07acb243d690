#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/kernels.h"
#include "kernels/targets.h"
#include "support/forbidden_gaps.h"
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

// Rules: BRO-5
TEST_P(KernelTest, ElementsAreRepeatedAsOftenAsIsAskedAndNotFurtherThanTheSlack) {
  Rng rng(10);
  const std::size_t width = ByteWidth(dtype_);
  for (std::size_t n : {0u, 1u, 2u, 3u, 7u, 16u, 63u, 64u, 65u, 130u, 300u}) {
    for (std::size_t repeat_count : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 16u, 64u, 100u}) {
      for (std::int64_t stride : {1, 0, 3, -1}) {
        const Shape shape{static_cast<std::int64_t>(n)};
        StridedTensor a(rng, dtype_, shape, StridedTensor::Layout::kDense, StridedTensor::Use::kInput);
        a.Fill(rng);
        const std::byte* first = a.buffer().data() + 16;
        // Within the buffer whatever the stride: a third of the elements, from the end where it is negative.
        const std::size_t count = stride == 3 ? n / 3 : n;
        if (stride < 0 && n > 0) first += (n - 1) * width;
        const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(stride) * static_cast<std::ptrdiff_t>(width);
        const std::size_t bytes = count * repeat_count * width;
        std::vector<std::byte> out(bytes + 64 + 16, std::byte{0x5A});
        table_.For(dtype_).repeat({first, step}, count, repeat_count, out.data());
        for (std::size_t k = 0; k < count * repeat_count; ++k) {
          const std::byte* expected = first + static_cast<std::ptrdiff_t>(k / repeat_count) * step;
          ASSERT_EQ(std::memcmp(out.data() + k * width, expected, width), 0) << n << " x " << repeat_count;
        }
        for (std::size_t k = bytes + 64; k < out.size(); ++k) ASSERT_EQ(out[k], std::byte{0x5A});
      }
    }
  }
}

/// As many whole pages as `bytes` takes, and one behind them that cannot be read.
// Memory that nothing readable follows.
class Guarded {
 public:
  explicit Guarded(std::size_t bytes) {
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    usable_ = (bytes + page - 1) / page * page;
    mapped_ = usable_ + page;
    void* const memory = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    memory_ = static_cast<std::byte*>(memory);
    if (mprotect(memory_ + usable_, page, PROT_NONE) != 0) std::abort();
  }
  ~Guarded() { munmap(memory_, mapped_); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  /// Copies `n` bytes to the end. Requires: n is not more than there are.
  const std::byte* Copy(const std::byte* from, std::size_t n) {
    if (n > usable_) std::abort();
    std::byte* const at = memory_ + usable_ - n;
    std::memcpy(at, from, n);
    return at;
  }

 private:
  std::byte* memory_ = nullptr;
  std::size_t usable_ = 0, mapped_ = 0;
};

// A row at the end of a page that nothing readable follows, with random elements between its elements.
class GuardedRow {
 public:
  GuardedRow(Rng& rng, DType dtype, Guarded& memory, std::int64_t step, std::size_t n)
      : width_(ByteWidth(dtype)), n_(n), bytes_(n == 0 ? 0 : ((n - 1) * Distance(step) + 1) * width_) {
    StridedTensor values(rng, dtype, Shape{static_cast<std::int64_t>(bytes_ / width_)},
                         StridedTensor::Layout::kDense, StridedTensor::Use::kInput);
    values.Fill(rng);
    begin_ = memory.Copy(static_cast<const std::byte*>(values.View().data), bytes_);
    row_ = {step < 0 && n > 0 ? begin_ + bytes_ - width_ : begin_,
            static_cast<std::ptrdiff_t>(step) * static_cast<std::ptrdiff_t>(width_)};
  }

  const Row& row() const { return row_; }
  const std::byte* At(std::size_t i) const {
    return row_.data + static_cast<std::ptrdiff_t>(i) * row_.stride;
  }
  test::ForbiddenGaps Gaps() const {
    const std::size_t before = reinterpret_cast<std::uintptr_t>(begin_) % 8;
    return {{begin_ - before, before + bytes_}, width_, [&](auto visit) {
              for (std::size_t i = 0; i < n_; ++i) visit(At(i));
            }};
  }

 private:
  static std::size_t Distance(std::int64_t step) { return static_cast<std::size_t>(step < 0 ? -step : step); }

  std::size_t width_, n_, bytes_;
  const std::byte* begin_;
  Row row_;
};

// Rules: ORD-4, ORD-5, MEM-1, BRO-5
TEST_P(KernelTest, OfRowsWithGapsOnlyTheElementsAreRead) {
  Rng rng(12);
  const std::size_t width = ByteWidth(dtype_), most = 3 * 64 / width + 1;
  Guarded memory_a(most * width * 5), memory_b(most * width * 5);
  std::vector<std::byte> expected(most * width), y = expected, gathered(most * width + 64);
  for (const std::int64_t step : {1, 2, 3, 4, 5, -1, -2, -3, -4}) {
    for (std::size_t n = 0; n <= most; ++n) {
      SCOPED_TRACE("step " + std::to_string(step) + ", " + std::to_string(n) + " elements");
      const GuardedRow a(rng, dtype_, memory_a, step, n), b(rng, dtype_, memory_b, step, n);
      const Shape shape{static_cast<std::int64_t>(n)}, strides{step};
      const TensorView inputs[] = {{dtype_, shape, strides, a.row().data},
                                   {dtype_, shape, strides, b.row().data}};
      ASSERT_TRUE(reference::Max(inputs, {dtype_, shape, {}, expected.data()}));
      {
        const test::ForbiddenGaps gaps_of_a = a.Gaps(), gaps_of_b = b.Gaps();
        table_.For(dtype_).repeat(a.row(), n, 1, gathered.data());
        table_.For(dtype_).join(a.row(), b.row(), {y.data(), static_cast<std::ptrdiff_t>(width)}, n);
      }
      ASSERT_EQ(std::memcmp(y.data(), expected.data(), n * width), 0);
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(std::memcmp(gathered.data() + i * width, a.At(i), width), 0) << "element " << i;
      }
    }
  }
}

// A buffer of random elements, and the address of its first element.
struct Source {
  std::vector<std::byte> bytes;
  const std::byte* data;
};

Source RandomSource(Rng& rng, DType dtype, std::size_t elements) {
  StridedTensor tensor(rng, dtype, Shape{static_cast<std::int64_t>(elements)}, StridedTensor::Layout::kDense,
                       StridedTensor::Use::kInput);
  tensor.Fill(rng);
  const auto* first = static_cast<const std::byte*>(tensor.View().data);
  Source source{std::vector<std::byte>(first, first + elements * ByteWidth(dtype)), nullptr};
  source.data = source.bytes.data();  // exactly as long as what may be read: sanitizers report any more
  return source;
}

// A stride is the distance to the next element, row, run, line or block. If there is no next one, the stride
// may be any number, because no address is computed from it; builds with sanitizers would report it.
// Rules: MEM-1
TEST_P(KernelTest, AStrideToNothingMayBeAnyNumber) {
  Rng rng(12);
  const kernels::RowKernels& row = table_.For(dtype_);
  const std::size_t width = ByteWidth(dtype_);
  const std::ptrdiff_t dense = static_cast<std::ptrdiff_t>(width);
  for (std::size_t n : {1u, 2u, 3u, 8u, 17u, 40u, 100u, 300u, 2000u}) {
    const Source a = RandomSource(rng, dtype_, n);
    std::vector<std::byte> largest(width), canonical(n * width);
    kernels::PortableKernels().For(dtype_).copy({a.data, dense}, {canonical.data(), dense}, n);
    kernels::PortableKernels().For(dtype_).reduce_runs({a.data, dense, dense, 1, n, true}, largest.data());
    for (std::ptrdiff_t far : {PTRDIFF_MIN, PTRDIFF_MIN / 2, PTRDIFF_MAX / 2, PTRDIFF_MAX}) {
      std::vector<std::byte> y(n * width), acc(width), out(n * width + 64);
      for (std::size_t repeat_count : {std::size_t{1}, n}) {
        row.join_lines({a.data, far, far, 1, false}, {a.data, far, far, repeat_count, false},
                       {y.data(), far, far, 1, 1, n, false});
        if (repeat_count == 1) {
          ASSERT_EQ(y, canonical) << n;
        }
      }
      row.reduce_runs({a.data, far, dense, 1, n, true, 1, far}, acc.data());
      ASSERT_EQ(acc, largest) << n;
      row.fold_rows({a.data, dense, far, n, 1, true, 1, far}, y.data());
      ASSERT_EQ(y, canonical) << n;
      row.repeat({a.data, far}, 1, n, out.data());
      for (std::size_t k = 0; k < n; ++k) ASSERT_EQ(std::memcmp(out.data() + k * width, a.data, width), 0);
      row.repeat({a.data, far}, 1, 1, out.data());
      row.join({a.data, far}, {a.data, far}, {acc.data(), far}, 1);
      row.copy({a.data, far}, {acc.data(), far}, 1);
    }
  }
}

// Rules: BRO-5, ORD-5, MEM-1
TEST_P(KernelTest, LinesOfAnyLengthAreJoinedHoweverOftenTheyRepeatTheirElements) {
  Rng rng(11);
  const kernels::RowKernels& row = table_.For(dtype_);
  const std::size_t width = ByteWidth(dtype_);
  const auto stride = [&](std::size_t elements) { return static_cast<std::ptrdiff_t>(elements * width); };
  Guarded guarded_a(6 * 1000 * width), guarded_b(6 * 1000 * width);
  for (std::size_t n :
       {1u, 2u, 3u, 5u, 8u, 15u, 16u, 17u, 31u, 33u, 63u, 64u, 65u, 100u, 127u, 129u, 200u, 257u, 1000u}) {
    for (std::size_t repeat_count :
         {1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 16u, 17u, 31u, 33u, 64u, 100u, 128u, 1000u}) {
      if (repeat_count > kernels::kMaxRepeatCount && repeat_count < n) continue;
      for (bool backwards : {false, true}) {
        if (backwards && repeat_count != 1) continue;
        const std::size_t blocks = 1 + test::Below(rng, 2), lines = 1 + test::Below(rng, 3),
                          all = blocks * lines;
        const std::size_t shown = (n + repeat_count - 1) / repeat_count;
        const Source a = RandomSource(rng, dtype_, all * n), b = RandomSource(rng, dtype_, all * shown);
        const std::size_t skew = test::Below(rng, 4), gap = test::Below(rng, 3);
        std::vector<std::byte> expected(skew + all * (n + gap) * width + 8, std::byte{0x5A});
        for (std::size_t j = 0; j < all; ++j) {
          for (std::size_t i = 0; i < n; ++i) {
            const std::size_t place = j * shown + (backwards ? n - 1 - i : i / repeat_count);
            kernels::PortableKernels().For(dtype_).join(
                {a.data + (j * n + i) * width, 0}, {b.data + place * width, 0},
                {expected.data() + skew + (j * (n + gap) + i) * width, 0}, 1);
          }
        }
        // Nothing behind the last line can be read.
        const std::byte* const a_data = guarded_a.Copy(a.data, all * n * width);
        const std::byte* const b_data = guarded_b.Copy(b.data, all * shown * width);
        const auto lines_of = [&](const std::byte* data, std::size_t length, std::size_t each, bool back) {
          return kernels::Lines{data, stride(lines * length), stride(length), each, back};
        };
        for (bool non_temporal : {false, true}) {
          for (bool swapped : {false, true}) {
            std::vector<std::byte> y(expected.size(), std::byte{0x5A});
            const kernels::Lines left = lines_of(a_data, n, 1, false);
            const std::byte* const first = b_data + (backwards ? (n - 1) * width : 0);
            const kernels::Lines right = lines_of(first, shown, repeat_count, backwards);
            row.join_lines(swapped ? right : left, swapped ? left : right,
                           {y.data() + skew, stride(lines * (n + gap)), stride(n + gap), blocks, lines, n,
                            non_temporal});
            kernels::StoreFence();
            ASSERT_EQ(y, expected) << all << " lines of " << n << ", shown " << repeat_count << " times";
          }
        }
      }
    }
  }
}

// Rules: ORD-5, MEM-1, MEM-2
TEST_P(KernelTest, ManyOperandsHaveTheMaximumThatOneAfterTheOtherHas) {
  Rng rng(12);
  const std::size_t width = ByteWidth(dtype_);
  const std::ptrdiff_t dense = static_cast<std::ptrdiff_t>(width);
  for (std::size_t n : {1u, 3u, 16u, 33u, 64u, 65u, 127u, 128u, 129u, 500u}) {
    for (std::size_t count : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 15u, 16u, 17u, 19u, 22u, 23u, 32u, 50u}) {
      std::vector<Source> sources;
      std::vector<const std::byte*> from;
      for (std::size_t m = 0; m < count; ++m) sources.push_back(RandomSource(rng, dtype_, n));
      for (const Source& source : sources) from.push_back(source.data - 16);
      const std::size_t skew = test::Below(rng, 3) * width;
      std::vector<std::byte> expected(n * width), acc(n * width);
      kernels::PortableKernels().For(dtype_).copy({sources[0].data, dense}, {expected.data(), dense}, n);
      for (const Source& source : sources) {
        const MutableRow joined{expected.data(), dense};
        kernels::PortableKernels().For(dtype_).join(joined, {source.data, dense}, joined, n);
      }
      for (bool non_temporal : {false, true}) {
        std::vector<std::byte> y(skew + n * width + 8, std::byte{0x5A});
        table_.For(dtype_).join_many({from.data(), count, 16}, acc.data(), y.data() + skew, n, non_temporal);
        kernels::StoreFence();
        ASSERT_EQ(std::memcmp(y.data() + skew, expected.data(), n * width), 0) << count << " of " << n;
        for (std::size_t k = 0; k < skew; ++k) ASSERT_EQ(y[k], std::byte{0x5A});
        for (std::size_t k = skew + n * width; k < y.size(); ++k) ASSERT_EQ(y[k], std::byte{0x5A});
      }
      // In place of any of them.
      std::byte* const y = sources[count / 2].bytes.data();
      table_.For(dtype_).join_many({from.data(), count, 16}, acc.data(), y, n, false);
      ASSERT_EQ(std::memcmp(y, expected.data(), n * width), 0) << count << " of " << n << ", in place";
    }
  }
}

// Rules: MEM-1
TEST_P(KernelTest, BlocksOfAnySizeAreTransposedBitForBit) {
  Rng rng(13);
  const std::size_t width = ByteWidth(dtype_);
  for (std::size_t rows : {0u, 1u, 2u, 3u, 8u, 15u, 16u, 17u, 33u, 64u}) {
    for (std::size_t columns : {0u, 1u, 2u, 5u, 16u, 19u, 32u, 65u}) {
      const Source source = RandomSource(rng, dtype_, rows * columns);
      for (bool upwards : {false, true}) {
        const std::ptrdiff_t row_stride = static_cast<std::ptrdiff_t>(columns * width) * (upwards ? -1 : 1);
        const std::byte* first = source.data + (upwards && rows > 0 ? (rows - 1) * columns * width : 0);
        std::vector<std::byte> out(rows * columns * width + 1, std::byte{0x5A});
        table_.For(dtype_).transpose(first, row_stride, rows, columns, out.data());
        for (std::size_t r = 0; r < rows; ++r) {
          for (std::size_t c = 0; c < columns; ++c) {
            const std::byte* expected = first + static_cast<std::ptrdiff_t>(r) * row_stride + c * width;
            ASSERT_EQ(std::memcmp(out.data() + (c * rows + r) * width, expected, width), 0);
          }
        }
        ASSERT_EQ(out.back(), std::byte{0x5A});
      }
    }
  }
}

// Rules: RED-1, RED-6, ORD-5
TEST_P(KernelTest, BlocksOfAnySizeAndStridesAreFoldedAsTheOracleDoesFromBothSides) {
  Rng rng(9);
  using Layout = StridedTensor::Layout;
  const std::ptrdiff_t width = static_cast<std::ptrdiff_t>(ByteWidth(dtype_));
  const std::vector<std::int64_t> last{1};
  const kernels::RowKernels& row = table_.For(dtype_);
  for (std::int64_t kept : {0, 1, 2, 3, 4, 7, 8, 16, 31, 32, 33, 64, 70}) {
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

// A block in a buffer of exactly its size, so that sanitizers report a read beyond it.
class TightBlock {
 public:
  TightBlock(Rng& rng, DType dtype, const Shape& shape)
      : dtype_(dtype), shape_(shape), width_(static_cast<std::ptrdiff_t>(ByteWidth(dtype))) {
    StridedTensor filled(rng, dtype, shape, StridedTensor::Layout::kDense, StridedTensor::Use::kInput);
    filled.Fill(rng);
    const std::byte* first = static_cast<const std::byte*>(filled.View().data);
    const std::size_t bytes = BytesOf(shape);
    data_.reset(new std::byte[bytes]);
    std::memcpy(data_.get(), first, bytes);
  }

  // [blocks, kept, reduced], or [blocks, reduced, kept] to be folded as rows.
  kernels::Block Block(bool rows) const {
    const std::size_t kept = static_cast<std::size_t>(shape_[rows ? 2 : 1]);
    const std::size_t reduced = static_cast<std::size_t>(shape_[rows ? 1 : 2]);
    const std::ptrdiff_t inner = static_cast<std::ptrdiff_t>(shape_[2]) * width_;
    return {data_.get(),
            rows ? width_ : inner,
            rows ? inner : width_,
            kept,
            reduced,
            true,
            static_cast<std::size_t>(shape_[0]),
            inner * static_cast<std::ptrdiff_t>(shape_[1])};
  }

  // The expected output, by the reference implementation.
  std::vector<std::byte> Expected(bool rows) const {
    const Shape kept{shape_[0], shape_[rows ? 2 : 1]};
    std::vector<std::byte> expected(BytesOf(kept));
    const std::vector<std::int64_t> axis{rows ? 1 : 2};
    const TensorView source{dtype_, shape_, {}, data_.get()};
    EXPECT_TRUE(reference::ReduceMax(source, {dtype_, kept, {}, expected.data()}, axis, false));
    return expected;
  }

 private:
  std::size_t BytesOf(const Shape& shape) const {
    return static_cast<std::size_t>(*ElementCount(shape) * width_);
  }

  DType dtype_;
  Shape shape_;
  std::ptrdiff_t width_;
  std::unique_ptr<std::byte[]> data_;
};

// Rules: RED-1, ORD-5
TEST_P(KernelTest, RunsAndRowsOfAnyLengthAndNumberAreReducedAndNothingBehindThemIsRead) {
  Rng rng(12);
  const auto expect_oracle = [&](bool rows, std::int64_t kept, std::int64_t reduced) {
    const TightBlock block(rng, dtype_, rows ? Shape{1, reduced, kept} : Shape{1, kept, reduced});
    const std::vector<std::byte> expected = block.Expected(rows);
    std::vector<std::byte> y(expected.size());
    const kernels::RowKernels& row = table_.For(dtype_);
    (rows ? row.fold_rows : row.reduce_runs)(block.Block(rows), y.data());
    ASSERT_EQ(y, expected) << (rows ? "rows, " : "runs, ") << kept << " kept, " << reduced << " reduced";
  };
  for (std::int64_t reduced = 1; reduced <= 70; ++reduced) {
    for (const std::int64_t kept : {1, 3, 9, 64, 67, 130}) expect_oracle(false, kept, reduced);
  }
  for (const std::int64_t reduced : {100, 255, 256, 257, 801, 1003, 4099}) {
    for (const std::int64_t kept : {1, 3, 17, 67}) expect_oracle(false, kept, reduced);
  }
  for (std::int64_t kept = 1; kept <= 700; kept += kept < 20 ? 1 : 23) {
    for (const std::int64_t reduced : {1, 17, kept < 10 || kept == 43 ? 1030 : 2})
      expect_oracle(true, kept, reduced);
  }
  for (const std::int64_t kept : {2, 4, 8, 16, 32, 64}) {
    for (std::int64_t reduced = 14; reduced <= 26; ++reduced) expect_oracle(true, kept, reduced);
  }
}

// Rules: RED-1
TEST_P(KernelTest, SeveralBlocksAreFoldedAtOnceEachIntoItsOwnAccumulators) {
  Rng rng(15);
  for (std::int64_t blocks : {0, 1, 2, 5, 67}) {
    for (std::int64_t kept : {1, 2, 4, 5, 8, 9, 16, 17, 31, 32, 64, 70}) {
      const bool divides_a_vector = kept % 4 == 0;
      for (std::int64_t reduced : {1, 2, 3, 4, 9, 70}) {
        if (divides_a_vector && reduced == 70) continue;  // the number of rows and their length are apart
        for (bool rows : {false, true}) {
          const TightBlock block(rng, dtype_,
                                 rows ? Shape{blocks, reduced, kept} : Shape{blocks, kept, reduced});
          std::vector<std::byte> expected = block.Expected(rows);
          std::vector<std::byte> y(expected.size() + 64, std::byte{0x5A});
          expected.resize(y.size(), std::byte{0x5A});  // what is behind the accumulators stays
          const kernels::RowKernels& row = table_.For(dtype_);
          const auto fold = rows ? row.fold_rows : row.reduce_runs;
          fold(block.Block(rows), y.data());
          ASSERT_EQ(y, expected) << blocks << " blocks of " << kept << " x " << reduced;
          kernels::Block again = block.Block(rows);
          again.fresh = false;
          fold(again, y.data());
          ASSERT_EQ(y, expected) << "folding the same once more changes nothing";
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
