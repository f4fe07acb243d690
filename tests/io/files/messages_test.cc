#include "io/files/messages.h"

#include <gtest/gtest.h>

namespace supremum::io {
namespace {

TEST(Messages, ThePlaceStandsBetweenTitleAndDetails) {
  EXPECT_EQ(ErrorAt(ErrorCode::kIo, "'x'", "gone").message, "I/O error: 'x': gone");
  EXPECT_EQ(ErrorAt("'x'", MakeError(ErrorCode::kRank, "too many")).message,
            "rank not supported: 'x': too many");
  EXPECT_EQ(MalformedAtByte("'x'", 17, "odd").message, "malformed file: 'x': byte 17: odd");
}

}  // namespace
}  // namespace supremum::io
