// Layouts of the primitives that movement/primitives.h does not have.
#ifndef SUPREMUM_VERIFICATION_MOVEMENT_EDGES_H_
#define SUPREMUM_VERIFICATION_MOVEMENT_EDGES_H_

#include <cstddef>

#include "kernels/kernels.h"
#include "movement/layout.h"

namespace supremum::test {

/// Visits layouts without elements, lines or blocks; more elements than temporary buffers have; and lengths
/// beyond four vectors. `lanes`: elements of a vector of the target.
void VisitEdges(const kernels::RowKernels& row, std::size_t width, std::size_t lanes, const Visit& visit);

}  // namespace supremum::test

#endif  // SUPREMUM_VERIFICATION_MOVEMENT_EDGES_H_
