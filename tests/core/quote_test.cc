#include "core/quote.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace supremum {
namespace {

TEST(Quote, PlainTextIsQuotedAsItIs) {
  EXPECT_EQ(Quote("x.npy"), "'x.npy'");
  EXPECT_EQ(Quote(""), "''");
  EXPECT_EQ(Quote("größe \u4e16\u754c \U0001F600"), "'größe \u4e16\u754c \U0001F600'");
  for (const char* edge : {"\u00a0", "\u0800", "\ud7ff", "\ue000", "\U00010000", "\U0010ffff"})
    EXPECT_EQ(Quote(edge), "'" + std::string(edge) + "'")
        << "the first or last of its length, or beside a gap";
}

TEST(Quote, ControlCharactersAndQuotesAreEscaped) {
  EXPECT_EQ(Quote("a\nb\tc\rd"), "'a\\nb\\tc\\rd'");
  EXPECT_EQ(Quote(std::string_view("\0\x1b[2J\x7f", 6)), "'\\x00\\x1b[2J\\x7f'");
  EXPECT_EQ(Quote("it's \\"), "'it\\'s \\\\'");
  EXPECT_EQ(Quote("\u0085"), "'\\xc2\\x85'");
}

TEST(Quote, WhatIsNotUtf8IsEscaped) {
  EXPECT_EQ(Quote("\x93NUMPY"), "'\\x93NUMPY'");
  EXPECT_EQ(Quote("\xc0\xaf"), "'\\xc0\\xaf'");           // overlong
  EXPECT_EQ(Quote("\xe0\x80\x80"), "'\\xe0\\x80\\x80'");  // overlong
  EXPECT_EQ(Quote("\xed\xa0\x80"), "'\\xed\\xa0\\x80'");  // surrogate
  EXPECT_EQ(Quote("\xf0\x80\x80\x80"), "'\\xf0\\x80\\x80\\x80'");
  EXPECT_EQ(Quote("\xf4\x90\x80\x80"), "'\\xf4\\x90\\x80\\x80'");  // beyond U+10FFFF
  EXPECT_EQ(Quote("\xe4\xb8"), "'\\xe4\\xb8'");                    // cut short
}

// Characters that change the direction of text, or end a line, can make a message read as something else.
TEST(Quote, CharactersThatTurnTextOrEndLinesAreEscaped) {
  for (const char* turning :
       {"\u061c", "\u200e", "\u200f", "\u202a", "\u202e", "\u2066", "\u2069", "\u2028", "\u2029"}) {
    EXPECT_EQ(Quote(turning).substr(0, 3), "'\\x") << turning;
    EXPECT_EQ(ShownLength(turning), 0u);
  }
  for (const char* beside :
       {"\u061b", "\u061d", "\u200d", "\u2010", "\u2027", "\u202f", "\u2065", "\u206a"}) {
    EXPECT_EQ(Quote(beside), "'" + std::string(beside) + "'");
    EXPECT_EQ(ShownLength(beside), std::string_view(beside).size());
  }
  EXPECT_EQ(ShownLength(""), 0u);
}

TEST(Quote, OfLongTextOnlyTheBeginningIsShown) {
  EXPECT_EQ(Quote(std::string(1000, 'x'), 5), "'xxxxx'... (1000 bytes)");
  EXPECT_EQ(Quote("xxxxx", 5), "'xxxxx'");
}

TEST(Quote, PlainUtf8HasNoZeroByte) {
  EXPECT_TRUE(IsPlainUtf8(""));
  EXPECT_TRUE(IsPlainUtf8("größe"));
  EXPECT_FALSE(IsPlainUtf8(std::string_view("a\0b", 3)));
  EXPECT_FALSE(IsPlainUtf8("\xff"));
}

TEST(Quote, PrintableHasNoQuotesAround) {
  EXPECT_EQ(Printable("Max"), "Max");
  EXPECT_EQ(Printable("\x1b[1m'"), "\\x1b[1m\\'");
}

}  // namespace
}  // namespace supremum
