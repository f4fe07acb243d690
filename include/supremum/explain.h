// Why each element of a maximum is what it is: the operands that meet in it, and the rules that decide. For
// people who ask, and for pages that show it; nothing here is fast.
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

/// One of the elements that meet in an element of the output.
struct Operand {
  std::size_t input;      ///< which input it is of; 0 for ReduceMax
  std::int64_t position;  ///< which of its elements, in row-major order
  std::uint64_t bits;     ///< its bits, in the low end
};

/// An element of the output.
struct Explanation {
  std::uint64_t bits = 0;          ///< its bits, in the low end
  std::vector<Operand> operands;   ///< in row-major order, input after input
  std::optional<std::size_t> won;  ///< the first operand that has these bits, if one has

  /// The rules of docs/semantics.md by which it has these bits: first the one that decides, then what else
  /// has a part. They are
  ///
  ///   RED-6 of no operands; MAX-2 or RED-1 of one; ORD-3 where a NaN absorbs others, ORD-4 where it is
  ///   made canonical; ORD-2 of floats, ORD-1 of integers, TYP-4 of bools; then BRO-5 where an operand is
  ///   shown more than once, and ORD-6 where one is subnormal.
  std::vector<std::string_view> rules;
  std::string_view reason;  ///< the first of them, as a sentence on this element
};

/// Why each element of Max has the bits that it has.
///
///   explanation[i].bits = max over m of explanation[i].operands[m].bits    (MAX-2)
///
/// Requires: all views have one type. Ensures: `bits` are those of reference::Max.
/// Errors: those of BroadcastShape.
/// Cost: memory for each operand of each element.
///
///   auto why = reference::ExplainMax(inputs);    // (-0; +0): ORD-2, "of zeros, +0 is greater than -0"
Result<Tensor<Explanation>> ExplainMax(std::span<const TensorView> inputs);

/// Why each element of ReduceMax has the bits that it has (RED-1). Axes as in reference::ReduceMax.
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
