#include "io/files/messages.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace supremum::io {
namespace {

TEST(Messages, ThePlaceStandsBetweenTitleAndDetails) {
  EXPECT_EQ(ErrorAt(ErrorCode::kIo, "'x'", "gone").message, "I/O error: 'x': gone");
  EXPECT_EQ(ErrorAt("'x'", MakeError(ErrorCode::kRank, "too many")).message,
            "rank not supported: 'x': too many");
  EXPECT_EQ(MalformedAtByte("'x'", 17, "odd").message, "malformed file: 'x': byte 17: odd");
}

TEST(Messages, OfSeveralTensorsTheFirstEightAreNamed) {
  const auto text = [](const std::vector<std::string>& names) {
    const Result<std::size_t> single = ChooseTensor("x", "tensor", names, std::nullopt);
    return single ? "" : single.error().message;
  };
  EXPECT_EQ(text({"a"}), "");
  EXPECT_EQ(text({}), "invalid argument: 'x': the file holds no tensor; exactly one is expected");
  const std::string longest(60, 'b'), longer(61, 'c');
  EXPECT_EQ(text({"a", longest, longer}),
            "invalid argument: 'x': the file holds 3 tensors, 'a', '" + longest + "', '" +
                std::string(60, 'c') + "'... (61 bytes); exactly one is expected: name one, as in 'x::a'");
  const std::string start = " tensors, 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a'",
                    end = "; exactly one is expected: name one, as in 'x::a'";
  EXPECT_EQ(text(std::vector<std::string>(8, "a")), "invalid argument: 'x': the file holds 8" + start + end);
  EXPECT_EQ(text(std::vector<std::string>(9, "a")),
            "invalid argument: 'x': the file holds 9" + start + " and 1 more" + end);
}

TEST(Messages, ATensorIsChosenByItsName) {
  const std::vector<std::string> names = {"a", "b", ""};
  EXPECT_EQ(ChooseTensor("x", "tensor", names, "b").value(), 1U);
  EXPECT_EQ(ChooseTensor("x", "tensor", names, "").value(), 2U);
  EXPECT_EQ(ChooseTensor("x", "tensor", names, "c").error().message,
            "invalid argument: 'x': the file holds no tensor 'c'; it holds 'a', 'b', ''");
  EXPECT_FALSE(ChooseTensor("x", "tensor", std::vector<std::string>{"a"}, "b"));
  EXPECT_FALSE(ChooseTensor("x", "tensor", std::vector<std::string>{}, "b"));
}

}  // namespace
}  // namespace supremum::io
