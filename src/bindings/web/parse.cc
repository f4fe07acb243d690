#include "parse.h"

#include <bit>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "cli/element.h"

namespace supremum::web {
namespace {

// The bits of the nearest binary float with these numbers of exponent and fraction bits; ties to even.
std::uint16_t Narrow(double value, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const unsigned infinity = ((1u << exponent_bits) - 1) << fraction_bits;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  if (std::isinf(magnitude)) return static_cast<std::uint16_t>(sign | infinity);
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude = 0.1... * 2^exponent
  if (exponent - 1 < 1 - bias) exponent = 2 - bias;
  // In units of the last place: whole numbers up to 2^(fraction_bits + 1), rounded to nearest, the default
  // mode.
  const double units = std::nearbyint(std::ldexp(magnitude, fraction_bits + 1 - exponent));
  const unsigned rounded = static_cast<unsigned>(units);
  const unsigned hidden = 1u << fraction_bits;
  // A carry increments the exponent.
  const unsigned bits =
      rounded < hidden ? rounded : (static_cast<unsigned>(exponent - 2 + bias) << fraction_bits) + rounded;
  return static_cast<std::uint16_t>(sign | (bits > infinity ? infinity : bits));
}

template <class T>
std::optional<T> Bits(std::string_view word) {
  if (word.size() != 2 + 2 * sizeof(T) || word[0] != '0' || (word[1] != 'x' && word[1] != 'X')) return {};
  cli::BitsOf<T> bits = 0;
  const auto [end, code] = std::from_chars(word.data() + 2, word.data() + word.size(), bits, 16);
  if (code != std::errc() || end != word.data() + word.size()) return {};
  return std::bit_cast<T>(bits);
}

template <class T>
std::optional<T> Element(const std::string& word) {
  if constexpr (!std::is_same_v<T, bool>) {
    if (const std::optional<T> bits = Bits<T>(word)) return bits;
  }
  if constexpr (std::is_same_v<T, bool>) {
    if (word == "true" || word == "1") return true;
    if (word == "false" || word == "0") return false;
    return {};
  } else if constexpr (IsFloat(kDTypeOf<T>)) {
    char* end = nullptr;
    if constexpr (std::is_same_v<T, float>) {
      const float value = std::strtof(word.c_str(), &end);
      return *end == '\0' ? std::optional<T>(value) : std::nullopt;
    } else {
      const double value = std::strtod(word.c_str(), &end);
      if (*end != '\0') return {};
      if constexpr (std::is_same_v<T, double>) {
        return value;
      } else {
        constexpr bool kHalf = std::is_same_v<T, Float16>;
        if (std::isnan(value)) return T{static_cast<std::uint16_t>(kHalf ? 0x7E00 : 0x7FC0)};
        return T{kHalf ? Narrow(value, 5, 10) : Narrow(value, 8, 7)};
      }
    }
  } else {
    T value = 0;
    const char* begin = word.data() + (word[0] == '+' ? 1 : 0);
    const auto [end, code] = std::from_chars(begin, word.data() + word.size(), value);
    if (code != std::errc() || end != word.data() + word.size()) return {};
    return value;
  }
}

}  // namespace

Result<std::vector<std::uint8_t>> ParseElements(DType dtype, std::string_view text) {
  return VisitDType(dtype, [&](auto tag) -> Result<std::vector<std::uint8_t>> {
    using T = typename decltype(tag)::type;
    std::vector<std::uint8_t> bytes;
    const auto separates = [](char c) {
      return c == ',' || c == ';' || std::isspace(static_cast<unsigned char>(c));
    };
    for (std::size_t i = 0; i < text.size();) {
      if (separates(text[i])) {
        ++i;
        continue;
      }
      std::size_t end = i;
      while (end < text.size() && !separates(text[end])) ++end;
      const std::string word(text.substr(i, end - i));
      const std::optional<T> value = Element<T>(word);
      if (!value) {
        return MakeError(ErrorCode::kInvalidArgument,
                         "element " + std::to_string(bytes.size() / sizeof(T)) + " is '" +
                             word.substr(0, 40) + "', which is not of type " + std::string(Name(dtype)) +
                             "; write a number of that type, or all its bits as hexadecimal digits");
      }
      bytes.resize(bytes.size() + sizeof(T));
      std::memcpy(bytes.data() + bytes.size() - sizeof(T), &*value, sizeof(T));
      i = end;
    }
    return bytes;
  });
}

}  // namespace supremum::web
