#include "audit/cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>

#include "io/files/file_bytes.h"
#include "io/formats/byte_order.h"
#include "io/json/json.h"

namespace supremum::cli {
namespace {

namespace fs = std::filesystem;
using Kind = JsonValue::Kind;

constexpr std::int64_t kMaxFileBytes = std::int64_t{1} << 30;
constexpr std::int64_t kMaxValueBytes = std::int64_t{4} << 30;

/// Reads fields of objects and records the first error.
class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  const std::optional<Error>& error() const { return error_; }
  const std::string& file() const { return file_; }

  /// The place that errors name from now on.
  void At(std::string place) { place_ = std::move(place); }

  void Fail(std::string_view details) {
    if (!error_)
      error_ = MakeError(
          ErrorCode::kMalformedFile,
          fmt::format("{}: {}: {}; write it again with supremum gen-conformance", file_, place_, details));
  }

  const JsonValue* Field(const JsonValue& object, std::string_view key, Kind kind) {
    const JsonValue* const value = object.Find(key);
    if (value != nullptr && value->kind == kind) return value;
    Fail(value == nullptr ? fmt::format("'{}' is missing", key)
                          : fmt::format("'{}' is {}", key, Describe(*value)));
    return nullptr;
  }

  std::string Text(const JsonValue& object, std::string_view key) {
    const JsonValue* const value = Field(object, key, Kind::kString);
    return value == nullptr ? std::string() : value->text;
  }

  std::int64_t Integer(const JsonValue& object, std::string_view key) {
    const JsonValue* const value = Field(object, key, Kind::kInteger);
    return value == nullptr ? 0 : value->integer;
  }

  std::span<const JsonValue> List(const JsonValue& object, std::string_view key) {
    const JsonValue* const value = Field(object, key, Kind::kList);
    return value == nullptr ? std::span<const JsonValue>() : value->items;
  }

  TensorBits Bits(const JsonValue& object) {
    TensorBits tensor;
    for (const JsonValue& extent : List(object, "shape")) {
      if (extent.kind != Kind::kInteger) Fail("'shape' is not a list of whole numbers");
      tensor.shape.push_back(extent.integer);
    }
    tensor.bits = Text(object, "bits");
    return tensor;
  }

 private:
  std::string file_;
  std::string place_ = "the document";
  std::optional<Error> error_;
};

/// "axes=[1] keepdims=0": the attributes are whole numbers and lists of them.
std::string AttributesText(const JsonValue& object, Reader& reader) {
  const JsonValue* const attributes = object.Find("attributes");
  if (attributes == nullptr || attributes->kind == Kind::kNull) return "";
  std::string text;
  for (std::size_t i = 0; i < attributes->keys.size(); ++i) {
    const JsonValue& value = attributes->items[i];
    std::string shown = Describe(value);
    if (value.kind == Kind::kList) {
      shown = "[";
      for (const JsonValue& item : value.items) {
        if (item.kind != Kind::kInteger) reader.Fail("an attribute is not a list of whole numbers");
        shown += (&item == value.items.data() ? "" : ",") + Describe(item);
      }
      shown += "]";
    }
    text += (text.empty() ? "" : " ") + attributes->keys[i] + "=" + shown;
  }
  return text;
}

/// Reads axes and keepdims, and applies RED-5: without axes all of them are reduced, or none if the case says
/// so by noop_with_empty_axes.
void ReadReduction(const JsonValue& object, AuditCase* read) {
  const JsonValue* const attributes = object.Find("attributes");
  if (attributes == nullptr || attributes->kind != Kind::kObject) return;
  const auto number = [&](std::string_view key, std::int64_t absent) {
    const JsonValue* const value = attributes->Find(key);
    return value != nullptr && value->kind == Kind::kInteger ? value->integer : absent;
  };
  read->keepdims = number("keepdims", 1) != 0;
  if (number("noop_with_empty_axes", 0) != 0) read->axes.emplace();
  const JsonValue* const axes = attributes->Find("axes");
  if (axes == nullptr || axes->kind != Kind::kList || axes->items.empty()) return;
  read->axes.emplace();
  for (const JsonValue& axis : axes->items) read->axes->push_back(axis.integer);
}

/// The fields that both kinds of cases have.
AuditCase ReadHead(const JsonValue& object, Reader& reader) {
  AuditCase read;
  read.id = reader.Text(object, "id");
  reader.At("case '" + read.id + "'");
  for (const JsonValue& rule : reader.List(object, "rules")) {
    if (rule.kind != Kind::kString) reader.Fail("'rules' is not a list of strings");
    read.rules.push_back(rule.text);
  }
  if (read.rules.empty()) reader.Fail("'rules' is empty");
  read.reason = reader.Text(object, "reason");
  return read;
}

AuditCase ReadValid(const JsonValue& object, Reader& reader) {
  AuditCase read = ReadHead(object, reader);
  const std::string type = reader.Text(object, "type");
  if (const std::optional<DType> dtype = ParseDType(type)) {
    read.dtype = *dtype;
  } else {
    reader.Fail(fmt::format("there is no type '{}'", type));
  }
  read.op = reader.Text(object, "operator");
  read.opset = reader.Integer(object, "opset");
  read.attributes = AttributesText(object, reader);
  ReadReduction(object, &read);
  if (const JsonValue* const onnx = object.Find("onnx"); onnx != nullptr && onnx->kind != Kind::kNull)
    read.onnx = reader.Text(object, "onnx");
  for (const JsonValue& input : reader.List(object, "inputs")) read.inputs.push_back(reader.Bits(input));
  if (const JsonValue* const output = reader.Field(object, "output", Kind::kObject))
    read.output = reader.Bits(*output);
  std::vector<TensorBits> tensors = read.inputs;
  tensors.push_back(read.output);
  for (const TensorBits& tensor : tensors) {
    if (const Result<Tensor> made = TensorOf(read.dtype, tensor); !made) reader.Fail(made.error().message);
  }
  return read;
}

AuditCase ReadInvalid(const JsonValue& object, Reader& reader) {
  AuditCase read = ReadHead(object, reader);
  read.invalid = true;
  read.model = reader.Text(object, "model");
  if (object.Find("inputs") != nullptr) read.needs_files = !reader.List(object, "inputs").empty();
  if (const JsonValue* const verdict = reader.Field(object, "verdict", Kind::kObject)) {
    read.fails = reader.Text(*verdict, "fails");
    read.code = reader.Text(*verdict, "code");
    // The rule that accepting the model violates is the first.
    const std::string rule = reader.Text(*verdict, "rule");
    std::erase(read.rules, rule);
    if (!rule.empty()) read.rules.insert(read.rules.begin(), rule);
  }
  return read;
}

using ReadOne = AuditCase (*)(const JsonValue&, Reader&);

Result<void> ReadFile(const fs::path& path, ReadOne read_one, AuditCases* cases) {
  const Result<std::vector<std::byte>> bytes = io::ReadFileBytes(path.string(), kMaxFileBytes);
  if (!bytes) return bytes.error();
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  const Result<JsonValue> document = ParseJson(text, path.string(), kMaxValueBytes);
  if (!document) return document.error();
  Reader reader(path.string());
  if (const JsonValue* const version = document->Find("version")) cases->version = version->text;
  for (const JsonValue& object : reader.List(*document, "cases")) {
    reader.At(fmt::format("case {}", cases->all.size()));
    cases->all.push_back(read_one(object, reader));
    if (reader.error()) return *reader.error();
  }
  if (reader.error()) return *reader.error();
  return {};
}

}  // namespace

