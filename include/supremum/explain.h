// Explains each element of a maximum: its operands, and the rules that decide it. Not optimised for speed.
#ifndef SUPREMUM_EXPLAIN_H_
#define SUPREMUM_EXPLAIN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "supremum/reference.h"
#include "supremum/result.h"
#include "supremum/tensor_view.h"

namespace supremum::reference {

/// One of the input elements of which an output element is the maximum.
struct Operand {
  std::size_t input;      ///< index of its input; 0 for ReduceMax
  std::int64_t position;  ///< index of the element in that input, in row-major order
  std::uint64_t bits;     ///< its bits, in the low-order bits
};

/// An element of the output.
struct Explanation {
  std::uint64_t bits = 0;          ///< its bits, in the low-order bits
  std::vector<Operand> operands;   ///< input by input, each in row-major order
  std::optional<std::size_t> won;  ///< index of the first operand that has these bits, if any has

  /// The rules of docs/semantics.md that give it these bits: first the one that decides, then those that also
  /// apply. They are
  ///
  ///   RED-6 for no operands; MAX-2 or RED-1 for one; ORD-3 where a NaN absorbs others, ORD-4 where it is
  ///   made canonical; ORD-2 for floats, ORD-1 for integers, TYP-4 for bools; then BRO-5 where an operand is
  ///   broadcast, and ORD-6 where one is subnormal.
  std::vector<std::string_view> rules;
  std::string_view reason;  ///< the first of these rules, as a sentence about this element
};

/// Explains the bits of each element of Max.
///
///   explanation[i].bits = max over m of explanation[i].operands[m].bits    (MAX-2)
///
/// Requires: all views have one type. Ensures: `bits` are those of reference::Max.
/// Errors: those of BroadcastShape.
/// Cost: memory for each operand of each element.
///
///   auto why = reference::ExplainMax(inputs);    // (-0; +0): ORD-2, "of zeros, +0 is greater than -0"
Result<Tensor<Explanation>> ExplainMax(std::span<const TensorView> inputs);

/// Explains the bits of each element of ReduceMax (RED-1). Axes as in reference::ReduceMax.
///
/// Ensures: `bits` are those of reference::ReduceMax. Errors: kAxis (RED-2).
/// Cost: memory for each element of the source.
///
///   auto why = reference::ExplainReduceMax(source, std::nullopt, false);
Result<Tensor<Explanation>> ExplainReduceMax(const TensorView& source,
                                             std::optional<std::span<const std::int64_t>> axes,
                                             bool keepdims);

}  // namespace supremum::reference

#endif  // SUPREMUM_EXPLAIN_H_
