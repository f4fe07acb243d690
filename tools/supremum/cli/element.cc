#include "cli/element.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>

#include "core/walk.h"

namespace supremum::cli {
namespace {

// By the C library: fmt 10 writes zero as 0x0p-1022.
std::string HexFloatText(double value) {
  std::array<char, 32> text;  // "-0x1.fffffffffffffp-1022" and a zero
  std::snprintf(text.data(), text.size(), "%a", value);
  return text.data();
}

}  // namespace

float Decode(BFloat16 value) { return std::bit_cast<float>(std::uint32_t{value.bits} << 16); }

float Decode(Float16 value) {
  const std::uint32_t sign = std::uint32_t{value.bits & 0x8000u} << 16;
  const std::uint32_t exponent = (value.bits >> 10) & 0x1Fu;
  const std::uint32_t fraction = value.bits & 0x3FFu;
  std::uint32_t magnitude = (exponent + 112) << 23 | fraction << 13;
  if (exponent == 0x1F) {
    magnitude = 0x7F800000u | fraction << 13;
  } else if (exponent == 0) {
    // A subnormal is fraction * 2^-24, which float32 holds as a normal number.
    magnitude = std::bit_cast<std::uint32_t>(static_cast<float>(fraction) * 0x1p-24f);
  }
  return std::bit_cast<float>(sign | magnitude);
}

ElementText TextOf(const Tensor& tensor, std::int64_t linear) {
  return VisitDType(tensor.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T value = tensor.Elements<T>()[static_cast<std::size_t>(linear)];
    ElementText text{Text(value), "-", HexText(value)};
    if constexpr (kIsFloat<T>) {
      if (!IsNaN(value)) text.hex_float = HexFloatText(double{Decode(value)});
    }
    return text;
  });
}

Shape IndexOf(DimsView shape, std::int64_t linear) {
  return *Shape::FromSpan(Walk<0>(shape, {}, linear).index());
}

std::string IndexText(DimsView shape, std::int64_t linear) { return ToString(IndexOf(shape, linear)); }

}  // namespace supremum::cli
