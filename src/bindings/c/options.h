// Converts supremum_options to the options of the operators.
#ifndef SUPREMUM_SRC_BINDINGS_C_OPTIONS_H_
#define SUPREMUM_SRC_BINDINGS_C_OPTIONS_H_

#include <cstddef>
#include <cstdint>

#include "supremum/c_api.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"
#include "supremum/result.h"

namespace supremum::capi {

/// The options of Max; a null pointer means SUPREMUM_OPTIONS_INIT. Errors: kInvalidArgument.
Result<MaxOptions> MaxOptionsOf(const supremum_options* options);

/// The options of ReduceMax; `axes` are not copied. Errors: kInvalidArgument.
Result<ReduceMaxOptions> ReduceMaxOptionsOf(const supremum_options* options, const std::int64_t* axes,
                                            std::size_t axis_count, int keepdims);

}  // namespace supremum::capi

#endif  // SUPREMUM_SRC_BINDINGS_C_OPTIONS_H_
