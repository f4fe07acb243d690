// ONNX's versions of the operators, the opsets that select them, and what each version admits (MAX-3..5,
// TYP-3; TYP-4, TYP-5, RED-5).
#ifndef SUPREMUM_OPSET_H_
#define SUPREMUM_OPSET_H_

#include <cstdint>
#include <optional>
#include <string>

#include "supremum/dtype.h"

namespace supremum {

/// The set of rules that apply besides those of the operator.
enum class Profile : std::uint8_t {
  kOnnx,   ///< ONNX, no further rule
  kSonnx,  ///< the SONNX safety-related profile (PRO-1..5)
};

/// A version of ONNX's Max, by the opset that introduced it.
enum class MaxVersion : std::uint8_t { k1 = 1, k6 = 6, k8 = 8, k12 = 12, k13 = 13 };

/// The newest version: all twelve types, broadcasting.
inline constexpr MaxVersion kLatestMax = MaxVersion::k13;

/// The version of Max that an opset of the default domain selects: the highest that is at most the opset
/// (MAX-5: opset 9 is Max-8, opset 21 is Max-13). nullopt if opset < 1.
constexpr std::optional<MaxVersion> MaxVersionForOpset(std::int64_t opset) {
  if (opset < 1) return std::nullopt;
  if (opset < 6) return MaxVersion::k1;
  if (opset < 8) return MaxVersion::k6;
  if (opset < 12) return MaxVersion::k8;
  if (opset < 13) return MaxVersion::k12;
  return MaxVersion::k13;
}

/// True if inputs of different shapes are broadcast (MAX-4); false if they are the error E1 (MAX-3).
constexpr bool Broadcasts(MaxVersion version) { return version >= MaxVersion::k8; }

/// True if `version` admits the type (TYP-3): f16, f32, f64 always, the eight integers from Max-12, bf16 from
/// Max-13.
constexpr bool Admits(MaxVersion version, DType dtype) {
  if (!IsValid(dtype) || dtype == DType::kBool) return false;
  if (dtype == DType::kBFloat16) return version >= MaxVersion::k13;
  return IsFloat(dtype) || version >= MaxVersion::k12;
}

/// "Max-13".
std::string ToString(MaxVersion version);

/// A version of ReduceMax: supremum's own, one of ONNX's by the opset that introduced it, or oneDNN Graph's.
enum class ReduceMaxVersion : std::uint8_t {
  kSupremum = 0,  ///< every type (TYP-1, and bool), negative axes
  k1 = 1,
  k11 = 11,
  k12 = 12,
  k13 = 13,
  k18 = 18,
  k20 = 20,
  kOneDnn = 255,
};

/// The version of ONNX's ReduceMax that an opset selects, as MaxVersionForOpset does for Max: opset 17 is
/// ReduceMax-13. nullopt if opset < 1.
constexpr std::optional<ReduceMaxVersion> ReduceMaxVersionForOpset(std::int64_t opset) {
  if (opset < 1) return std::nullopt;
  if (opset < 11) return ReduceMaxVersion::k1;
  if (opset < 12) return ReduceMaxVersion::k11;
  if (opset < 13) return ReduceMaxVersion::k12;
  if (opset < 18) return ReduceMaxVersion::k13;
  if (opset < 20) return ReduceMaxVersion::k18;
  return ReduceMaxVersion::k20;
}

/// True if `version` admits the type. ONNX (TYP-4): u32 u64 i32 i64 f16 f32 f64 always, u8 and i8 from 12,
/// bf16 from 13, bool from 20, never i16 and u16. oneDNN (TYP-5): f32, bf16, f16.
constexpr bool Admits(ReduceMaxVersion version, DType dtype) {
  if (!IsValid(dtype)) return false;
  if (version == ReduceMaxVersion::kSupremum) return true;
  if (version == ReduceMaxVersion::kOneDnn) return IsFloat(dtype) && dtype != DType::kFloat64;
  switch (dtype) {
    case DType::kInt16:
    case DType::kUInt16:
      return false;
    case DType::kInt8:
    case DType::kUInt8:
      return version >= ReduceMaxVersion::k12;
    case DType::kBFloat16:
      return version >= ReduceMaxVersion::k13;
    case DType::kBool:
      return version >= ReduceMaxVersion::k20;
    default:
      return true;
  }
}

/// True if an axis may be counted from the end, as -1 (RED-2, RED-5): everywhere but in ReduceMax-1.
constexpr bool HasNegativeAxes(ReduceMaxVersion version) { return version != ReduceMaxVersion::k1; }

/// True if ONNX's `axes` are the second input and `noop_with_empty_axes` exists; false if `axes` is an
/// attribute (RED-5). oneDNN has both forms (RED-4).
constexpr bool TakesAxesInput(ReduceMaxVersion version) { return version >= ReduceMaxVersion::k18; }

/// "ReduceMax-13"; "ReduceMax" for supremum's own, "oneDNN's ReduceMax".
std::string ToString(ReduceMaxVersion version);

}  // namespace supremum

#endif  // SUPREMUM_OPSET_H_
