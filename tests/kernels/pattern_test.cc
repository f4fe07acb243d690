#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/kernels.h"
#include "kernels/line_pattern.h"
#include "kernels/targets.h"
#include "support/guarded.h"
#include "support/values.h"

namespace supremum {
namespace {

using kernels::KernelTable;
using kernels::LinePattern;
using kernels::PatternInput;
using Kind = PatternInput::Kind;

// What kernels/line_pattern.h states, without its shortcuts.
std::size_t ElementOf(const LinePattern& pattern, std::size_t i) {
  return i / pattern.period * pattern.advance + i % pattern.period / pattern.repeat_count % pattern.run;
}

// Rules: BRO-5
TEST(LinePattern, SpansTheElementsThatItNames) {
  for (const LinePattern& pattern :
       {LinePattern{3, 1, 3, 1}, LinePattern{1, 2, 2, 0}, LinePattern{2, 2, 4, 0}, LinePattern{1, 2, 6, 2},
        LinePattern{2, 3, 12, 3}, LinePattern{1, 2, 2, 5}, LinePattern{1, 1, 1, 1},
        LinePattern{4, 1, 4, 2}}) {
    std::size_t last = 0;
    for (std::size_t n = 1; n <= 40; ++n) {
      last = std::max(last, ElementOf(pattern, n - 1));
      EXPECT_EQ(pattern.SourceElements(n), last + 1) << n << " of run " << pattern.run;
    }
  }
}

// Rules: BRO-5
TEST(LinePattern, OrdersAreItsElementsForAVectorMoreThanThePeriod) {
  const LinePattern pattern{2, 3, 12, 3};
  std::vector<std::byte> orders(kernels::kMaxOrdersBytes);
  for (std::size_t width : {1u, 2u, 4u, 8u}) {
    kernels::WriteOrders(pattern, width, 64, orders.data());
    for (std::size_t t = 0; t < pattern.period + 64 / width; ++t) {
      std::uint64_t order = 0;
      std::memcpy(&order, orders.data() + t * width, width);  // of a little-endian processor
      if (std::endian::native == std::endian::big) order >>= 64 - 8 * width;
      ASSERT_EQ(order, ElementOf(pattern, t)) << "width " << width;
    }
  }
}

class PatternTest : public testing::TestWithParam<std::tuple<const KernelTable*, DType>> {
 protected:
  const KernelTable& table_ = *std::get<0>(GetParam());
  const DType dtype_ = std::get<1>(GetParam());
  const kernels::RowKernels& row_ = table_.For(dtype_);
  const std::size_t width_ = ByteWidth(dtype_);
};

const kernels::TableList kRunnable = kernels::RunnableTables();

INSTANTIATE_TEST_SUITE_P(AllTypes, PatternTest,
                         testing::Combine(testing::ValuesIn(kRunnable.begin(), kRunnable.end()),
                                          testing::ValuesIn(kAllDTypes)),
                         [](const auto& param) {
                           return std::string(std::get<0>(param.param)->target) + "_" +
                                  std::string(Name(std::get<1>(param.param)));
                         });

// An input whose source ends at a page that cannot be read.
struct Input {
  PatternInput described;
  std::unique_ptr<test::Guarded> memory;
  std::vector<std::byte> orders = std::vector<std::byte>(kernels::kMaxOrdersBytes);
};

struct Lines {
  std::size_t blocks, lines, n;
};

// Of a kind; `same`: each line of a block has the same source. If `any_order`, its lines and blocks may be
// those of the memory from the last one on.
Input InputOf(test::Rng& rng, DType dtype, std::size_t vector_bytes, Kind kind, const LinePattern& pattern,
              const Lines& of, bool same, bool any_order) {
  const std::size_t width = ByteWidth(dtype);
  std::size_t length = of.n;  // elements of a line's source
  if (kind == Kind::kScalar) length = 1;
  if (kind == Kind::kOrders) length = pattern.SourceElements(of.n);
  const std::size_t gap = test::Below(rng, 3), lines = same ? 1 : of.lines;
  const std::size_t elements = (of.blocks * lines - 1) * (length + gap) + length;
  const std::vector<std::uint64_t> special = test::SpecialBits(dtype);
  std::vector<std::byte> bytes(elements * width);
  for (std::size_t i = 0; i < elements; ++i) {
    const std::uint64_t bits = test::RandomBits(rng, dtype, special);
    std::memcpy(bytes.data() + i * width, &bits, width);
  }
  Input input;
  input.memory = std::make_unique<test::Guarded>(bytes.size());
  const std::byte* data = input.memory->Copy(bytes.data(), bytes.size());
  if (kind == Kind::kBackwards) data += (of.n - 1) * width;
  const auto stride = [&](std::size_t count) { return static_cast<std::ptrdiff_t>(count * width); };
  std::ptrdiff_t block_stride = stride(lines * (length + gap)), line_stride = stride(length + gap);
  const auto reverse = [&](std::size_t count, std::ptrdiff_t& step) {
    data += static_cast<std::ptrdiff_t>(count - 1) * step;
    step = -step;
  };
  if (any_order && test::Below(rng, 4) == 0) reverse(of.blocks, block_stride);
  if (any_order && !same && test::Below(rng, 4) == 0) reverse(lines, line_stride);
  input.described = {data, block_stride, same ? 0 : line_stride, kind, pattern, input.orders.data()};
  if (kind == Kind::kOrders) kernels::WriteOrders(pattern, width, vector_bytes, input.orders.data());
  return input;
}

const std::byte* ElementAt(const PatternInput& input, std::size_t width, std::size_t i) {
  switch (input.kind) {
    case Kind::kDense:
      return input.data + i * width;
    case Kind::kScalar:
      return input.data;
    case Kind::kBackwards:
      return input.data - i * width;
    case Kind::kOrders:
      break;
  }
  return input.data + ElementOf(input.pattern, i) * width;
}

using KindOfInput = std::pair<Kind, LinePattern>;

// Every kind, those by orders with patterns that fit this many lanes.
std::vector<KindOfInput> KindsOf(std::size_t lanes, std::size_t width) {
  std::vector<KindOfInput> kinds = {{Kind::kDense, {}}, {Kind::kScalar, {}}, {Kind::kBackwards, {}}};
  for (const LinePattern& pattern :
       {LinePattern{2, 1, 2, 1}, LinePattern{3, 1, 3, 1}, LinePattern{17, 1, 17, 1}, LinePattern{1, 2, 2, 0},
        LinePattern{1, 3, 3, 0}, LinePattern{1, 7, 7, 0}, LinePattern{2, 2, 4, 0}, LinePattern{1, 2, 6, 2},
        LinePattern{2, 3, 12, 3}, LinePattern{1, 4, 24, 4}, LinePattern{5, 1, 5, 2},
        LinePattern{1, lanes, lanes, 0}, LinePattern{1, 1, 31, 1}}) {
    if (pattern.period * width > kernels::kMaxPeriodBytes) continue;
    if (pattern.SourceElements(pattern.period + lanes - 1) <= lanes)
      kinds.push_back({Kind::kOrders, pattern});
  }
  return kinds;
}

// Joins inputs of these kinds, and compares the result with that of the portable kernels' join, element by
// element. same[m]: each line of a block has the same source of input m.
void JoinAndCompare(test::Rng& rng, const kernels::KernelTable& table, DType dtype,
                    const std::vector<KindOfInput>& kinds, const std::vector<bool>& same, const Lines& of) {
  const kernels::RowKernels& row = table.For(dtype);
  const std::size_t width = ByteWidth(dtype), count = kinds.size(), n = of.n;
  std::vector<Input> inputs;
  std::vector<PatternInput> described;
  for (std::size_t m = 0; m < count; ++m) {
    const auto& [kind, pattern] = kinds[m];
    inputs.push_back(InputOf(rng, dtype, row.vector_bytes, kind, pattern, of, same[m], true));
    described.push_back(inputs.back().described);
    described.back().orders = inputs.back().orders.data();
  }
  const std::size_t gap = test::Below(rng, 2) * test::Below(rng, 3), skew = test::Below(rng, 2) * width;
  std::vector<std::byte> expected(skew + of.blocks * of.lines * (n + gap) * width + 8, std::byte{0x5A});
  for (std::size_t j = 0; j < of.blocks * of.lines; ++j) {
    const std::ptrdiff_t block = static_cast<std::ptrdiff_t>(j / of.lines),
                         line = static_cast<std::ptrdiff_t>(j % of.lines);
    for (std::size_t i = 0; i < n; ++i) {
      const kernels::MutableRow to{expected.data() + skew + (j * (n + gap) + i) * width, 0};
      for (std::size_t m = 0; m < count; ++m) {
        PatternInput at = described[m];
        at.data += block * at.block_stride + line * at.line_stride;
        const kernels::Row element{ElementAt(at, width, i), 0};
        kernels::PortableKernels().For(dtype).join(m == 0 ? element : kernels::Row(to), element, to, 1);
      }
    }
  }
  for (bool non_temporal : {false, true}) {
    std::vector<std::byte> y(expected.size(), std::byte{0x5A});
    const auto stride = [&](std::size_t elements) { return static_cast<std::ptrdiff_t>(elements * width); };
    row.join_patterns(described.data(), count,
                      {y.data() + skew, stride(of.lines * (n + gap)), stride(n + gap), of.blocks, of.lines, n,
                       non_temporal});
    kernels::StoreFence();
    ASSERT_EQ(y, expected) << count << " inputs, the first of kind " << static_cast<int>(kinds[0].first)
                           << ", the second of kind " << static_cast<int>(kinds[1].first) << ", " << of.blocks
                           << " x " << of.lines << " lines of " << n;
  }
}

// Rules: BRO-5, ORD-5, MEM-1
TEST_P(PatternTest, InputsOfEveryPatternHaveTheMaximumOfTheirElements) {
  if (row_.join_patterns == nullptr) GTEST_SKIP() << table_.target << " has no kernels for patterns";
  test::Rng rng(31);
  const std::size_t lanes = row_.vector_bytes / width_;
  const std::vector<KindOfInput> kinds = KindsOf(lanes, width_);
  for (std::size_t n : {std::size_t{1}, lanes - 1, lanes, lanes + 1, 2 * lanes, 3 * lanes - 1, 3 * lanes + 2,
                        4 * lanes, 5 * lanes + 1, 12 * lanes, 13 * lanes + 5}) {
    if (n == 0) continue;
    for (const KindOfInput& first : kinds) {
      const Lines of{1 + test::Below(rng, 2), 1 + test::Below(rng, 4), n};
      std::vector<KindOfInput> chosen = {first};
      std::vector<bool> same = {test::Below(rng, 2) == 0};
      for (std::size_t more = 1 + test::Below(rng, 3); more > 0; --more) {
        chosen.push_back(kinds[test::Below(rng, kinds.size())]);
        same.push_back(test::Below(rng, 2) == 0);
      }
      JoinAndCompare(rng, table_, dtype_, chosen, same, of);
    }
  }
}

// Rules: BRO-5, ORD-5, MEM-1
TEST_P(PatternTest, TwoInputsThatBothDifferFromLineToLine) {
  if (row_.join_patterns == nullptr) GTEST_SKIP() << table_.target << " has no kernels for patterns";
  test::Rng rng(33);
  const std::size_t lanes = row_.vector_bytes / width_;
  for (const KindOfInput& kind : KindsOf(lanes, width_)) {
    for (const KindOfInput& other : {KindOfInput{Kind::kDense, {}}, kind}) {
      const Lines of{1 + test::Below(rng, 2), 2 + test::Below(rng, 3),
                     4 * lanes + test::Below(rng, 4 * lanes)};
      JoinAndCompare(rng, table_, dtype_, {other, kind}, {false, false}, of);
      JoinAndCompare(rng, table_, dtype_, {kind, other}, {false, false}, of);
    }
  }
}

// Rules: BRO-3
TEST_P(PatternTest, NothingIsReadOrWrittenWithoutBlocksLinesOrElements) {
  if (row_.join_patterns == nullptr) GTEST_SKIP() << table_.target << " has no kernels for patterns";
  std::vector<std::byte> orders(kernels::kMaxOrdersBytes), y(4 * row_.vector_bytes, std::byte{0x5A});
  const std::vector<std::byte> before = y;
  const LinePattern pattern{1, 2, 2, 0};
  kernels::WriteOrders(pattern, width_, row_.vector_bytes, orders.data());
  const PatternInput inputs[] = {{nullptr, 0, 0, Kind::kDense, {}, nullptr},
                                 {nullptr, 0, 0, Kind::kOrders, pattern, orders.data()}};
  const std::size_t n = y.size() / width_;
  for (const Lines& of : {Lines{0, 1, n}, Lines{1, 0, n}, Lines{1, 1, 0}}) {
    row_.join_patterns(inputs, 2, {y.data(), 0, 0, of.blocks, of.lines, of.n, false});
    EXPECT_EQ(y, before) << of.blocks << " x " << of.lines << " lines of " << of.n;
  }
}

// Rules: MEM-2
TEST_P(PatternTest, TheOutputMayBeADenseInput) {
  if (row_.join_patterns == nullptr) GTEST_SKIP() << table_.target << " has no kernels for patterns";
  test::Rng rng(32);
  const std::size_t lanes = row_.vector_bytes / width_;
  for (const auto& [lines, n] :
       {std::pair(std::size_t{1}, 9 * lanes + 3), std::pair(std::size_t{3}, 9 * lanes + 3),
        std::pair(std::size_t{3}, 2 * lanes + 1)}) {
    const Lines of{2, lines, n};
    Input other = InputOf(rng, dtype_, row_.vector_bytes, Kind::kOrders, {1, 2, 2, 0}, of, false, false);
    const Input dense = InputOf(rng, dtype_, row_.vector_bytes, Kind::kDense, {}, of, false, false),
                same = InputOf(rng, dtype_, row_.vector_bytes, Kind::kScalar, {}, of, true, false);
    PatternInput described[] = {dense.described, other.described, same.described};
    described[1].orders = other.orders.data();
    const std::ptrdiff_t block = dense.described.block_stride, line = dense.described.line_stride;
    const std::size_t bytes =
        static_cast<std::size_t>(block) + static_cast<std::size_t>(line) * (lines - 1) + n * width_;
    std::vector<std::byte> apart(dense.described.data, dense.described.data + bytes), in_place = apart;
    row_.join_patterns(described, 3, {apart.data(), block, line, 2, lines, n, false});
    described[0].data = in_place.data();
    row_.join_patterns(described, 3, {in_place.data(), block, line, 2, lines, n, false});
    EXPECT_EQ(in_place, apart) << lines << " lines of " << n;
  }
}

}  // namespace
}  // namespace supremum
