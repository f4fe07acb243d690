#include "core/messages.h"

#include <gtest/gtest.h>

namespace supremum {
namespace {

TEST(Messages, ThePlaceGoesBetweenTheTitleAndTheDetailsWhetherOrNotTheTitleIsThere) {
  const Error titled = ErrorAt("a.onnx", MakeError(ErrorCode::kRank, "rank 65"));
  EXPECT_EQ(titled.message, "rank not supported: a.onnx: rank 65");
  EXPECT_EQ(ErrorAt("a.onnx", Error{ErrorCode::kRank, "rank 65"}).message, titled.message);
}

}  // namespace
}  // namespace supremum
