// What the ranks of a collective call must agree on before anything is sent.
#ifndef SUPREMUM_SRC_BINDINGS_MPI_SAME_H_
#define SUPREMUM_SRC_BINDINGS_MPI_SAME_H_

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "supremum/result.h"
#include "supremum/tensor_view.h"

namespace supremum::mpi {

/// A type and a shape as numbers of one length, for messages: type, rank, extents, zeros.
inline constexpr std::size_t kDescription = 2 + kMaxRank;

/// Appends the description of a view to `numbers`. Requires: at most kMaxRank extents.
void Describe(const TensorView& view, std::vector<std::int64_t>* numbers);

/// The type and the shape that `numbers` describe; the shape refers to `numbers`.
TensorView Described(std::span<const std::int64_t> numbers);

/// Success if the type and the shape are the same on all ranks, otherwise kTypeMismatch or kInvalidArgument
/// on all, naming a rank that differs from rank 0. Collective.
Result<void> CheckSameView(MPI_Comm comm, const TensorView& view, std::string_view what);

/// The numbers that rank 0 has. Collective; each rank has as many.
Result<std::vector<std::int64_t>> NumbersOfRank0(MPI_Comm comm, std::span<const std::int64_t> numbers);

}  // namespace supremum::mpi

#endif  // SUPREMUM_SRC_BINDINGS_MPI_SAME_H_
