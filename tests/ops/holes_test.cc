// No page without elements is touched: those between the parts of each tensor can be neither read nor
// written.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "support/configurations.h"
#include "support/shapes.h"
#include "support/values.h"
#include "supremum/dtype.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"
#include "supremum/reference.h"
#include "supremum/shape.h"
#include "supremum/tensor_view.h"

namespace supremum {
namespace {

using test::Below;
using test::Rng;
using test::StridedTensor;
using Layout = StridedTensor::Layout;
using Use = StridedTensor::Use;

/// A tensor whose memory has holes: pages that can be neither read nor written lie between its parts, and
/// each part begins or ends where a page does.
///
/// Some dimensions, chosen at random, go from part to part, the others over the elements of a part, in any
/// order and direction and with gaps now and then.
class HoledTensor {
 public:
  HoledTensor(Rng& rng, DType dtype, const Shape& shape)
      : dtype_(dtype), shape_(shape), strides_(Shape::Filled(shape.rank(), 0)) {
    std::vector<std::size_t> order(shape.rank());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (Below(rng, 3) == 0) std::shuffle(order.begin(), order.end(), rng);
    // The first ones in `order` go from part to part: up to 24 parts.
    std::size_t outer = 0;
    std::int64_t parts = 1;
    while (outer < order.size() && parts * shape[order[outer]] <= 24 && Below(rng, 4) != 0) {
      parts *= shape[order[outer++]];
    }
    const std::int64_t width = static_cast<std::int64_t>(ByteWidth(dtype));
    std::int64_t lowest = 0;
    const std::int64_t part =
        Stride(rng, std::vector<std::size_t>(order.rbegin(), order.rend() - Signed(outer)), 1,
               Below(rng, 3) == 0 ? 2 : 0, lowest) *
        width;
    const std::int64_t page = sysconf(_SC_PAGESIZE);
    const std::int64_t pages = (part + page - 1) / page, period = (pages + 1) * page;
    // The strides of the parts, which follow each other after a hole.
    std::int64_t first_part = 0;
    Stride(rng, std::vector<std::size_t>(order.rend() - Signed(outer), order.rend()), period / width, 0,
           first_part);
    bytes_ = static_cast<std::size_t>(page + parts * period);
    void* const memory = mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    memory_ = static_cast<std::byte*>(memory);
    for (std::int64_t i = 0; i < parts; ++i) {
      if (mprotect(memory_ + page + i * period, static_cast<std::size_t>(pages * page),
                   PROT_READ | PROT_WRITE) != 0) {
        std::abort();
      }
    }
    const std::int64_t in_pages = Below(rng, 2) == 0 ? 0 : pages * page - part;
    data_ = memory_ + page + in_pages - (lowest + first_part) * width;
  }
  ~HoledTensor() { munmap(memory_, bytes_); }
  HoledTensor(const HoledTensor&) = delete;
  HoledTensor& operator=(const HoledTensor&) = delete;

  /// Gives the elements these bits, in row-major order.
  void Set(const std::vector<std::uint64_t>& bits) {
    std::size_t next = 0;
    test::VisitElements(dtype_, shape_, strides_, data_,
                        [&](std::byte* element) { std::memcpy(element, &bits[next++], ByteWidth(dtype_)); });
  }

  /// The elements' bits in row-major order.
  std::vector<std::uint64_t> Elements() const {
    std::vector<std::uint64_t> all;
    test::VisitElements(dtype_, shape_, strides_, data_,
                        [&](std::byte* element) { all.push_back(test::BitsAt(dtype_, element)); });
    return all;
  }

  TensorView View() const { return TensorView{dtype_, shape_, strides_, data_}; }
  MutableTensorView MutableView() { return MutableTensorView{dtype_, shape_, strides_, data_}; }

 private:
  static std::ptrdiff_t Signed(std::size_t n) { return static_cast<std::ptrdiff_t>(n); }

  // Gives these dimensions strides, innermost first, from `step` on; now and then one is `gap` longer.
  // Returns the elements from the lowest to the highest one, and adds the distance of the lowest to `lowest`.
  std::int64_t Stride(Rng& rng, const std::vector<std::size_t>& dims, std::int64_t step, std::int64_t gap,
                      std::int64_t& lowest) {
    std::int64_t span = 1;
    for (std::size_t d : dims) {
      const bool backwards = Below(rng, 4) == 0;
      strides_[d] = backwards ? -step : step;
      const std::int64_t reach = step * std::max<std::int64_t>(shape_[d] - 1, 0);
      if (backwards) lowest -= reach;
      span += reach;
      step *= std::max<std::int64_t>(shape_[d], 1);
      if (gap > 0 && Below(rng, 2) == 0) step += gap;
    }
    return span;
  }

