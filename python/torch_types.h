// The types of PyTorch's elements, in the files that are compiled against its C++ interface.
#ifndef SUPREMUM_PYTHON_TORCH_TYPES_H_
#define SUPREMUM_PYTHON_TORCH_TYPES_H_

#include <c10/core/ScalarType.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "supremum/dtype.h"

namespace supremum::python {

// PyTorch's unsigned types except uint8 are missing from some versions; such tensors are read through
// attributes.
inline constexpr std::array<std::pair<c10::ScalarType, DType>, 10> kTorchTypes = {{
    {c10::ScalarType::Float, DType::kFloat32},
    {c10::ScalarType::Double, DType::kFloat64},
    {c10::ScalarType::Half, DType::kFloat16},
    {c10::ScalarType::BFloat16, DType::kBFloat16},
    {c10::ScalarType::Char, DType::kInt8},
    {c10::ScalarType::Short, DType::kInt16},
    {c10::ScalarType::Int, DType::kInt32},
    {c10::ScalarType::Long, DType::kInt64},
    {c10::ScalarType::Byte, DType::kUInt8},
    {c10::ScalarType::Bool, DType::kBool},
}};

/// The library's name of a type of PyTorch; nothing if it has none.
inline std::optional<DType> TypeOf(c10::ScalarType type) {
  const auto* const found = std::find_if(kTorchTypes.begin(), kTorchTypes.end(),
                                         [&](const auto& pair) { return pair.first == type; });
  return found == kTorchTypes.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_TORCH_TYPES_H_
