// The types of PyTorch's elements, in the files that are compiled against its C++ interface.
#ifndef SUPREMUM_PYTHON_TORCH_TYPES_H_
#define SUPREMUM_PYTHON_TORCH_TYPES_H_

#include <c10/core/ScalarType.h>
#include <torch/csrc/api/include/torch/version.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "supremum/dtype.h"

namespace supremum::python {

inline constexpr auto kTorchTypes = std::to_array<std::pair<c10::ScalarType, DType>>({
  {c10::ScalarType::Float, DType::kFloat32}, {c10::ScalarType::Double, DType::kFloat64},
      {c10::ScalarType::Half, DType::kFloat16}, {c10::ScalarType::BFloat16, DType::kBFloat16},
      {c10::ScalarType::Char, DType::kInt8}, {c10::ScalarType::Short, DType::kInt16},
      {c10::ScalarType::Int, DType::kInt32}, {c10::ScalarType::Long, DType::kInt64},
      {c10::ScalarType::Byte, DType::kUInt8}, {c10::ScalarType::Bool, DType::kBool},
#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 3
      {c10::ScalarType::UInt16, DType::kUInt16}, {c10::ScalarType::UInt32, DType::kUInt32},
      {c10::ScalarType::UInt64, DType::kUInt64},
#endif
});

/// The library's type for a type of PyTorch; nullopt if it is unsupported.
inline std::optional<DType> TypeOf(c10::ScalarType type) {
  const auto* const found = std::find_if(kTorchTypes.begin(), kTorchTypes.end(),
                                         [&](const auto& pair) { return pair.first == type; });
  return found == kTorchTypes.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_TORCH_TYPES_H_
