// What an interrupted run leaves behind, as text.
#include "stream/checkpoints.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>

#include "stream/running_hash.h"

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
  for (const char* const version : {"1", "2", "3", "4", "22", ""}) {
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

// The hash detects damage, and not that another program wrote the file.
TEST(Checkpoints, AreRefusedWithALineThatIsNotValidWhoseHashIsRight) {
  const auto read = [](const std::string& lines) {
    std::string text = ToText({});
    text = text.substr(0, text.find('\n') + 1) + lines;
    RunningHash hash;
    hash.Update(std::as_bytes(std::span(text)));
    return ParseCheckpoints(text + "end " + hash.Hex() + '\n', "'s'");
  };
  const std::string hash(32, 'a'), done = "done 3 " + hash + '\n', tile = "tile 5 20 7 1 " + hash + '\n';
  for (const std::string& lines :
       {std::string(), "fact x\n" + done + tile, tile + done, "done 0 " + hash + '\n',
        done + "done 4 " + hash + '\n', "tile 0 0 0 0 " + hash + '\n'}) {
    EXPECT_TRUE(read(lines)) << lines;
  }
  for (const std::string& line : {std::string("x"),
                                  std::string(),
                                  std::string("fact"),
                                  "done -1 " + hash,
                                  "done x " + hash,
                                  "done " + hash,
                                  "done 3x " + hash,
                                  std::string("done 3"),
                                  "done 3 " + hash + " 4",
                                  "done 3 " + hash.substr(1),
                                  "done 3 A" + hash.substr(1),
                                  "done 3 4 " + hash,
                                  "tile -5 20 7 1 " + hash,
                                  "tile x 20 7 1 " + hash,
                                  "tile 5 -20 7 1 " + hash,
                                  "tile 5 x 7 1 " + hash,
                                  "tile 5 20 -7 1 " + hash,
                                  "tile 5 20 x 1 " + hash,
                                  "tile 5 20 7 -1 " + hash,
                                  "tile 5 20 7 2 " + hash,
                                  "tile 5 20 7 x " + hash,
                                  "tile 5 20 7 " + hash,
                                  std::string("tile 5 20 7 1"),
                                  "tile 5 20 7 1 x" + hash.substr(1),
                                  "tile 5 20 7 1 " + hash + "a",
                                  "tile 5 20 7 1 " + hash + " 4"}) {
    const Result<Checkpoints> refused = read(line + '\n');
    ASSERT_FALSE(refused) << line;
    EXPECT_EQ(refused.error().code, ErrorCode::kMalformedFile);
    EXPECT_NE(refused.error().message.find("'s': line 2 is not valid in a resume file"), std::string::npos);
  }
  EXPECT_FALSE(read(done + done)) << "no more is done";
  EXPECT_FALSE(read(done + "done 2 " + hash + '\n')) << "less is done";
  EXPECT_FALSE(read(tile + tile)) << "two tiles";
}

}  // namespace
}  // namespace supremum::stream