  DType dtype_;
  Shape shape_, strides_;
  std::byte* memory_ = nullptr;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

class Holes : public testing::TestWithParam<DType> {};

INSTANTIATE_TEST_SUITE_P(AllTypes, Holes, testing::ValuesIn(kNumberDTypes),
                         [](const auto& param) { return std::string(Name(param.param)); });

Shape SomeShape(Rng& rng) {
  static constexpr std::int64_t kExtents[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33, 70};
  Shape shape;
  const std::size_t rank = 1 + Below(rng, 5);
  std::int64_t count = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    std::int64_t extent = kExtents[Below(rng, std::size(kExtents))];
    if (count * extent > 1500) extent = 2;
    count *= extent;
    shape.PushBack(extent);
  }
  return shape;
}

// Rules: MAX-2, BRO-1, BRO-2, MEM-1
TEST_P(Holes, InTheOperandsAndTheOutputOfMaxAreNotTouched) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Rng rng(seed);
    const Shape shape = SomeShape(rng);
    std::deque<HoledTensor> inputs;
    std::vector<StridedTensor> values;
    std::vector<TensorView> views, dense;
    std::vector<std::vector<std::int64_t>> shapes;
    const std::size_t count = 1 + Below(rng, 4);
    values.reserve(count);
    for (std::size_t m = 0; m < count; ++m) {
      const Shape operand = test::RandomOperandShape(rng, shape);
      shapes.emplace_back(operand.begin(), operand.end());
      values.emplace_back(rng, GetParam(), operand, Layout::kDense, Use::kInput);
      values.back().Fill(rng);
      inputs.emplace_back(rng, GetParam(), operand).Set(values.back().Elements());
      views.push_back(inputs.back().View());
      dense.push_back(values.back().View());
    }
    const Shape common = *Shape::FromSpan(*reference::BroadcastShape(shapes));
    StridedTensor expected(rng, GetParam(), common, Layout::kDense, Use::kOutput), fresh = expected;
    ASSERT_TRUE(reference::Max(dense, expected.MutableView()));
    HoledTensor output(rng, GetParam(), common);
    test::ForEachConfiguration([&](std::size_t threads) {
      output.Set(fresh.Elements());
      ASSERT_TRUE(Max(views, output.MutableView(), {.threads = threads}));
      ASSERT_EQ(output.Elements(), expected.Elements());
    });
    if (HasFatalFailure()) return;
  }
}

// A ReduceMax whose source has holes, along some axes.
struct Reduction {
  Reduction(Rng& rng, DType dtype)
      : shape(SomeShape(rng)),
        values(rng, dtype, shape, Layout::kDense, Use::kInput),
        source(rng, dtype, shape) {
    values.Fill(rng);
    source.Set(values.Elements());
    for (std::size_t d = 0; d < shape.rank(); ++d) {
      if (Below(rng, 2) == 0) axes.push_back(static_cast<std::int64_t>(d));
    }
    options.axes = axes;
    options.keepdims = Below(rng, 2) == 0;
    reduced = *ReduceMaxOutputShape(values.View(), options);
  }
  Reduction(const Reduction&) = delete;  // options.axes are its own
  Reduction& operator=(const Reduction&) = delete;

  // What is written to an output like `fresh`.
  StridedTensor ExpectedIn(StridedTensor fresh) const {
    EXPECT_TRUE(reference::ReduceMax(values.View(), fresh.MutableView(), axes, options.keepdims));
    return fresh;
  }

  Shape shape, reduced;
  StridedTensor values;
  HoledTensor source;
  std::vector<std::int64_t> axes;
  ReduceMaxOptions options;
};

// Rules: RED-1, MEM-1
TEST_P(Holes, InTheSourceAndTheOutputOfReduceMaxAreNotTouched) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Rng rng(seed);
    Reduction r(rng, GetParam());
    StridedTensor fresh(rng, GetParam(), r.reduced, Layout::kDense, Use::kOutput);
    StridedTensor expected = r.ExpectedIn(fresh);
    HoledTensor output(rng, GetParam(), r.reduced);
    test::ForEachConfiguration([&](std::size_t threads) {
      r.options.threads = threads;
      output.Set(fresh.Elements());
      ASSERT_TRUE(ReduceMax(r.source.View(), output.MutableView(), r.options));
      ASSERT_EQ(output.Elements(), expected.Elements());
    });
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace supremum
