// A dense copy of a part of a broadcast or strided operand, so that short or scattered rows are joined with
// full vectors.
#ifndef SUPREMUM_SRC_OPS_EXPAND_H_
#define SUPREMUM_SRC_OPS_EXPAND_H_

#include <cstddef>

#include "kernels/kernels.h"
#include "supremum/shape.h"

namespace supremum {

/// The number of bytes after its result that Expand may overwrite.
inline constexpr std::size_t kExpandSlack = 64;

/// Writes the elements data[index . steps], for every index below `extents` in row-major order, contiguously.
/// Steps in elements, of any sign, 0 where the operand is broadcast. NaNs may become canonical.
///
/// Requires: at least one dimension, as many steps; `out` has room for all elements and kExpandSlack bytes.
void Expand(const kernels::RowKernels& row, std::size_t width, const std::byte* data, DimsView extents,
            DimsView steps, std::byte* out);

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_EXPAND_H_
