// The element types of TYP-1 and TYP-4, and how to get from a run-time DType to a C++ type and back.
#ifndef SUPREMUM_DTYPE_H_
#define SUPREMUM_DTYPE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "supremum/cxx20.h"

namespace supremum {

/// The bits of an IEEE 754 binary16 number: sign 1, exponent 5, fraction 10. Max needs no arithmetic.
struct Float16 {
  std::uint16_t bits = 0;
};

/// The bits of a bfloat16 number, the upper half of a binary32: sign 1, exponent 8, fraction 7.
struct BFloat16 {
  std::uint16_t bits = 0;
};

/// The type of a tensor's elements: the twelve numbers of TYP-1, and bool (TYP-4). The values never change.
///
/// A bool is one byte: 0 is false, 1 is true. Operators read any other byte as true, and write only 0 and 1.
enum class DType : std::uint8_t {
  kBFloat16 = 0,
  kFloat16 = 1,
  kFloat32 = 2,
  kFloat64 = 3,
  kInt8 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kUInt8 = 8,
  kUInt16 = 9,
  kUInt32 = 10,
  kUInt64 = 11,
  kBool = 12,
};

/// The types of numbers: those of Max (TYP-1).
inline constexpr std::array<DType, 12> kNumberDTypes = {
    DType::kBFloat16, DType::kFloat16, DType::kFloat32, DType::kFloat64, DType::kInt8,   DType::kInt16,
    DType::kInt32,    DType::kInt64,   DType::kUInt8,   DType::kUInt16,  DType::kUInt32, DType::kUInt64,
};

/// Every type, indexed by its value: the numbers, then bool.
inline constexpr std::array<DType, 13> kAllDTypes = {
    DType::kBFloat16, DType::kFloat16, DType::kFloat32, DType::kFloat64, DType::kInt8,
    DType::kInt16,    DType::kInt32,   DType::kInt64,   DType::kUInt8,   DType::kUInt16,
    DType::kUInt32,   DType::kUInt64,  DType::kBool,
};

/// Carries a type as a value, so that a generic lambda can be called with it:
///
///   [](auto tag) { using T = typename decltype(tag)::type; ... }
template <class T>
struct TypeTag {
  using type = T;
};

/// Calls `visit(TypeTag<T>{})` with the C++ type T of `dtype` and returns what it returns.
///
/// Requires: IsValid(dtype).
template <class Visitor>
constexpr decltype(auto) VisitDType(DType dtype, Visitor&& visit) {
  switch (dtype) {
    case DType::kBFloat16:  // NOLINT(bugprone-branch-clone): the tags differ
      return std::forward<Visitor>(visit)(TypeTag<BFloat16>{});
    case DType::kFloat16:
      return std::forward<Visitor>(visit)(TypeTag<Float16>{});
    case DType::kFloat32:
      return std::forward<Visitor>(visit)(TypeTag<float>{});
    case DType::kFloat64:
      return std::forward<Visitor>(visit)(TypeTag<double>{});
    case DType::kInt8:
      return std::forward<Visitor>(visit)(TypeTag<std::int8_t>{});
    case DType::kInt16:
      return std::forward<Visitor>(visit)(TypeTag<std::int16_t>{});
    case DType::kInt32:
      return std::forward<Visitor>(visit)(TypeTag<std::int32_t>{});
    case DType::kInt64:
      return std::forward<Visitor>(visit)(TypeTag<std::int64_t>{});
    case DType::kUInt8:
      return std::forward<Visitor>(visit)(TypeTag<std::uint8_t>{});
    case DType::kUInt16:
      return std::forward<Visitor>(visit)(TypeTag<std::uint16_t>{});
    case DType::kUInt32:
      return std::forward<Visitor>(visit)(TypeTag<std::uint32_t>{});
    case DType::kUInt64:
      return std::forward<Visitor>(visit)(TypeTag<std::uint64_t>{});
    case DType::kBool:
      break;
  }
  return std::forward<Visitor>(visit)(TypeTag<bool>{});
}

template <class T>
inline constexpr std::optional<DType> kDTypeOrNone = std::nullopt;
template <>
inline constexpr std::optional<DType> kDTypeOrNone<BFloat16> = DType::kBFloat16;
template <>
inline constexpr std::optional<DType> kDTypeOrNone<Float16> = DType::kFloat16;
template <>
inline constexpr std::optional<DType> kDTypeOrNone<float> = DType::kFloat32;
template <>
inline constexpr std::optional<DType> kDTypeOrNone<double> = DType::kFloat64;
template <>
inline constexpr std::optional<DType> kDTypeOrNone<std::int8_t> = DType::kInt8;
template <>
inline constexpr std::optional<DType> kDTypeOrNone<std::int16_t> = DType::kInt16;
template <>
inline constexpr std::optional<DType> kDTypeOrNone<std::int32_t> = DType::kInt32;
template <>
inline constexpr std::optional<DType> kDTypeOrNone<std::int64_t> = DType::kInt64;
template <>
inline constexpr std::optional<DType> kDTypeOrNone<std::uint8_t> = DType::kUInt8;
template <>
inline constexpr std::optional<DType> kDTypeOrNone<std::uint16_t> = DType::kUInt16;
template <>
inline constexpr std::optional<DType> kDTypeOrNone<std::uint32_t> = DType::kUInt32;
template <>
inline constexpr std::optional<DType> kDTypeOrNone<std::uint64_t> = DType::kUInt64;
template <>
inline constexpr std::optional<DType> kDTypeOrNone<bool> = DType::kBool;

/// A C++ type that is an element type.
template <class T>
// clang-format off
concept Element = kDTypeOrNone<T>.has_value();
// clang-format on

/// The DType of a C++ element type: `kDTypeOf<float> == DType::kFloat32`.
template <Element T>
inline constexpr DType kDTypeOf = *kDTypeOrNone<T>;

/// True if `dtype` is one of the enumerators, which a cast integer need not be.
constexpr bool IsValid(DType dtype) { return static_cast<std::size_t>(dtype) < kAllDTypes.size(); }

/// True for bfloat16, float16, float32 and float64.
constexpr bool IsFloat(DType dtype) { return static_cast<std::size_t>(dtype) < 4; }

/// The size of one element, in bytes: 1, 2, 4 or 8.
///
/// Requires: IsValid(dtype).
constexpr std::size_t ByteWidth(DType dtype) {
  return VisitDType(dtype, [](auto tag) { return sizeof(typename decltype(tag)::type); });
}

/// NumPy's name of a type ("bfloat16", "float32", "uint8", "bool"); "invalid" if !IsValid(dtype).
constexpr std::string_view Name(DType dtype) {
  constexpr std::array<std::string_view, 13> kNames = {"bfloat16", "float16", "float32", "float64", "int8",
                                                       "int16",    "int32",   "int64",   "uint8",   "uint16",
                                                       "uint32",   "uint64",  "bool"};
  return IsValid(dtype) ? kNames[static_cast<std::size_t>(dtype)] : std::string_view("invalid");
}

/// The type with that Name, or with ONNX's name "float" or "double", or with the short name "bf16", "f16",
/// "f32" or "f64"; nullopt for any other text.
constexpr std::optional<DType> ParseDType(std::string_view name) {
  for (DType dtype : kAllDTypes) {
    if (name == Name(dtype)) return dtype;
  }
  if (name == "bf16") return DType::kBFloat16;
  if (name == "f16") return DType::kFloat16;
  if (name == "float" || name == "f32") return DType::kFloat32;
  if (name == "double" || name == "f64") return DType::kFloat64;
  return std::nullopt;
}

}  // namespace supremum

#endif  // SUPREMUM_DTYPE_H_
