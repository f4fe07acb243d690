// The tensors of one call as DLPack describes them, and what operators read instead: views.
#ifndef SUPREMUM_SRC_CAPI_DL_OPERANDS_H_
#define SUPREMUM_SRC_CAPI_DL_OPERANDS_H_

#include <dlpack/dlpack.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ops/view_check.h"
#include "supremum/dtype.h"
#include "supremum/result.h"
#include "supremum/tensor_view.h"

namespace supremum::capi {

/// The element type that DLPack describes, or nullopt if it is none of TYP-1 and TYP-4: one lane, and a code
/// and a width that go together.
std::optional<DType> DTypeOf(DLDataType type);

/// A tensor that has been described. Requires: DlOperands::Check holds.
TensorView ViewOf(const DLTensor& tensor);
MutableTensorView MutableViewOf(const DLTensor& tensor);

/// The tensors of one call. Names are made only for an error.
class DlOperands {
 public:
  /// Requires: every pointer of `inputs` may be read. `output` is absent where the call has none.
  DlOperands(std::span<const DLTensor* const> inputs, std::optional<const DLTensor*> output,
             const OperandNames& names)
      : inputs_(inputs), output_(output), names_(names) {}

  /// What keeps a tensor from being a view: the first that holds of kInvalidArgument (null pointers, an
  /// address beyond the address space), kUnsupportedDevice, kTypeMismatch and kTypeNotAdmitted (only where a
  /// type is none of the library's), kRank. Data, extents and strides are the operators' to judge.
  Result<void> Check() const;

  /// The inputs' views. Requires: Check holds.
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

/// The view of one tensor, which errors call `who`: for one that no operator judges before it is read.
///
/// Errors: those of DlOperands::Check, and of the view kInvalidShape (an extent below zero, more than 2^63-1
///   elements, strides that leave the address space) and kInvalidArgument (elements and a null pointer).
Result<TensorView> CheckedViewOf(const DLTensor& tensor, std::string_view who);

/// BRO-4: a number of dimensions that is none, or more than 64.
Error WrongRankError(const std::string& who, int rank);

}  // namespace supremum::capi

#endif  // SUPREMUM_SRC_CAPI_DL_OPERANDS_H_
