// Names of operands in error texts, and the texts that more than one room needs.
#ifndef SUPREMUM_SRC_CORE_OPERAND_ERRORS_H_
#define SUPREMUM_SRC_CORE_OPERAND_ERRORS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "supremum/dtype.h"
#include "supremum/opset.h"
#include "supremum/result.h"
#include "supremum/shape.h"

namespace supremum {

/// "input 'x'", or "input 2" where the inputs have no names.
std::string InputName(std::span<const std::string_view> names, std::size_t m);

/// The one input of an operator: "input 'x'", or "the source" where it has no name.
std::string SourceName(std::string_view name);

/// BRO-4: `who` has more than 64 dimensions; to merge some is possible before `step`.
Error RankError(const std::string& who, std::size_t rank, std::string_view step = "the call");

/// `who` has an extent below zero in dimension `d`.
Error NegativeExtentError(const std::string& who, DimsView shape, std::size_t d);

/// kTypeNotAdmitted: `dtype` is none of the library's types.
Error NoSuchTypeError(DType dtype);

/// MAX-3: `version` does not broadcast. `what` names the different shapes, and ends with what separates it.
Error DifferentShapesError(std::string_view what, MaxVersion version);

/// TYP-3: `who` has a type that `version` does not have, `advice` being what to do.
Error TypeNotAdmittedError(const std::string& who, std::string_view type, MaxVersion version,
                           std::string_view advice);

/// TYP-4, TYP-5: `who` has a type that `version` does not have.
Error TypeNotAdmittedError(const std::string& who, std::string_view type, ReduceMaxVersion version);

/// The advice of TypeNotAdmittedError if a version of Max does not support `dtype`.
constexpr std::string_view TypeAdvice(DType dtype) {
  if (!IsValid(dtype)) return "it is none of the library's types";
  if (dtype == DType::kBool) return "no version of Max has it; view it as uint8, whose order is the same";
  return "import a newer opset: 12 has the integers, 13 bfloat16 too";
}

/// TYP-2: `who` has another type than `first`.
Error TypeMismatchError(const std::string& who, std::string_view type, const std::string& first,
                        std::string_view first_type);

/// E1, BRO-2: in dimension `j` of `rank`, `first` and `second` have extents that differ and are not 1. Shapes
/// as texts: they may hold symbols.
struct ClashingOperand {
  std::string name;
  std::string shape;
  std::int64_t extent;
};
Error NotBroadcastableError(const ClashingOperand& first, const ClashingOperand& second, std::size_t j,
                            std::size_t rank);

}  // namespace supremum

#endif  // SUPREMUM_SRC_CORE_OPERAND_ERRORS_H_
