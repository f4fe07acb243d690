#include "core/messages.h"

#include <gtest/gtest.h>

#include "core/out_of_memory.h"

namespace supremum {
namespace {

TEST(Messages, ThePlaceGoesBetweenTheTitleAndTheDetailsWhetherOrNotTheTitleIsThere) {
  const Error titled = ErrorAt("a.onnx", MakeError(ErrorCode::kRank, "rank 65"));
  EXPECT_EQ(titled.message, "rank not supported: a.onnx: rank 65");
  EXPECT_EQ(ErrorAt("a.onnx", Error{ErrorCode::kRank, "rank 65"}).message, titled.message);
  EXPECT_EQ(ErrorAt("a.onnx", OutOfMemoryError()).message, "out of memory: a.onnx");
}

TEST(Messages, PlacesNestFromOutsideToInside) {
  const Error inner =
      ErrorAt("tensor 'x'", MakeError(ErrorCode::kRank, "BRO-4", "rank 65", "; merge dimensions"));
  const Error outer = ErrorAt("a.onnx", inner);
  EXPECT_EQ(outer.message, "rank not supported: a.onnx: tensor 'x': rank 65 (BRO-4); merge dimensions");
  EXPECT_EQ(outer.details(), "a.onnx: tensor 'x': rank 65 (BRO-4); merge dimensions");
  EXPECT_EQ(outer.rule.text(), "BRO-4");
  EXPECT_EQ(outer.code, ErrorCode::kRank);
}

}  // namespace
}  // namespace supremum
