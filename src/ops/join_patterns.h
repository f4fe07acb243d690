// The primitive join_patterns for inputs whose lines may be any distance apart.
#ifndef SUPREMUM_SRC_OPS_JOIN_PATTERNS_H_
#define SUPREMUM_SRC_OPS_JOIN_PATTERNS_H_

#include <cstddef>
#include <span>

#include "kernels/kernels.h"

namespace supremum {

/// As row.join_patterns. Where the source of a line is shorter than a vector, that loads a whole one,
/// unless it would leave the memory of all lines; between lines that are a page or more apart, there may be
/// no memory. The sources of such lines are copied first, some at a time.
///
/// Requires: what row.join_patterns requires, but for gaps; `width` is that of the elements.
void JoinPatterns(const kernels::RowKernels& row, std::size_t width,
                  std::span<const kernels::PatternInput> inputs, const kernels::LinesTo& y);

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_JOIN_PATTERNS_H_
