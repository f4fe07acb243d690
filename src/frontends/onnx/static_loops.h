// The loops of a node whose shapes are known (StaticNode).
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_STATIC_LOOPS_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_STATIC_LOOPS_H_

#include <span>

#include "core/axes.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/static_graph.h"

namespace supremum::onnx_front {

/// Sets the loops of a Max, or of a copy. Requires: the inputs, which are `values`, broadcast to the output,
/// which has elements. Errors: kOutOfMemory.
Result<void> SetMaxLoops(std::span<const StaticValue> values, StaticNode& node);

/// Sets the loops of a ReduceMax, or `of_nothing`. Requires: the output has elements. Errors: kOutOfMemory.
Result<void> SetReduceMaxLoops(DimsView source, AxisSet reduced, StaticNode& node);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_STATIC_LOOPS_H_
