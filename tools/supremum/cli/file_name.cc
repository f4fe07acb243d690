#include "cli/file_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>

#include "cli/sha256.h"

namespace supremum::cli {
namespace {

constexpr std::size_t kLongest = 200;
constexpr std::size_t kKept = 96;

// Not <cctype>, whose functions depend on the locale.
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsWordCharacter(char c) {
  return IsUpper(c) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

std::string Encode(std::string_view name) {
  std::string encoded;
  for (char c : name) {
    const bool inside = !encoded.empty() && (c == '.' || c == '-');
    encoded += IsWordCharacter(c) || inside ? std::string(1, c)
                                            : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded.empty() ? "%empty" : encoded;
}

std::string InLowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return IsUpper(c) ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

}  // namespace

Result<std::string> FileNames::For(std::string_view tensor_name) {
  std::string stem = Encode(tensor_name);
  if (stem.size() > kLongest) {
    Result<std::string> hash = Sha256Of(std::as_bytes(std::span(tensor_name)));
    if (!hash) return hash.error();
    stem.resize(kKept);
    stem += "%sha256-" + *hash;
  }
  std::string file = stem + ending_;
  for (int copy = 2; !taken_.insert(InLowerCase(file)).second; ++copy) {
    file = fmt::format("{}%copy{}{}", stem, copy, ending_);
  }
  return file;
}

}  // namespace supremum::cli
