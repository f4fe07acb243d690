#include "io/formats/npy_header.h"

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/operand_errors.h"
#include "core/quote.h"
#include "io/files/messages.h"
#include "io/formats/npy_descr.h"

namespace supremum::io {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::string_view kRewriteNpy = "; write the file again with numpy.save";
constexpr std::string_view kNpyBools =
    "; write the file again with numpy.save, as uint8 if these are numbers";

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Reads the dictionary from left to right. A method that fails has set `error`; the first error is kept.
class DictionaryParser {
 public:
  DictionaryParser(std::string_view text, std::int64_t offset, std::string_view where)
      : text_(text), offset_(offset), where_(where) {}

  bool Parse();

  const Error& error() const { return *error_; }
  const std::string& descr() const { return *descr_; }
  bool fortran_order() const { return *fortran_order_; }
  const std::vector<std::int64_t>& shape() const { return *shape_; }

 private:
  bool Fail(ErrorCode code, std::size_t at, const std::string& details, std::string_view hint = kRewriteNpy) {
    const std::string position = "byte " + std::to_string(offset_ + static_cast<std::int64_t>(at)) + ": ";
    error_ = ErrorAt(code, where_, position + details + std::string(hint));
    return false;
  }
  bool Expected(const std::string& what) {
    const std::string found =
        position_ < text_.size() ? Quote(text_.substr(position_, 1)) : "the end of the header";
    return Fail(ErrorCode::kMalformedFile, position_, what + " is expected, " + found + " is found");
  }
  void SkipSpace() {
    while (position_ < text_.size() && IsSpace(text_[position_])) ++position_;
  }
  // Skips spaces, then `c` if it is there.
  bool Accept(char c) {
    SkipSpace();
    if (position_ >= text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }
  bool Expect(char c) { return Accept(c) || Expected(Quote(std::string(1, c))); }

  bool ParseEntry();
  bool ParseString(const std::string& what, std::string* value);
  bool ParseDescr();
  bool ParseBool();
  bool ParseShape();
  bool ParseExtent(std::vector<std::int64_t>* extents);

  std::string_view text_;
  std::int64_t offset_;
  std::string_view where_;
  std::size_t position_ = 0;
  std::optional<Error> error_;
  std::optional<std::string> descr_;
  std::optional<bool> fortran_order_;
  std::optional<std::vector<std::int64_t>> shape_;
};

bool DictionaryParser::Parse() {
  if (!Expect('{')) return false;
  while (!Accept('}')) {
    if (!ParseEntry()) return false;
    if (Accept(',')) continue;
    if (!Expect('}')) return false;
    break;
  }
  SkipSpace();
  if (position_ < text_.size()) return Expected("the end of the header");
  for (const auto& [key, present] :
       {std::pair("descr", descr_.has_value()), std::pair("fortran_order", fortran_order_.has_value()),
        std::pair("shape", shape_.has_value())}) {
    if (!present) {
      return Fail(ErrorCode::kMalformedFile, 0, "the header has no key " + Quote(key));
    }
  }
  return true;
}

bool DictionaryParser::ParseEntry() {
  SkipSpace();
  const std::size_t start = position_;
  std::string key;
  if (!ParseString("a key in quotes", &key)) return false;
  const bool repeated =
      (key == "descr" && descr_) || (key == "fortran_order" && fortran_order_) || (key == "shape" && shape_);
  if (repeated) return Fail(ErrorCode::kMalformedFile, start, "the key " + Quote(key) + " is repeated");
  if (key != "descr" && key != "fortran_order" && key != "shape") {
    return Fail(ErrorCode::kMalformedFile, start,
                "the key " + Quote(key) + " is not one of 'descr', 'fortran_order', 'shape'");
  }
  if (!Expect(':')) return false;
  SkipSpace();
  return key == "descr" ? ParseDescr() : key == "shape" ? ParseShape() : ParseBool();
}

bool DictionaryParser::ParseString(const std::string& what, std::string* value) {
  const char quote = position_ < text_.size() ? text_[position_] : '\0';
  if (quote != '\'' && quote != '"') return Expected(what);
  const std::size_t start = position_ + 1;
  const std::size_t end = text_.find(quote, start);
  if (end == std::string_view::npos) {
    return Fail(ErrorCode::kMalformedFile, position_, "the string that begins here does not end");
  }
  *value = text_.substr(start, end - start);
  if (value->find_first_of("\\\n\r") != std::string::npos) {
    return Fail(ErrorCode::kMalformedFile, position_,
                "the string " + Quote(*value) + " has a backslash or a line break");
  }
  position_ = end + 1;
  return true;
}

bool DictionaryParser::ParseDescr() {
  if (position_ < text_.size() && (text_[position_] == '[' || text_[position_] == '(')) {
    return Fail(ErrorCode::kUnsupportedFormat, position_,
                "'descr' describes a structured type, whose elements are not single numbers",
                "; save each field by itself");
  }
  descr_.emplace();
  return ParseString("the type in quotes", &*descr_);
}

bool DictionaryParser::ParseBool() {
  for (const auto& [word, value] : {std::pair<std::string_view, bool>("True", true), {"False", false}}) {
    if (text_.substr(position_).starts_with(word)) {
      position_ += word.size();
      fortran_order_ = value;
      return true;
    }
  }
  return Expected("True or False for 'fortran_order'");
}

bool DictionaryParser::ParseShape() {
  const std::size_t start = position_;
  std::vector<std::int64_t> extents;
  if (!Expect('(')) return false;
  bool comma = true;
  while (!Accept(')')) {
    if (!comma) return Expected("',' or ')' in 'shape'");
    if (!ParseExtent(&extents)) return false;
    comma = Accept(',');
  }
  if (extents.size() == 1 && !comma) {
    return Fail(ErrorCode::kMalformedFile, start,
                "'shape' is a number in parentheses; one dimension is (n,)");
  }
  shape_ = std::move(extents);
  return true;
}

bool DictionaryParser::ParseExtent(std::vector<std::int64_t>* extents) {
  const std::string name = "shape[" + std::to_string(extents->size()) + "]";
  SkipSpace();
  const std::size_t start = position_;
  while (position_ < text_.size() && (IsDigit(text_[position_]) || text_[position_] == '-')) ++position_;
  const std::string_view digits = text_.substr(start, position_ - start);
  if (digits.empty()) return Expected("a number for " + name);
  // Python 2 wrote its long integers with an L, and such files still exist.
  if (position_ < text_.size() && text_[position_] == 'L') ++position_;
  const std::string text = name + " is " + Quote(digits, 40);
  if (digits.front() == '-') {
    return Fail(ErrorCode::kMalformedFile, start, text + "; an extent is not negative");
  }
  if (digits.size() > 1 && digits.front() == '0') {
    return Fail(ErrorCode::kMalformedFile, start, text + "; a number does not begin with 0");
  }
  std::int64_t extent = 0;
  for (const char c : digits) {
    if (c == '-') return Fail(ErrorCode::kMalformedFile, start, text + "; that is not a number");
    const std::int64_t digit = c - '0';
    if (extent > (INT64_MAX - digit) / 10) {
      return Fail(ErrorCode::kMalformedFile, start, text + "; that is more than 2^63 - 1");
    }
    extent = extent * 10 + digit;
  }
  extents->push_back(extent);
  return true;
}

Result<void> CheckLength(ByteSource& source, std::int64_t offset, std::int64_t length) {
  if (length > source.size() - offset) {
    return MalformedAtByte(source.where(), 8,
                           "the header is said to have " + std::to_string(length) +
                               " bytes and the file has " + std::to_string(source.size()) + " in all" +
                               std::string(kRewriteNpy));
  }
  if (length > kMaxNpyHeader) {
    return ErrorAt(ErrorCode::kLimitExceeded, source.where(),
                   "byte 8: the header has " + std::to_string(length) + " bytes; at most " +
                       std::to_string(kMaxNpyHeader) + " are read" + std::string(kRewriteNpy));
  }
  return {};
}

// `offset` is the position of the dictionary in the file.
Result<Elements> ParseDictionary(std::string_view text, std::int64_t offset, std::string_view where,
                                 std::optional<DType> stated, std::optional<UnsupportedTensor>* unsupported) {
  DictionaryParser parser(text, offset, where);
  if (!parser.Parse()) return parser.error();
  const Result<NpyDescr> descr = ParseNpyDescr(parser.descr(), where, stated);
  const std::optional<Shape> shape = Shape::FromSpan(parser.shape());
  if (!descr) {
    const bool known =
        descr.error().code == ErrorCode::kTypeNotAdmitted && !parser.descr().ends_with(kBrainFloat);
    if (unsupported != nullptr && known && shape) *unsupported = {"", parser.descr(), *shape};
    return descr.error();
  }
  if (!shape) return RankError(std::string(where) + ": 'shape'", parser.shape().size(), "saving");
  Elements header;
  header.where = where;
  header.bool_advice = kNpyBools;
  header.dtype = descr->dtype;
  header.big_endian = descr->big_endian;
  header.fortran_order = parser.fortran_order();
  header.shape = *shape;
  header.offset = offset + static_cast<std::int64_t>(text.size());
  return header;
}

}  // namespace

Result<Elements> ReadNpyHeader(ByteSource& source, std::optional<DType> stated,
                               std::optional<UnsupportedTensor>* unsupported) {
  // bytes   0..5     6      7      8..9 (version 1) or 8..11
  //         magic  major  minor  length of the dictionary, little-endian
  std::array<unsigned char, 12> start = {};
  if (source.size() < 10) {
    return MalformedAtByte(
        source.where(), source.size(),
        "the file ends here; a .npy file begins with at least 10 bytes" + std::string(kRewriteNpy));
  }
  if (auto done = source.Read(std::as_writable_bytes(std::span(start).first(10))); !done) return done.error();
  const std::string magic(start.begin(), start.begin() + 6);
  if (magic != kMagic) {
    return MalformedAtByte(source.where(), 0,
                           Quote(magic) + " is not the beginning " + Quote(kMagic) + " of a .npy file" +
                               std::string(kRewriteNpy));
  }
  if (start[6] < 1 || start[6] > 3 || start[7] != 0) {
    return ErrorAt(ErrorCode::kUnsupportedFormat, source.where(),
                   "byte 6: version " + std::to_string(start[6]) + "." + std::to_string(start[7]) +
                       " of .npy; 1.0, 2.0 and 3.0 are known" + std::string(kRewriteNpy));
  }
  const std::int64_t offset = start[6] == 1 ? 10 : 12;
  if (source.size() < offset) {
    return MalformedAtByte(source.where(), source.size(),
                           "the file ends within the length of the header" + std::string(kRewriteNpy));
  }
  if (offset == 12) {
    if (auto done = source.Read(std::as_writable_bytes(std::span(start).subspan(10))); !done)
      return done.error();
  }
  const std::int64_t length =
      start[8] | std::int64_t{start[9]} << 8 | std::int64_t{start[10]} << 16 | std::int64_t{start[11]} << 24;
  if (auto fits = CheckLength(source, offset, length); !fits) return fits.error();
  std::string text(static_cast<std::size_t>(length), '\0');
  if (auto done = source.Read(std::as_writable_bytes(std::span(text))); !done) return done.error();
  return ParseDictionary(text, offset, source.where(), stated, unsupported);
}

std::string NpyHeaderBytes(DType dtype, DimsView shape) {
  std::string text = "{'descr': '" + NpyDescrText(dtype) + "', 'fortran_order': False, 'shape': (";
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (d > 0) text += ' ';
    text += std::to_string(shape[d]);
    if (d == 0 || d + 1 < shape.size()) text += ',';
  }
  text += "), }";
  // 64 extents of 20 characters are far fewer than the 65,535 bytes of version 1.
  const std::size_t unpadded = 10 + text.size() + 1;
  text.append((64 - unpadded % 64) % 64, ' ').append("\n");
  std::string bytes(kMagic);
  bytes += '\x01';
  bytes += '\x00';
  bytes += static_cast<char>(text.size() & 0xFF);
  bytes += static_cast<char>(text.size() >> 8);
  return bytes + text;
}

}  // namespace supremum::io