std::size_t AuditCase::ElementCount() const {
  std::size_t digits = output.bits.size();
  for (const TensorBits& input : inputs) digits += input.bits.size();
  return digits / (2 * ByteWidth(dtype));
}

std::string AuditCase::ModelPath() const {
  if (invalid) return model;
  return onnx.empty() ? "" : onnx + "/model.onnx";
}

Result<AuditCases> ReadAuditCases(const fs::path& folder) {
  AuditCases cases;
  if (Result<void> read = ReadFile(folder / "cases.json", ReadValid, &cases); !read) return read.error();
  cases.valid_count = cases.all.size();
  if (Result<void> read = ReadFile(folder / "invalid.json", ReadInvalid, &cases); !read) return read.error();
  if (cases.all.empty()) {
    return MakeError(ErrorCode::kInvalidArgument,
                     fmt::format("{}: cases.json and invalid.json have no case; give a folder that supremum "
                                 "gen-conformance or supremum extract wrote with some",
                                 folder.string()));
  }
  std::unordered_set<std::string> ids;
  for (const AuditCase& one : cases.all) {
    if (ids.insert(one.id).second) continue;
    return MakeError(ErrorCode::kMalformedFile,
                     fmt::format("{}: two cases have the id '{}'; write them again with supremum "
                                 "gen-conformance",
                                 folder.string(), one.id));
  }
  return cases;
}

Result<Tensor> TensorOf(DType dtype, const TensorBits& bits) {
  const auto malformed = [](std::string_view details) {
    return MakeError(ErrorCode::kMalformedFile, details);
  };
  const std::optional<Shape> shape = Shape::FromSpan(bits.shape);
  if (!shape) return malformed("a shape has more than 64 dimensions");
  Result<Tensor> tensor = Tensor::Create(dtype, *shape, kMaxFileBytes);
  if (!tensor) return tensor;
  const std::size_t digits = 2 * ByteWidth(dtype);
  if (bits.bits.size() != digits * static_cast<std::size_t>(tensor->size())) {
    return malformed(fmt::format("{} hexadecimal digits for {}{}, expected {}", bits.bits.size(), Name(dtype),
                                 ToString(*shape), digits * static_cast<std::size_t>(tensor->size())));
  }
  const std::span<std::byte> bytes = tensor->bytes();
  for (std::size_t i = 0; i < bits.bits.size(); ++i) {
    const char c = bits.bits[i];
    const bool lower = c >= 'a' && c <= 'f', upper = c >= 'A' && c <= 'F';
    if (!lower && !upper && (c < '0' || c > '9')) return malformed("bits are not hexadecimal digits");
    const unsigned digit = static_cast<unsigned>(lower ? c - 'a' + 10 : upper ? c - 'A' + 10 : c - '0');
    // The most significant digit is the first; the last byte of a little-endian element has it.
    const std::size_t element = i / digits, place = digits - 1 - i % digits;
    std::byte& byte = bytes[element * (digits / 2) + place / 2];
    byte = place % 2 == 1 ? std::byte(digit << 4) : byte | std::byte(digit);
  }
  io::ToMachineOrder(bytes, digits / 2, /*file_is_big_endian=*/false);
  if (dtype == DType::kBool && std::ranges::any_of(bytes, [](std::byte b) { return b > std::byte(1); }))
    return malformed("a bool is neither 00 nor 01");
  return tensor;
}

}  // namespace supremum::cli
