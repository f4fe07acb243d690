#include "emit/c_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <type_traits>

#include "cli/element.h"

namespace supremum::cli {
namespace {

// Of C99, C11, C23 and C++23, each between two spaces.
constexpr std::string_view kReserved =
    " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t "
    "char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr "
    "constinit continue decltype default delete do double dynamic_cast else enum explicit export "
    "extern false float for friend goto if inline int long main mutable namespace new noexcept not "
    "not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires "
    "restrict return short signed sizeof static static_assert static_cast struct switch template "
    "this thread_local throw true try typedef typeid typename typeof typeof_unqual union unsigned "
    "using virtual void volatile wchar_t while xor xor_eq ";

constexpr bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

template <class T>
T Load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace

void CText::Add(std::string_view lines) {
  text_.append(lines).push_back('\n');
  lines_ += static_cast<int>(std::ranges::count(lines, '\n')) + 1;
}

std::string CommentText(std::string_view text, std::size_t max_bytes) {
  std::string shown;
  for (const char c : text.substr(0, max_bytes)) {
    const bool printable = c >= ' ' && c <= '~' && c != '\\' && c != '?';
    const bool delimits =
        !shown.empty() && ((shown.back() == '*' && c == '/') || (shown.back() == '/' && c == '*') ||
                           (shown.back() == '/' && c == '/'));
    shown += printable && !delimits ? c : '?';
    // "??" begins a trigraph.
    if (shown.size() > 1 && shown.back() == '?' && shown[shown.size() - 2] == '?') shown.pop_back();
  }
  if (!shown.empty() && (shown.back() == '*' || shown.back() == '/')) shown.back() = '?';
  return text.size() > max_bytes ? shown + "..." : shown;
}

std::string Identifier(std::string_view prefix, std::string_view name, std::set<std::string>* taken) {
  constexpr std::size_t kMostCharacters = 40;
  std::string identifier(prefix);
  for (const char c : name.substr(0, kMostCharacters)) identifier += IsLetter(c) || IsDigit(c) ? c : '_';
  std::string unique = identifier;
  for (int copy = 2; !taken->insert(unique).second; ++copy) unique = fmt::format("{}_{}", identifier, copy);
  return unique;
}

bool IsFunctionName(std::string_view name) {
  if (name.empty() || name.size() > 40 || !IsLetter(name.front()) || name.front() == '_') return false;
  if (!std::ranges::all_of(name, [](char c) { return IsLetter(c) || IsDigit(c); })) return false;
  if (name.find("__") != name.npos) return false;  // reserved in C++
  return kReserved.find(fmt::format(" {} ", name)) == kReserved.npos;
}

std::string Size(std::int64_t number) {
  return fmt::format("{}{}", number, number <= 0xFFFF ? "U" : number <= 0xFFFFFFFF ? "UL" : "ULL");
}

const CTypes& TypesOf(DType dtype) {
  // In the order of DType.
  static constexpr CTypes kTypes[] = {
      {"bfloat16", "BFloat16", "uint16_t", "uint16_t"},
      {"float16", "Float16", "uint16_t", "uint16_t"},
      {"float", "Float", "float", "uint32_t"},
      {"double", "Double", "double", "uint64_t"},
      {"int8", "Int8", "int8_t", "int8_t"},
      {"int16", "Int16", "int16_t", "int16_t"},
      {"int32", "Int32", "int32_t", "int32_t"},
      {"int64", "Int64", "int64_t", "int64_t"},
      {"uint8", "UInt8", "uint8_t", "uint8_t"},
      {"uint16", "UInt16", "uint16_t", "uint16_t"},
      {"uint32", "UInt32", "uint32_t", "uint32_t"},
      {"uint64", "UInt64", "uint64_t", "uint64_t"},
      {"bool", "Bool", "uint8_t", "uint8_t"},
  };
  static_assert(std::size(kTypes) == kAllDTypes.size());
  return kTypes[static_cast<std::size_t>(dtype)];
}

// No lambda: GCC 14 evaluates a lambda that calls fmt::format at compile time, and fails.
template <class T>
static std::string LiteralOf(const std::byte* element) {
  constexpr int kBits = 8 * sizeof(T);
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    const auto value = Load<T>(element);
    if (kBits < 32) return fmt::format("{}", value);
    constexpr T kMost = std::numeric_limits<T>::max();
    return value < -kMost ? fmt::format("-INT{}_C({}) - 1", kBits, kMost)
                          : fmt::format("INT{}_C({})", kBits, value);
  } else {
    const std::string hex = fmt::format("0x{:0{}X}", Load<BitsOf<T>>(element), 2 * sizeof(T));
    return kBits < 32 ? hex + "U" : fmt::format("UINT{}_C({})", kBits, hex);
  }
}

std::string Literal(DType dtype, const std::byte* element) {
  return VisitDType(dtype, [&](auto tag) { return LiteralOf<typename decltype(tag)::type>(element); });
}

}  // namespace supremum::cli
