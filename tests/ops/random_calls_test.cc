// Calls at random against the reference, in every bit, on every target, and nothing outside the output
// touched.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "support/call_memory.h"
#include "support/calls.h"
#include "support/configurations.h"
#include "support/environments.h"
#include "support/errors.h"
#include "support/forbidden_gaps.h"
#include "support/proved.h"
#include "support/run_call.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"

namespace supremum::test {
namespace {

class RandomCalls : public testing::TestWithParam<DType> {
 protected:
  // Runs the call on every target, with thresholds of its own on each.
  void ExpectTheOracle(Draw& draw, const Call& call, bool usual_thresholds) {
    CallMemory memory(draw, call, GetParam());
    memory.FillSources(draw);
    const CallMemory expected = memory.Expected();
    ForEachTarget([&] {
      Setting setting = RandomSetting(draw);
      if (usual_thresholds) setting.tuning = kDefaultTuning;
      const ScopedSetting scoped(setting);
      CallMemory actual = memory;
      const Result<void> done = [&] {
        const ForbiddenGaps forbidden(actual.Bytes(), actual.width(),
                                      [&](auto visit) { actual.ForEachElement(visit); });
        return RunCall(call, actual.Sources(), actual.Output());
      }();
      ASSERT_TRUE(done) << done.error().message;
      ASSERT_TRUE(actual == expected);
    });
    if (GetParam() == DType::kBool) return;  // TYP-1: one of twelve types was proved
    CallMemory proved = memory;
    if (call.axes) {
      ProvedReduceMax(memory.Sources()[0], proved.Output(), std::span<const std::int64_t>(*call.axes),
                      call.keepdims);
    } else {
      ProvedMax(call.in_place ? proved.Sources() : memory.Sources(), proved.Output());
    }
    ASSERT_TRUE(proved == expected) << "the proved kernel";
  }

  template <class MakeCall>
  void ExpectTheOracleOf(std::uint64_t calls, bool usual_thresholds, MakeCall make_call) {
    for (std::uint64_t seed = 0; seed < calls; ++seed) {
      Draw draw(seed);
      const Call call = make_call(draw);
      ExpectTheOracle(draw, call, usual_thresholds);
      ASSERT_FALSE(HasFatalFailure()) << "seed " << seed << ": " << Name(GetParam()) << " " << call.Text();
    }
  }

  bool IsBool() const { return GetParam() == DType::kBool; }
};

INSTANTIATE_TEST_SUITE_P(AllTypes, RandomCalls, testing::ValuesIn(kAllDTypes),
                         [](const auto& param) { return std::string(Name(param.param)); });

// Rules: MAX-1, MAX-2, MAX-6, ORD-1, ORD-2, ORD-3, ORD-4, ORD-5, TYP-1, BRO-1, BRO-2, BRO-3, BRO-4, BRO-5,
// MEM-1, MEM-2, MEM-3
TEST_P(RandomCalls, OfMaxEqualTheOracle) {
  if (IsBool()) return;  // TYP-3
  ExpectTheOracleOf(1000, false,
                    [](Draw& draw) { return RandomMax(draw, draw.Below(20) == 0 ? kMaxRank : 7, 500); });
}

// Rules: RED-1, RED-2, RED-3, RED-4, RED-6, ORD-1, ORD-2, ORD-3, ORD-4, ORD-5, TYP-1, TYP-4, BRO-4, MEM-1,
// MEM-2, MEM-3
TEST_P(RandomCalls, OfReduceMaxEqualTheOracle) {
  ExpectTheOracleOf(
      2000, false, [](Draw& draw) { return RandomReduceMax(draw, draw.Below(20) == 0 ? kMaxRank : 7, 600); });
}

// Operands that are large enough for threads, tiles and streams with the usual thresholds.
// Rules: MAX-2, ORD-5, MEM-1, MEM-2
TEST_P(RandomCalls, OfMaxWithLargeOperandsEqualTheOracle) {
  if (IsBool()) return;  // TYP-3
  const std::int64_t most = 2'000'000 / static_cast<std::int64_t>(ByteWidth(GetParam()));
  ExpectTheOracleOf(8, true, [&](Draw& draw) {
    Call call = RandomMax(draw, 5, most);
    while (*ElementCount(call.output.shape) * 8 < most) call = RandomMax(draw, 5, most);
    return call;
  });
}

// Rules: RED-1, ORD-5, MEM-1
TEST_P(RandomCalls, OfReduceMaxWithLargeOperandsEqualTheOracle) {
  const std::int64_t most = 4'000'000 / static_cast<std::int64_t>(ByteWidth(GetParam()));
  ExpectTheOracleOf(12, true, [&](Draw& draw) {
    Call call = RandomReduceMax(draw, 5, most);
    while (*ElementCount(call.sources[0].shape) * 8 < most) call = RandomReduceMax(draw, 5, most);
    return call;
  });
}

// Rules: ORD-6
TEST_P(RandomCalls, DoNotDependOnTheFloatingPointEnvironment) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Draw draw(seed);
    const Call call = IsBool() || seed % 2 == 0 ? RandomReduceMax(draw, 4, 400) : RandomMax(draw, 4, 400);
    CallMemory memory(draw, call, GetParam());
    memory.FillSources(draw);
    const CallMemory expected = memory.Expected();
    ForEachEnvironment([&] {
      ForEachTarget([&] {
        CallMemory actual = memory;
        EXPECT_TRUE(RunCall(call, actual.Sources(), actual.Output()));
        EXPECT_TRUE(actual == expected) << call.Text();
      });
    });
  }
}

