// Helpers for the tests that mpirun starts once for each rank; each rank runs every test.
#ifndef SUPREMUM_TESTS_BINDINGS_MPI_RANKS_H_
#define SUPREMUM_TESTS_BINDINGS_MPI_RANKS_H_

#include <mpi.h>

#include "supremum/dtype.h"
#include "supremum/mpi.h"

namespace supremum::test {

inline int RankCount() {
  int count = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  return count;
}

inline int OwnRank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/// The unsigned integer of MPI that has as many bits as an element.
inline MPI_Datatype BitsOf(DType dtype) {
  switch (ByteWidth(dtype)) {
    case 1:
      return MPI_UINT8_T;
    case 2:
      return MPI_UINT16_T;
    case 4:
      return MPI_UINT32_T;
    default:
      return MPI_UINT64_T;
  }
}

/// The operation of an element type, freed at the end of a test.
class OwnedJoin {
 public:
  explicit OwnedJoin(DType dtype) : op_(mpi::JoinOp(dtype).value()) {}
  OwnedJoin(const OwnedJoin&) = delete;
  OwnedJoin& operator=(const OwnedJoin&) = delete;
  ~OwnedJoin() { MPI_Op_free(&op_); }

  MPI_Op op() const { return op_; }

 private:
  MPI_Op op_;
};

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_BINDINGS_MPI_RANKS_H_
