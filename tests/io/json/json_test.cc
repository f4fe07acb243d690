// Untrusted JSON.
#include "io/json/json.h"

#include "frontends/onednn/testing.h"

namespace supremum {
namespace {

using test::ErrorOf;
using test::ExpectError;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Kind = JsonValue::Kind;

Result<JsonValue> Parse(std::string_view text, std::int64_t max_bytes = 1 << 20) {
  return ParseJson(text, "'g.json'", max_bytes);
}

std::string Message(std::string_view text) {
  const Error error = ErrorOf(Parse(text));
  EXPECT_EQ(error.code, ErrorCode::kMalformedFile) << error.message;
  return error.message;
}

TEST(Json, KeepsEveryValueAndWhereItStands) {
  const Result<JsonValue> json = Parse(R"( {"a": [1, -2, 18446744073709551615, 1.5, true, null], "b": "x"})");
  ASSERT_TRUE(json) << json.error().message;
  EXPECT_EQ(json->kind, Kind::kObject);
  EXPECT_EQ(json->offset, 1);
  const JsonValue& list = *json->Find("a");
  EXPECT_EQ(list.offset, 7);
  ASSERT_EQ(list.items.size(), 6u);
  EXPECT_EQ(list.items[0].integer, 1);
  EXPECT_EQ(list.items[0].offset, 8);
  EXPECT_EQ(list.items[1].integer, -2);
  EXPECT_EQ(list.items[1].offset, 12);
  EXPECT_EQ(list.items[2].kind, Kind::kLargeInteger);
  EXPECT_EQ(list.items[2].large, UINT64_MAX);
  EXPECT_EQ(list.items[3].kind, Kind::kFraction);
  EXPECT_EQ(list.items[3].text, "1.5");
  EXPECT_TRUE(list.items[4].boolean);
  EXPECT_EQ(list.items[5].kind, Kind::kNull);
  EXPECT_EQ(json->Find("b")->text, "x");
  EXPECT_EQ(json->Find("c"), nullptr);
  EXPECT_EQ(list.Find("a"), nullptr);
}

TEST(Json, ASyntaxErrorNamesTheByte) {
  EXPECT_EQ(
      Message(R"({"a": [1, 2})"),
      "malformed file: 'g.json': byte 11: it is not JSON from here on: syntax error while parsing array - "
      "unexpected \\'}\\'; expected \\']\\'; write the file again with the program that made it");
  EXPECT_THAT(Message(""), StartsWith("malformed file: 'g.json': byte 0: "));
  EXPECT_THAT(Message("{\"a\": 1"), HasSubstr("byte 7: "));
  EXPECT_THAT(Message("{} {}"), HasSubstr("byte 3: "));
  EXPECT_THAT(Message("[NaN]"), HasSubstr("byte 1: "));
  EXPECT_THAT(Message("[01]"), HasSubstr("byte 2: "));
}

TEST(Json, AZeroByteIsAnErrorWhereverItStands) {
  using namespace std::string_view_literals;
  EXPECT_EQ(
      Message("{\"a\": 1}\0garbage"sv),
      "malformed file: 'g.json': byte 8: it is not JSON from here on: a zero byte, which no JSON text has; "
      "write the file again with the program that made it");
  EXPECT_THAT(Message("\0"sv), HasSubstr("byte 0: "));
  EXPECT_THAT(Message("\0{}"sv), HasSubstr("byte 0: "));
  EXPECT_THAT(Message("{}\0"sv), HasSubstr("byte 2: "));
  EXPECT_THAT(Message("{} \0"sv), HasSubstr("byte 3: "));
  EXPECT_THAT(Message("{}\0{}"sv), HasSubstr("byte 2: "));
  EXPECT_THAT(Message("[1\0]"sv), HasSubstr("byte 2: "));
  EXPECT_THAT(Message("[1,\0"sv), HasSubstr("byte 3: "));
  EXPECT_THAT(Message("1\0"sv), HasSubstr("byte 1: "));
  EXPECT_THAT(Message("[\"a\0b\"]"sv), HasSubstr("byte 3: "));
  EXPECT_THAT(Message("{\"a\0\": 1}"sv), HasSubstr("byte 3: "));
  EXPECT_EQ(Parse(R"(["\u0000"])")->items[0].text, std::string(1, '\0'));
}

// Texts that some readers accept as JSON, and others refuse or read differently.
TEST(Json, TextsThatReadersReadDifferentlyAreRefused) {
  EXPECT_TRUE(Parse("{} \t\r\n"));
  EXPECT_TRUE(Parse("1 "));
  for (const char* text :
       {// a second document, marks, comments and white space of other languages
        "{}}", "{} {}", "{}[]", "{},", "{}x", "{}\x1a", "{}\v", "{}\f", "{}\xef\xbb\xbf", "{}//", "1 2",
        "null null", "\"a\"\"b\"", "{}\xc2\xa0", "{}\x1e{}", "{}/**/", "{}#", "{};", "{}\xe2\x80\xa8",
        ")]}',\n{}", "//{}", "{/**/}", "{,}", "[1,]", "{\"k\":1,}", "{k:1}", "{'k':1}", "{\"k\"=1}", "['v']",
        "[Infinity]", "[-Infinity]", "[True]", "[undefined]", "[\"a\nb\"]", "[\"a\tb\"]", "{1:1}",
        // other encodings, and bytes that are no UTF-8
        "\xff\xfe{}", "\xfe\xff{}", "+/v8{}", "[\"\xc0\x80\"]", "[\"\xe0\x80\x80\"]", "[\"\xc0\xa2\"]",
        "[\"\xed\xa0\x80\"]", "[\"\xf4\x90\x80\x80\"]", "[\"\xf8\x88\x80\x80\x80\"]", "[\"\x80\"]",
        "[\"\xe2\x82\"]", "{\"\xc0\x80\":1}",
        // halves of surrogate pairs, and escapes of other languages
        R"(["\ud800"])", R"(["\udc00"])", R"(["\udc00\ud800"])", R"(["\ud800\ud800"])", R"(["\ud800x"])",
        R"(["\ud800\n"])", R"(["\u00"])", R"(["\u{41}"])", R"(["\x41"])", R"(["\0"])", R"(["\'"])",
        R"({"\ud800":1})",
        // numbers
        "[+1]", "[.5]", "[1.]", "[0x1]", "[1e]", "[1_0]", "[--1]", "[-1e999]", "[0b1]", "[0o7]", "[1f]",
        "[1L]", "[\xef\xbc\x91]"}) {
    EXPECT_EQ(ErrorOf(Parse(text)).code, ErrorCode::kMalformedFile) << text;
  }
  for (const std::size_t width : {2U, 4U}) {
    for (const std::size_t place : {std::size_t{0}, width - 1}) {
      std::string wide(2 * width, '\0');
      wide[place] = '{';
      wide[width + place] = '}';
      EXPECT_EQ(ErrorOf(Parse(wide)).code, ErrorCode::kMalformedFile) << width << place;
    }
  }
}

TEST(Json, CutShortAnywhereItIsRefused) {
  const std::string_view text = R"({"a": [1, -2.5e3, "\u00e4\n"], "b": {"c": null, "d": true}})";
  EXPECT_TRUE(Parse(text));
  for (std::size_t size = 0; size < text.size(); ++size) Message(text.substr(0, size));
}

TEST(Json, ControlCharactersAndBrokenUtf8AreNeverPrinted) {
  for (const char* text : {"[\"\x1b[31m\"]", "[\"\xff\"]", "\x1b", "{\"\x07\": 1}"}) {
    const std::string message = Message(text);
    for (char c : message) EXPECT_TRUE(c >= 0x20 && c < 0x7f) << message;
  }
}

TEST(Json, ANumberThatNothingHoldsIsAnError) {
  EXPECT_THAT(Message("[1e999]"), HasSubstr("number overflow"));
  EXPECT_THAT(Message("[" + std::string(400, '9') + "]"), HasSubstr("number overflow"));
  EXPECT_EQ(Parse("[-9223372036854775809]")->items[0].kind, Kind::kFraction);
  EXPECT_EQ(Parse("[-9223372036854775808]")->items[0].integer, INT64_MIN);
}

TEST(Json, AKeyStandsOnce) {
  EXPECT_EQ(Message(R"({"a": 1, "a": 1})"),
            "malformed file: 'g.json': byte 11: the key 'a' occurs twice in one object; keep one");
  EXPECT_THAT(Message(R"({"a": 1, "\u0061": 1})"), HasSubstr("the key 'a' occurs twice"));
  EXPECT_TRUE(Parse(R"({"a": {"a": 1}, "b": {"a": 1}})"));
  EXPECT_EQ(Parse(R"({"a\u0000": 1})")->Find("a"), nullptr) << "an escaped zero ends no key";
}

TEST(Json, DepthIsBounded) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(Parse(nested(kMaxJsonDepth)));
  for (const std::string& text : {nested(kMaxJsonDepth + 1), std::string(5'000'000, '[')}) {
    const Error error = ErrorOf(Parse(text));
    EXPECT_EQ(error.code, ErrorCode::kLimitExceeded);
    EXPECT_EQ(error.message,
              "limit exceeded: 'g.json': byte 64: objects and lists are nested more than 64 deep; the files "
              "read here need six levels");
  }
}

TEST(Json, TextIsWrittenSoThatItIsReadAgain) {
  EXPECT_EQ(JsonText("gr\u00f6\u00dfe"), "\"gr\u00f6\u00dfe\"");
  for (const char* text : {"", "a", "\"", "\\", "a\nb\x1f", "/", "gr\u00f6\u00dfe \U0001F600"}) {
    const Result<JsonValue> back = Parse(JsonText(text));
    ASSERT_TRUE(back) << text << back.error().message;
    EXPECT_EQ(back->text, text);
  }
}

TEST(Json, MemoryIsBounded) {
  std::string text = "[0";
  for (int i = 0; i < 10000; ++i) text += ",0";
  const Error error = ErrorOf(Parse(text + "]", 100'000));
  EXPECT_EQ(error.code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(
      error.message,
      "limit exceeded: 'g.json': its JSON values take more than the limit of 100000 bytes; use a smaller "
      "file");
  EXPECT_TRUE(Parse(text + "]", 10'000'000));
  const std::string long_key = R"({")" + std::string(100'000, 'k') + R"(": 1})";
  ExpectError(Parse(long_key, 100'000), ErrorCode::kLimitExceeded);
}

}  // namespace
}  // namespace supremum
