// The layouts of the primitives.
#ifndef SUPREMUM_VERIFICATION_MOVEMENT_PRIMITIVES_H_
#define SUPREMUM_VERIFICATION_MOVEMENT_PRIMITIVES_H_

#include <cstddef>

#include "kernels/kernels.h"
#include "movement/layout.h"

namespace supremum::test {

/// How many of the layouts are visited.
enum class Extent {
  kSample,  ///< each path of a kernel, some lengths
  kAll,     ///< every length to four vectors less one element, every repeat count
  kLong,    ///< lengths of four to ten vectors, and of more than temporary buffers
};

/// Visits the layouts of all primitives of a type. `lanes`: elements of a vector of the target.
void VisitPrimitives(const kernels::RowKernels& row, std::size_t width, std::size_t lanes, Extent extent,
                     const Visit& visit);

/// The bytes of a vector of a table's target.
std::size_t VectorBytes(const kernels::KernelTable& table);

/// Visits layouts of whole operators, by the kernels in use: each kind of schedule.
void VisitOperators(DType dtype, Extent extent, const Visit& visit);

}  // namespace supremum::test

#endif  // SUPREMUM_VERIFICATION_MOVEMENT_PRIMITIVES_H_
