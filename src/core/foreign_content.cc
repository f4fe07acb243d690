#include "core/foreign_content.h"

#include <algorithm>
#include <array>

namespace supremum {
namespace {

using namespace std::string_view_literals;

struct Magic {
  std::string_view bytes;
  std::string_view text;
};

constexpr std::array<Magic, 6> kMagics = {{
    {"version https://git-lfs"sv,
     "it is a pointer of Git LFS, not the file itself; fetch the file with 'git lfs pull' in its repository"},
    {"\x1f\x8b\x08"sv, "it is compressed with gzip; unpack it with 'gunzip' and give the unpacked file"},
    {"BZh"sv, "it is compressed with bzip2; unpack it with 'bunzip2' and give the unpacked file"},
    {"\xfd"
     "7zXZ\0"sv,
     "it is compressed with xz; unpack it with 'unxz' and give the unpacked file"},
    {"\x28\xb5\x2f\xfd"sv, "it is compressed with zstd; unpack it with 'unzstd' and give the unpacked file"},
    {"\x89HDF\r\n\x1a\n"sv,
     "it is an HDF5 file, which is not read; save the tensors as .npz or .safetensors"},
}};

// The fields that a model as protobuf's text may begin with.
constexpr std::array<std::string_view, 7> kModelFields = {
    "ir_version", "opset_import", "producer_name", "producer_version", "domain", "model_version", "graph"};

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Without white space, and without comment lines that begin with '#'.
std::string_view AfterSpace(std::string_view text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (!text.starts_with('#')) return text;
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
}

bool Contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

// A field's name, then ':' or '{'.
bool IsModelAsProtobufText(std::string_view text) {
  return std::any_of(kModelFields.begin(), kModelFields.end(), [&](std::string_view field) {
    if (!text.starts_with(field)) return false;
    const std::string_view next = AfterSpace(text.substr(field.size()));
    return next.starts_with(':') || next.starts_with('{');
  });
}

}  // namespace

std::string ForeignContent(std::span<const std::byte> bytes) {
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()),
                             std::min(bytes.size(), kForeignHead));
  for (const Magic& magic : kMagics) {
    if (all.starts_with(magic.bytes)) return std::string(magic.text);
  }
  // The header of an archive's first entry: a signature, and the version of the format, at least 1.0.
  if (all.starts_with("PK\x03\x04") && all.size() > 4 && all[4] >= 10) {
    return "it is a ZIP archive; unpack it and give the file inside, or, if it holds arrays of NumPy, name "
           "it "
           ".npz";
  }
  std::string_view text = all;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // UTF-8's byte order mark
  text = AfterSpace(text);
  if (Contains(text.substr(0, 256), "\0"sv)) return "";
  std::string lower(text.substr(0, 64));
  std::transform(lower.begin(), lower.end(), lower.begin(), Lower);
  if (lower.starts_with("<!doctype html") || lower.starts_with("<html") || lower.starts_with("<head")) {
    return "it is a web page (HTML), not the file itself; download the file again, from its own address";
  }
  if (lower.starts_with("<?xml")) {
    return "it is an XML document, such as a server's error; download the file again, from its own address";
  }
  const auto as_text = [](std::string_view what, std::string_view format) {
    return "it is a model as " + std::string(what) + "; convert it: onnx.save(onnx.load(FILE, format='" +
           std::string(format) + "'), 'model.onnx')";
  };
  const bool is_json = text.starts_with('{');
  if (is_json && (Contains(text, "\"irVersion\"") || Contains(text, "\"opsetImport\"") ||
                  Contains(text, "\"ir_version\"") || Contains(text, "\"opset_import\"") ||
                  Contains(text, "\"opType\"") || Contains(text, "\"op_type\""))) {
    return as_text("JSON", "json");
  }
  if (text.starts_with('<') && Contains(text, "ir_version")) return as_text("ONNX's text", "onnxtxt");
  if (IsModelAsProtobufText(text)) return as_text("protobuf's text", "textproto");
  return "";
}

bool IsContentError(const Error& error) {
  return error.code == ErrorCode::kMalformedFile || error.code == ErrorCode::kUnsupportedFormat ||
         error.code == ErrorCode::kLimitExceeded;
}

}  // namespace supremum
