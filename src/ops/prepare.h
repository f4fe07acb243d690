// The library's own way to plans: operands are checked once, and plans are prepared of what was checked.
#ifndef SUPREMUM_SRC_OPS_PREPARE_H_
#define SUPREMUM_SRC_OPS_PREPARE_H_

#include <span>

#include "rules/max.h"
#include "rules/reduce_max.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"
#include "supremum/result.h"
#include "supremum/tensor_view.h"

namespace supremum {

/// JudgeMax for the operands of a call; `output` may be null where only the inputs are known.
inline Result<CheckedMax> CheckMax(std::span<const TensorView> inputs, const MutableTensorView* output,
                                   const MaxOptions& options) {
  return JudgeMax(Views(inputs, output, {options.input_names, options.output_name}),
                  {options.version, options.identical_shapes_only});
}

/// JudgeReduceMax for the operands of a call; `output` may be null where only the source is known.
inline Result<CheckedReduceMax> CheckReduceMax(const TensorView& source, const MutableTensorView* output,
                                               const ReduceMaxOptions& options) {
  return JudgeReduceMax(
      Views({&source, 1}, output, NamesOfReduction(options.source_name, options.output_name)),
      {options.axes.list(), options.keepdims, options.version});
}

/// MaxPlan::Prepare without the checks that CheckMax has done. Only threads and names of `options` are used.
///
/// Requires: `checked` is of inputs of these types, shapes and strides. All operands, the output among them,
///   have their data within the address space; the output has the type and shape that `checked` states.
/// Errors: kOverlap (MEM-1, MEM-2), kOutOfMemory.
/// Cost: time linear in the number of inputs; the memory that MemoryBytes() reports.
Result<MaxPlan> PrepareChecked(const CheckedMax& checked, std::span<const TensorView> inputs,
                               const MutableTensorView& output, const MaxOptions& options);

/// ReduceMaxPlan::Prepare without the checks that CheckReduceMax has done. Only threads and names of
/// `options` are used; axes and keepdims are those of `checked`.
///
/// Requires, Errors: as for Max.
/// Cost: time below a constant bound; the memory that MemoryBytes() reports.
Result<ReduceMaxPlan> PrepareChecked(const CheckedReduceMax& checked, const TensorView& source,
                                     const MutableTensorView& output, const ReduceMaxOptions& options);

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_PREPARE_H_
