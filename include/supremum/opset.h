// ONNX's versions of the operators, the opsets that select them, and what each version admits (MAX-3..5,
// TYP-3).
#ifndef SUPREMUM_OPSET_H_
#define SUPREMUM_OPSET_H_

#include <cstdint>
#include <optional>
#include <string>

#include "supremum/dtype.h"

namespace supremum {

/// Which rules apply beyond those of the operator itself.
enum class Profile : std::uint8_t {
  kOnnx,   ///< ONNX as it stands
  kSonnx,  ///< the SONNX safety-related profile (PRO-1..5)
};

/// A version of ONNX's Max, by the opset that introduced it.
enum class MaxVersion : std::uint8_t { k1 = 1, k6 = 6, k8 = 8, k12 = 12, k13 = 13 };

/// The newest version: all twelve types, broadcasting.
inline constexpr MaxVersion kLatestMax = MaxVersion::k13;

/// The version of Max that a model with this opset of the default domain means: the newest that is not newer
/// (MAX-5: opset 9 is Max-8, opset 21 is Max-13). nullopt if opset < 1.
constexpr std::optional<MaxVersion> MaxVersionForOpset(std::int64_t opset) {
  if (opset < 1) return std::nullopt;
  if (opset < 6) return MaxVersion::k1;
  if (opset < 8) return MaxVersion::k6;
  if (opset < 12) return MaxVersion::k8;
  if (opset < 13) return MaxVersion::k12;
  return MaxVersion::k13;
}

/// True if inputs of different shapes are broadcast (MAX-4), false if they are E1 (MAX-3).
constexpr bool Broadcasts(MaxVersion version) { return version >= MaxVersion::k8; }

/// True if `version` has the type (TYP-3): f16, f32, f64 always, the eight integers from Max-12, bf16 from
/// Max-13.
constexpr bool Admits(MaxVersion version, DType dtype) {
  if (!IsValid(dtype)) return false;
  if (dtype == DType::kBFloat16) return version >= MaxVersion::k13;
  return IsFloat(dtype) || version >= MaxVersion::k12;
}

/// "Max-13".
std::string ToString(MaxVersion version);

}  // namespace supremum

#endif  // SUPREMUM_OPSET_H_
