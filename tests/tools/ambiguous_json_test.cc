// JSON that two readers could read as two documents: an error in every file that the command reads as JSON.
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/command.h"

namespace supremum::test {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

using ::testing::AnyOf;
using ::testing::HasSubstr;

/// A file that is read as JSON, and the command that reads it. Its text begins with '{' and ends with '}'.
struct Reader {
  std::string file;
  std::vector<std::string> command;
  int status;  // with the text as it is
};

class AmbiguousJson : public CommandTest {
 protected:
  void SetUp() override {
    WriteTensor<float>("a.npy", {2, 3}, {1, -2, 3, -4, 5, -6});
    WriteText(
        File("graph.json"),
        R"({"version":"3.0.0","graph":[{"id":0,"kind":"Maximum","inputs":[{"id":0,"dtype":"f32","shape":[2,3]},)"
        R"({"id":1,"dtype":"f32","shape":[2,3]}],"outputs":[{"id":2,"dtype":"f32","shape":[2,3]}]}]})");
    WriteText(File("x.safetensors"), R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})");
    readers_ = {{"graph.json", {"run", "graph.json", "-i", "0=a.npy", "-i", "1=a.npy"}, 0},
                {"x.safetensors", {"max", "x.safetensors", "-o", "y.npy"}, 0}};
    for (const Reader& reader : readers_) {
      texts_.push_back(ReadText(File(reader.file)));
      if (texts_.back().ends_with('\n')) texts_.back().pop_back();
      ASSERT_TRUE(texts_.back().starts_with('{') && texts_.back().ends_with('}')) << reader.file;
    }
    for (std::size_t i = 0; i < readers_.size(); ++i) {
      const ProcessResult result = Read(readers_[i], texts_[i]);
      ASSERT_EQ(result.status, readers_[i].status) << readers_[i].file << result.err;
    }
  }

  /// Runs the command with this text in the file; what it made is removed.
  ProcessResult Read(const Reader& reader, std::string_view text) const {
    std::string bytes(text);
    if (reader.file == "x.safetensors") {
      std::string size;
      for (std::size_t shift = 0; shift < 64; shift += 8) size += static_cast<char>(bytes.size() >> shift);
      bytes = size + bytes + "12";
    }
    WriteText(File(reader.file), bytes);
    ProcessResult result = Supremum(reader.command);
    if (result.status == 0 && reader.status != 0) ADD_FAILURE() << "another status than with the text itself";
    if (result.status > 1) {
      EXPECT_FALSE(Exists("y.npy") || Exists("made")) << reader.file;
    }
    fs::remove(File("y.npy"));
    fs::remove_all(File("made"));
    return result;
  }

  using Change = std::function<std::string(const std::string&)>;

  /// Every reader refuses what `change` makes of its text, in one line that has no control characters and one
  /// of these parts.
  void ExpectRefused(const Change& change, const std::vector<std::string>& parts = {""}) const {
    for (std::size_t i = 0; i < readers_.size(); ++i) {
      const std::string text = change(texts_[i]);
      ASSERT_NE(text, texts_[i]);
      const ProcessResult result = Read(readers_[i], text);
      SCOPED_TRACE(readers_[i].file + ": " + text.substr(0, 300) + "\n" + result.err);
      EXPECT_THAT(result.status, AnyOf(2, 3, 4));
      EXPECT_EQ(std::ranges::count(result.err, '\n'), 1);
      for (const char c : result.err) EXPECT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7f));
      EXPECT_TRUE(std::ranges::any_of(
          parts, [&](const std::string& part) { return result.err.find(part) != std::string::npos; }));
    }
  }
  void ExpectNoJson(const Change& change) const {
    ExpectRefused(change, {"it is not JSON", "begins with '{'"});
  }
  void ExpectNoJsonBehind(std::string_view more) const {
    ExpectNoJson([&](const std::string& text) { return text + std::string(more); });
  }
  void ExpectNoJsonBefore(std::string_view more) const {
    ExpectNoJson([&](const std::string& text) { return std::string(more) + text; });
  }
  /// With this member put in front of the first one.
  void ExpectNoJsonWithin(std::string_view member) const {
    ExpectNoJson([&](const std::string& text) { return "{" + std::string(member) + "," + text.substr(1); });
  }

  std::vector<Reader> readers_;
  std::vector<std::string> texts_;
};