// The bytes of a view's elements.
std::set<std::size_t> BytesOf(const Layout& layout, std::size_t origin, std::size_t width) {
  std::set<std::size_t> bytes;
  ForEachOffset(layout.shape, layout.strides, [&](std::int64_t offset) {
    for (std::size_t k = 0; k < width; ++k)
      bytes.insert(origin + static_cast<std::size_t>(offset * static_cast<std::int64_t>(width)) + k);
  });
  return bytes;
}

// An output anywhere in the memory of the sources is refused exactly if it shares a byte with a source that
// it is not, and then nothing is written. Rules: MEM-1, MEM-2
TEST_P(RandomCalls, AreRefusedExactlyIfTheOutputOverlapsASource) {
  if (IsBool()) return;
  const std::size_t width = ByteWidth(GetParam());
  std::size_t refused = 0, accepted = 0;
  for (std::uint64_t seed = 0; seed < 800; ++seed) {
    Draw draw(seed);
    Call call = draw.Below(2) == 0 ? RandomMax(draw, 4, 60) : RandomReduceMax(draw, 4, 60);
    call.in_place.reset();
    if (*ElementCount(call.output.shape) == 0) continue;
    CallMemory memory(draw, call, GetParam());
    memory.FillSources(draw);
    // The output moves to an address before its own, where it may meet any source.
    MutableTensorView output = memory.Output();
    std::int64_t lowest = 0;
    for (std::size_t d = 0; d < call.output.shape.rank(); ++d)
      lowest += std::min<std::int64_t>(0, call.output.strides[d] * (call.output.shape[d] - 1));
    const std::size_t first = memory.output_origin() - static_cast<std::size_t>(-lowest) * width;
    const std::size_t origin = memory.output_origin() - draw.Below(first + 1);
    output.data = const_cast<std::byte*>(memory.memory().data()) + origin;
    const std::set<std::size_t> written = BytesOf(call.output, origin, width);
    const std::vector<TensorView> sources = memory.Sources();
    bool overlaps = false;
    for (std::size_t m = 0; m < sources.size(); ++m) {
      const std::size_t at =
          static_cast<std::size_t>(static_cast<const std::byte*>(sources[m].data) - memory.memory().data());
      bool is_output = at == origin && call.sources[m].shape == call.output.shape;
      for (std::size_t d = 0; is_output && d < call.output.shape.rank(); ++d) {
        is_output = call.output.shape[d] == 1 || call.sources[m].strides[d] == call.output.strides[d];
      }
      if (is_output) continue;
      const std::set<std::size_t> read = BytesOf(call.sources[m], at, width);
      for (const std::size_t byte : read) overlaps = overlaps || written.contains(byte);
    }
    const std::vector<std::byte> before = memory.memory();
    const Result<void> done = RunCall(call, sources, output, 0);
    ASSERT_EQ(done.has_value(), !overlaps)
        << "seed " << seed << ": " << call.Text() << (done ? "" : ": " + done.error().message);
    if (!overlaps) {
      ++accepted;
      continue;
    }
    ++refused;
    ExpectError(done, ErrorCode::kOverlap);
    ASSERT_EQ(memory.memory(), before) << "seed " << seed;
  }
  EXPECT_GT(refused, 150U);
  EXPECT_GT(accepted, 75U);
}

}  // namespace
}  // namespace supremum::test
