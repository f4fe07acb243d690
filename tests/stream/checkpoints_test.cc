// What an interrupted run leaves behind, as text.
#include "stream/checkpoints.h"

#include <gtest/gtest.h>

#include <string>

namespace supremum::stream {
namespace {

TEST(Checkpoints, AreReadAsTheyWereWritten) {
  Checkpoints checkpoints;
  checkpoints.facts = {"max", "input 'x.bin': 4 bytes"};
  checkpoints.done = {{3, std::string(32, 'a')}};
  const std::string text = ToText(checkpoints);
  const Checkpoints read = ParseCheckpoints(text, "'s'").value();
  EXPECT_EQ(ToText(read), text);
}

TEST(Checkpoints, OfAnotherVersionAreRefusedWithTheReason) {
  const std::string now = ToText({});
  for (const char* const version : {"1", "2", "4", "22", ""}) {
    const std::string text =
        std::string("supremum, a result to go on with, ") + version + now.substr(now.find('\n'));
    const Result<Checkpoints> read = ParseCheckpoints(text, "'s'");
    ASSERT_FALSE(read) << version;
    EXPECT_EQ(read.error().code, ErrorCode::kMalformedFile);
    EXPECT_NE(read.error().message.find("written by another version of supremum"), std::string::npos);
    EXPECT_NE(read.error().message.find("leave --resume out to start again"), std::string::npos);
  }
  EXPECT_TRUE(ParseCheckpoints(now, "'s'"));
}

}  // namespace
}  // namespace supremum::stream