/// The first key of an object's text.
std::string FirstKey(const std::string& text) { return text.substr(2, text.find('"', 2) - 2); }

TEST_F(AmbiguousJson, NothingFollowsAZeroByte) {
  for (const std::string_view more : {"\0"sv, "\0garbage"sv, " \0 "sv, "\n\0"sv, "\0\0\0\0\0\0\0\0"sv})
    ExpectNoJsonBehind(more);
  ExpectNoJson([](const std::string& text) { return text + '\0' + text; });
  ExpectNoJson([](const std::string& text) { return '\0' + text; });
  ExpectNoJson([](const std::string& text) { return text.substr(0, 1) + '\0' + text.substr(1); });
}

TEST_F(AmbiguousJson, ASecondDocumentIsNoneBesideTheFirst) {
  ExpectNoJson([](const std::string& text) { return text + text; });
  ExpectNoJson([](const std::string& text) { return text + "\n" + text; });
  ExpectRefused([](const std::string& text) { return "[" + text + "]"; });
  for (const std::string_view more : {"{}"sv, "[]"sv, "null"sv, ","sv, "}"sv, "\x1e{}"sv, "\x1a"sv})
    ExpectNoJsonBehind(more);
  for (const std::string_view before : {"{}"sv, "null "sv, "\x1e"sv, ")]}',\n"sv}) ExpectNoJsonBefore(before);
}

TEST_F(AmbiguousJson, OtherEncodingsThanUtf8AreRefused) {
  for (const std::string_view mark : {"\xff\xfe"sv, "\xfe\xff"sv, "\xff\xfe\0\0"sv, "+/v8"sv})
    ExpectNoJsonBefore(mark);
  for (const std::size_t width : {2U, 4U}) {
    for (const bool big_endian : {false, true}) {
      ExpectNoJson([&](const std::string& text) {
        std::string wide;
        for (const char c : text) {
          std::string unit(width, '\0');
          unit[big_endian ? width - 1 : 0] = c;
          wide += unit;
        }
        return wide;
      });
    }
  }
}

TEST_F(AmbiguousJson, BytesThatAreNoUtf8AreRefusedWhereverTheyStand) {
  // Among them zero bytes and quotes in more bytes than they need, halves of pairs, and what lies beyond.
  for (const std::string_view bytes :
       {"\xc0\x80"sv, "\xe0\x80\x80"sv, "\xc0\xa2"sv, "\xed\xa0\x80"sv, "\xf4\x90\x80\x80"sv,
        "\xf8\x88\x80\x80\x80"sv, "\x80"sv, "\xe2\x82"sv}) {
    ExpectNoJsonWithin("\"" + std::string(bytes) + "\":1");
    ExpectNoJsonWithin("\"k\":\"" + std::string(bytes) + "\"");
  }
}

TEST_F(AmbiguousJson, HalvesOfPairsInEscapesAreRefused) {
  for (const std::string_view escape :
       {R"(\ud800)"sv, R"(\udc00)"sv, R"(\udc00\ud800)"sv, R"(\ud800\ud800)"sv, R"(\ud800x)"sv,
        R"(\ud800\n)"sv, R"(\u00)"sv, R"(\u{41})"sv, R"(\x41)"sv, R"(\0)"sv, R"(\')"sv}) {
    ExpectNoJsonWithin("\"" + std::string(escape) + "\":1");
    ExpectNoJsonWithin("\"k\":\"" + std::string(escape) + "\"");
  }
}

TEST_F(AmbiguousJson, AKeyOccursOnceHoweverItIsWritten) {
  ExpectRefused([](const std::string& text) { return "{\"" + FirstKey(text) + "\":1," + text.substr(1); });
  ExpectRefused([](const std::string& text) {
    return text.substr(0, text.size() - 1) + ",\"" + FirstKey(text) + "\":null}";
  });
  // The same key with its first letter as an escape.
  ExpectRefused([](const std::string& text) {
    const std::string key = FirstKey(text);
    const std::string digits = "0123456789abcdef";
    const auto letter = static_cast<unsigned char>(key[0]);
    const std::string escaped = std::string("\\u00") + digits[letter >> 4] + digits[letter & 15];
    return "{\"" + escaped + key.substr(1) + "\":1," + text.substr(1);
  });
}

