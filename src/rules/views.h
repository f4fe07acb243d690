// Checks of the views that any operator is called with.
#ifndef SUPREMUM_SRC_RULES_VIEWS_H_
#define SUPREMUM_SRC_RULES_VIEWS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/align.h"  // IWYU pragma: export
#include "core/overlap.h"
#include "rules/operands.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor_view.h"

namespace supremum {

/// True if the two have the same shape and strides (MEM-2 requires the same address, too). Strides of extents
/// 1 address nothing and are ignored. Requires: they have one type.
bool SameLayout(const TensorView& input, const TensorView& output);

/// RangeOf the memory of a view. Requires: as ForEachStride; no extent is negative.
std::optional<ByteRange> RangeOfView(const TensorView& view);

/// The names of the operands of a call in error texts.
struct OperandNames {
  std::span<const std::string_view> inputs;  ///< "input 0", "input 1", ... where there are none
  std::string_view output;                   ///< "the output" where empty
  bool one_source = false;                   ///< an input without a name is "the source"
  std::string_view part = {};                ///< "the bound of ": goes before every name
  std::string_view only = {};                ///< where it is not empty, what the only tensor is called

  std::string Input(std::size_t m) const;
  std::string Output() const;
};

/// The views of one call: an OperandList whose last operand is the output, if there is one. Names are made
/// only for an error: a million inputs cost a million comparisons, not a million strings.
///
/// Each Check returns the error of the first view that violates what it checks, the output last.
class Views {
 public:
  /// `output` may be null where only the inputs are known.
  Views(std::span<const TensorView> inputs, const MutableTensorView* output, const OperandNames& names)
      : inputs_(inputs), output_(output), names_(names) {}

  std::span<const TensorView> inputs() const { return inputs_; }
  const MutableTensorView* output() const { return output_; }
  /// Operand m, the output last.
  TensorView view(std::size_t m) const { return m < inputs_.size() ? inputs_[m] : TensorView(*output_); }
  const OperandNames& names() const { return names_; }
  Views WithoutOutput() const { return {inputs_, nullptr, names_}; }

  std::size_t count() const { return inputs_.size() + (output_ != nullptr ? 1 : 0); }
  std::string who(std::size_t m) const { return m < inputs_.size() ? names_.Input(m) : names_.Output(); }
  ElementType type(std::size_t m) const {
    return {m < inputs_.size() ? inputs_[m].dtype : output_->dtype, {}};
  }
  std::optional<std::size_t> rank(std::size_t m) const { return shape(m).size(); }
  std::int64_t extent(std::size_t m, std::size_t d) const { return shape(m)[d]; }
  std::string shape_text(std::size_t m) const { return ToString(shape(m)); }

  /// The error that `explain(name, view)` makes of the first view that is not `fine(view)`.
  template <class Fine, class Explain>
  Result<void> Check(Fine fine, Explain explain) const {
    for (std::size_t m = 0; m < inputs_.size(); ++m) {
      if (!fine(inputs_[m])) return explain(names_.Input(m), inputs_[m]);
    }
    if (output_ != nullptr && !fine(TensorView(*output_))) {
      return explain(names_.Output(), TensorView(*output_));
    }
    return {};
  }

  /// kInvalidArgument: elements and a null pointer.
  Result<void> CheckData() const;

  /// kRank: more than kMaxRank dimensions (BRO-4), or strides of another number.
  Result<void> CheckRanks() const;

  /// kInvalidShape: an extent below zero, or more than 2^63-1 elements.
  Result<void> CheckExtents() const;

  /// kInvalidShape: elements outside the address space. Requires: CheckRanks and CheckExtents hold.
  Result<void> CheckReach() const;

 private:
  DimsView shape(std::size_t m) const { return m < inputs_.size() ? inputs_[m].shape : output_->shape; }

  std::span<const TensorView> inputs_;
  const MutableTensorView* output_;
  OperandNames names_;
};

/// E2: the output has another shape than the computed one.
Result<void> CheckOutputShape(const OperandNames& names, DimsView shape, DimsView computed);

/// MEM-1: no two elements of the output have one address. Requires: `output` has passed Views' checks.
Result<void> CheckVisitsOnce(const OperandNames& names, const TensorView& output);

/// Is there a byte that belongs to both? Requires: both have passed Views' checks.
Overlap OverlapOf(const TensorView& a, const TensorView& b);

/// kInvalidArgument: a plan whose operand, which has elements, is bound to a null pointer.
Error NullDataError(const std::string& who);

/// kInvalidShape: a plan whose operand, bound to another address, has elements outside the address space.
Error AddressSpaceError(const std::string& who);

/// The error of two tensors that share memory, or cannot be shown not to (MEM-2). `allowed` says what they
/// may do.
inline constexpr std::string_view kInPlaceAllowed =
    "it may be exactly that tensor (same address, shape and strides) or have no byte in common with it";
Error SharedMemoryError(const std::string& output, const std::string& input, Overlap overlap,
                        std::string_view allowed = kInPlaceAllowed);

}  // namespace supremum

#endif  // SUPREMUM_SRC_RULES_VIEWS_H_
