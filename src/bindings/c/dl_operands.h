// Converts the DLPack tensors of one call to views.
#ifndef SUPREMUM_SRC_BINDINGS_C_DL_OPERANDS_H_
#define SUPREMUM_SRC_BINDINGS_C_DL_OPERANDS_H_

#include <dlpack/dlpack.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/views.h"
#include "supremum/dtype.h"
#include "supremum/result.h"
#include "supremum/tensor_view.h"

namespace supremum::capi {

inline constexpr std::uint8_t kDlBoolCode = 6;  ///< headers of DLPack before 1.0 do not name it

/// The element type that DLPack describes, or nullopt if it is not one of TYP-1 and TYP-4: one lane, and a
/// valid pair of code and width.
std::optional<DType> DTypeOf(DLDataType type);

/// DLPack's description of the type.
inline DLDataType DlTypeOf(DType dtype) {
  const auto bits = static_cast<std::uint8_t>(8 * ByteWidth(dtype));
  for (std::uint8_t code = 0; code <= kDlBoolCode; ++code) {
    const DLDataType type{code, bits, 1};
    if (DTypeOf(type) == dtype) return type;
  }
  return {};
}

/// The view of a tensor. Requires: DlOperands::Check succeeded.
TensorView ViewOf(const DLTensor& tensor);
MutableTensorView MutableViewOf(const DLTensor& tensor);

/// The tensors of one call. Names are computed only for an error.
class DlOperands {
 public:
  /// Requires: `inputs` has readable pointers. If the call has no output, `output` is absent.
  DlOperands(std::span<const DLTensor* const> inputs, std::optional<const DLTensor*> output,
             const OperandNames& names)
      : inputs_(inputs), output_(output), names_(names) {}

  /// The first reason why a tensor cannot be a view. The order is kInvalidArgument (null pointers, an address
  /// beyond the address space), kUnsupportedDevice, kTypeMismatch and kTypeNotAdmitted (only if the library
  /// does not support a type), kRank. The operators check data, extents and strides.
  Result<void> Check() const;

  /// The inputs' views. Requires: Check succeeded.
  std::vector<TensorView> Inputs() const;

 private:
  template <class Fine, class Explain>
  Result<void> CheckEach(Fine fine, Explain explain) const;
  Result<void> CheckPointers() const;
  Result<void> CheckTypes() const;

  std::span<const DLTensor* const> inputs_;
  std::optional<const DLTensor*> output_;
  OperandNames names_;
};

/// The view of one tensor, called `who` in error texts, for tensors that are read without an operator that
/// checks them.
///
/// Errors: those of DlOperands::Check, and of the view kInvalidShape (an extent below zero, more than 2^63-1
///   elements, strides that leave the address space) and kInvalidArgument (elements and a null pointer).
Result<TensorView> CheckedViewOf(const DLTensor& tensor, std::string_view who);

/// BRO-4: the number of dimensions is negative or above 64.
Error WrongRankError(const std::string& who, int rank);

}  // namespace supremum::capi

#endif  // SUPREMUM_SRC_BINDINGS_C_DL_OPERANDS_H_
