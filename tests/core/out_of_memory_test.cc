#include "core/out_of_memory.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

namespace supremum {
namespace {

// Rules: MEM-3
TEST(OrOutOfMemory, WantOfMemoryAndALengthThatNoMachineHasAreOneErrorAndAnythingElseIsWhatItWas) {
  const Result<int> none = OrOutOfMemory([]() -> Result<int> { throw std::bad_alloc(); });
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kOutOfMemory);
  EXPECT_EQ(none.error().message, "out of memory");
  const Result<void> too_long = OrOutOfMemory([]() -> Result<void> { throw std::length_error("x"); });
  ASSERT_FALSE(too_long);
  EXPECT_EQ(too_long.error().code, ErrorCode::kOutOfMemory);
  EXPECT_EQ(*OrOutOfMemory([]() -> Result<int> { return 3; }), 3);
  EXPECT_EQ(OrOutOfMemory([]() -> Result<int> { return MakeError(ErrorCode::kRank, "x"); }).error().code,
            ErrorCode::kRank);
}

}  // namespace
}  // namespace supremum