// A key that a reader of C strings takes for another one, which is missing then.
TEST_F(AmbiguousJson, AnEscapedZeroEndsNoKey) {
  for (const char* const more : {"\\u0000", "\\u0000x", "\\u0000\\u0000"}) {
    ExpectRefused([&](const std::string& text) {
      std::string changed = text;
      for (const std::string key : {"\"graph\"", "\"dtype\"", "\"group\"", "\"cases\""}) {
        const std::size_t at = changed.find(key);
        if (at != std::string::npos) changed.insert(at + key.size() - 1, more);
      }
      return changed;
    });
  }
}

TEST_F(AmbiguousJson, ExtensionsOfJsonAreRefused) {
  for (const std::string_view more :
       {"//"sv, "/**/"sv, "#"sv, ";"sv, "\v"sv, "\f"sv, "\xc2\xa0"sv, "\xe2\x80\xa8"sv}) {
    ExpectNoJsonBehind(more);
    ExpectNoJsonBefore(more);
    ExpectNoJson([&](const std::string& text) { return "{" + std::string(more) + text.substr(1); });
  }
  ExpectNoJson([](const std::string& text) { return text.substr(0, text.size() - 1) + ",}"; });
  ExpectNoJson([](const std::string& text) { return "{," + text.substr(1); });
  for (const std::string_view member :
       {"k:1"sv, "'k':1"sv, "\"k\"=1"sv, "\"k\":NaN"sv, "\"k\":Infinity"sv, "\"k\":-Infinity"sv,
        "\"k\":True"sv, "\"k\":undefined"sv, "\"k\":'v'"sv, "\"k\":[1,]"sv, "\"k\":\"a\nb\""sv,
        "\"k\":\"a\tb\""sv, "1:1"sv}) {
    ExpectNoJsonWithin(member);
  }
}

TEST_F(AmbiguousJson, NumbersThatReadersReadDifferentlyAreRefused) {
  for (const std::string_view number :
       {"01"sv, "+1"sv, ".5"sv, "1."sv, "0x1"sv, "1e"sv, "1_0"sv, "--1"sv, "1e999"sv, "-1e999"sv, "1,0"sv,
        "0b1"sv, "0o7"sv, "1f"sv, "1L"sv, "\xef\xbc\x91"sv}) {
    ExpectNoJsonWithin("\"k\":" + std::string(number));
  }
  // Where a count is expected, it is written as one, in digits that all readers take for the same number.
  for (const std::string_view count : {"1.0"sv, "1e0"sv, "true"sv, "\"1\""sv, "null"sv, "-2"sv, "1.5"sv,
                                       "18446744073709551617"sv, "9223372036854775808"sv, "[1]"sv}) {
    ExpectRefused([&](const std::string& text) {
      const std::size_t shape = text.find("\"shape\":[");
      const std::size_t at = shape == std::string::npos ? text.find("[[") + 2 : shape + 9;
      return text.substr(0, at) + std::string(count) + text.substr(text.find_first_of(",]", at));
    });
  }
}

TEST_F(AmbiguousJson, CutShortAnywhereItIsRefused) {
  for (std::size_t i = 0; i < readers_.size(); ++i) {
    for (std::size_t size = 0; size < texts_[i].size(); size += 1 + texts_[i].size() / 25) {
      const ProcessResult result = Read(readers_[i], std::string_view(texts_[i]).substr(0, size));
      EXPECT_THAT(result.status, AnyOf(2, 3, 4)) << readers_[i].file << size << result.err;
    }
  }
}

TEST_F(AmbiguousJson, DepthIsBoundedInEveryFile) {
  const std::vector<std::string> deep = {"nested more than 64 deep"};
  for (const std::string_view open : {"["sv, "{\"k\":"sv}) {
    for (const int depth : {100, 100'000}) {
      std::string member = "\"k\":";
      for (int i = 0; i < depth; ++i) member += open;
      ExpectRefused([&](const std::string& text) { return "{" + member + "," + text.substr(1); }, deep);
      ExpectRefused([&](const std::string& text) {
        return "{" + member + "1" + std::string(static_cast<std::size_t>(depth), open == "[" ? ']' : '}') +
               "," + text.substr(1);
      });
    }
  }
}

}  // namespace
}  // namespace supremum::test
