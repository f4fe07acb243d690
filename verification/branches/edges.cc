#include "branches/edges.h"
namespace supremum::test {
void VisitEdges(const kernels::RowKernels&, std::size_t, std::size_t, const Visit&) {}
}
