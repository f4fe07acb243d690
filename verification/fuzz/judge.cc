// What the project's readers make of files, for parsers/differential.py, which asks other readers the same.
//
//   requests, on standard input:   letter of the format, size (4 bytes), the file
//   answers, on standard output:   size (4 bytes), and so many bytes: "E" and the error's text; or
//                                  "T" and the tensors: name, type, extents, elements (little-endian); or
//                                  "J" and a JSON value
//
// Numbers are little-endian; texts and lists begin with their size, in 4 bytes.
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz.h"
#include "io/formats/byte_order.h"
#include "io/formats/npy.h"
#include "io/formats/npz.h"
#include "io/formats/safetensors.h"
#include "io/formats/tensor_proto.h"
#include "io/json/json.h"

namespace {

using namespace supremum;

constexpr std::int64_t kMostBytes = 1 << 24;

std::string Number(std::uint64_t value, std::size_t bytes = 4) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xFF);
  return text;
}
std::string Text(std::string_view text) { return Number(text.size()) + std::string(text); }

std::string Answer(const Error& error) {
  return "E" + std::string(InfoOf(error.code).name) + " " + error.message;
}

std::string Answer(const NamedTensor& one) {
  const Tensor& tensor = one.tensor;
  std::string text = Text(one.name) + Text(Name(tensor.dtype())) + Number(tensor.shape().rank());
  for (const std::int64_t extent : tensor.shape()) text += Number(static_cast<std::uint64_t>(extent), 8);
  return text + Text(io::LittleEndianBytes(tensor));
}

std::string Answer(const Result<std::vector<NamedTensor>>& tensors) {
  if (!tensors) return Answer(tensors.error());
  std::string text = "T" + Number(tensors->size());
  for (const NamedTensor& one : *tensors) text += Answer(one);
  return text;
}

std::string Answer(const Result<NamedTensor>& one) {
  if (!one) return Answer(one.error());
  return "T" + Number(1) + Answer(*one);
}

// A letter for the kind, and the value.
std::string Answer(const JsonValue& value) {
  using Kind = JsonValue::Kind;
  switch (value.kind) {
    case Kind::kNull:
      return "n";
    case Kind::kBool:
      return value.boolean ? "t" : "f";
    case Kind::kInteger:
      return "i" + Text(std::to_string(value.integer));
    case Kind::kLargeInteger:
      return "i" + Text(std::to_string(value.large));
    case Kind::kFraction:
      return "x" + Text(value.text);
    case Kind::kString:
      return "s" + Text(value.text);
    case Kind::kList:
    case Kind::kObject:
      break;
  }
  std::string text = (value.kind == Kind::kList ? "l" : "o") + Number(value.items.size());
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    if (value.kind == Kind::kObject) text += Text(value.keys[i]);
    text += Answer(value.items[i]);
  }
  return text;
}

std::string Judge(char format, const std::vector<std::uint8_t>& bytes) {
  if (format == 'j') {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const Result<JsonValue> value = ParseJson(text, "'x.json'", kMostBytes);
    return value ? "J" + Answer(*value) : Answer(value.error());
  }
  const fuzz::File file(bytes.data(), bytes.size());
  const io::ReadOptions options{.stated_dtype = {}, .max_bytes = kMostBytes};
  if (format == 'n') return Answer(io::ReadElements(io::OpenNpy(file.path(), options), options.max_bytes));
  if (format == 'z') return Answer(io::ReadNpz(file.path(), options));
  if (format == 's') return Answer(io::ReadSafetensors(file.path(), options));
  if (format == 'p') return Answer(io::ReadTensorProto(file.path(), kMostBytes));
  fuzz::Fail("no format has this letter");
}

// False at the end of the input.
bool ReadAll(std::span<std::uint8_t> into) {
  while (!into.empty()) {
    const ssize_t got = ::read(STDIN_FILENO, into.data(), into.size());
    if (got == 0) return false;
    fuzz::Expect(got > 0, "the input cannot be read");
    into = into.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

void WriteAll(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    fuzz::Expect(put > 0, "the output cannot be written");
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
}

}  // namespace

int main() {
  std::uint8_t head[5];
  while (ReadAll(head)) {
    std::size_t size = 0;
    for (std::size_t i = 5; i-- > 1;) size = size << 8 | head[i];
    std::vector<std::uint8_t> bytes(size);
    fuzz::Expect(ReadAll(bytes), "a request is cut short");
    const std::string answer = Judge(static_cast<char>(head[0]), bytes);
    WriteAll(Number(answer.size()) + answer);
  }
  return 0;
}
