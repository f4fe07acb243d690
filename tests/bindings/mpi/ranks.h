// What tests that mpirun starts several times have in common: each rank runs every test.
#ifndef SUPREMUM_TESTS_BINDINGS_MPI_RANKS_H_
#define SUPREMUM_TESTS_BINDINGS_MPI_RANKS_H_

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "supremum/mpi.h"
#include "supremum/result.h"
#include "supremum/tensor_view.h"

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

/// Every rank has the error of one, and nothing is written anywhere.
inline void ExpectOnEveryRank(const Result<void>& done, ErrorCode code,
                              const std::vector<std::string>& parts) {
  ASSERT_FALSE(done) << "rank " << OwnRank();
  EXPECT_EQ(done.error().code, code) << done.error().message;
  for (const std::string& part : parts)
    EXPECT_NE(done.error().message.find(part), std::string::npos) << done.error().message;
}

/// The part of a view that a rank holds when dimension `split` is dealt out in blocks. The view shows `shape`
/// and `strides`, which it fills.
inline TensorView SlabOf(const TensorView& whole, std::size_t split, mpi::Block block, Shape* shape,
                         Shape* strides) {
  *shape = *Shape::FromSpan(whole.shape);
  *strides = whole.strides.empty() ? RowMajorStrides(whole.shape) : *Shape::FromSpan(whole.strides);
  (*shape)[split] = block.size;
  const std::int64_t offset =
      block.begin * (*strides)[split] * static_cast<std::int64_t>(ByteWidth(whole.dtype));
  return {whole.dtype, *shape, *strides, static_cast<const std::byte*>(whole.data) + offset};
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_BINDINGS_MPI_RANKS_H_
