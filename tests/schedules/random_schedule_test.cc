// Schedules of larger operands at random: any strides that a call admits, up to eight threads, any
// thresholds.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "schedules/recorded_call.h"
#include "support/calls.h"
#include "support/recording.h"
#include "support/sanitized.h"

namespace supremum::test {
namespace {

// The number of calls in each test; more by the environment, for a longer run.
std::size_t Calls() {
  const char* const stated = std::getenv("SUPREMUM_RECORDED_CALLS");
  return stated != nullptr ? std::strtoull(stated, nullptr, 10) : kIsSanitized ? 1000 : 4000;
}

template <class T>
class RandomSchedules : public testing::Test {
 protected:
  template <class MakeCall>
  void CheckAll(MakeCall make_call) {
    Recorded<T> recorded;
    for (std::uint64_t seed = 0; seed < Calls() && !this->HasFailure(); ++seed) {
      Draw draw(seed);
      const Call call = make_call(draw);
      const ScopedSetting setting(RandomSetting(draw));
      const ScopedRecording recording(std::size_t{16} << draw.Below(3));
      EXPECT_EQ(recorded.Check(call, 2, draw.Below(1000)), "") << "seed " << seed;
    }
  }
};

using Elements = testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(RandomSchedules, Elements);

// Rules: RED-1, RED-3, RED-6, ORD-5, MEM-1, MEM-2, MEM-3
TYPED_TEST(RandomSchedules, OfReduceMaxReachExactlyTheirOutputs) {
  this->CheckAll([](Draw& draw) { return RandomReduceMax(draw, 6, 5000); });
}

// Rules: MAX-1, MAX-2, MAX-6, BRO-1, BRO-2, BRO-3, BRO-5, ORD-5, MEM-1, MEM-2, MEM-3
TYPED_TEST(RandomSchedules, OfMaxReachExactlyTheirOutputs) {
  this->CheckAll([](Draw& draw) { return RandomMax(draw, 6, 3000); });
}

}  // namespace
}  // namespace supremum::test
