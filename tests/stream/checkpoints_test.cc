// What an interrupted run leaves behind, as text.
#include "stream/checkpoints.h"

#include <gtest/gtest.h>

#include <cstddef>
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
  for (const char* const version : {"1", "2", "3", "5", "22", ""}) {
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

// What numbers say is used without another check, such as how much of a tile was done.
TEST(Checkpoints, AreRefusedIfAnyByteOfThemIsAnother) {
  Checkpoints checkpoints;
  checkpoints.facts = {"max", "input 'x.bin': 4 bytes"};
  checkpoints.done = {{3, std::string(32, 'a')}, {5, std::string(32, 'b')}};
  checkpoints.tile = UnfinishedTile{5, 20, 7, 1, std::string(32, 'c')};
  const std::string text = ToText(checkpoints);
  ASSERT_TRUE(ParseCheckpoints(text, "'s'"));
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const int flip : {1, 2, 4, 8, 16, 32, 64, 128}) {
      std::string changed = text;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      EXPECT_FALSE(ParseCheckpoints(changed, "'s'")) << changed;
    }
    EXPECT_FALSE(ParseCheckpoints(text.substr(0, at), "'s'")) << at;
    EXPECT_FALSE(ParseCheckpoints(text.substr(0, at) + text.substr(at + 1), "'s'")) << at;
  }
  EXPECT_FALSE(ParseCheckpoints(text + "\n", "'s'"));
  EXPECT_FALSE(ParseCheckpoints(text + text, "'s'"));
}

}  // namespace
}  // namespace supremum::stream
