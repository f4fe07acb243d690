// The memory in which a rank's part of a result is computed and joined.
#ifndef SUPREMUM_SRC_BINDINGS_MPI_JOINED_OUTPUT_H_
#define SUPREMUM_SRC_BINDINGS_MPI_JOINED_OUTPUT_H_

#include <cstddef>
#include <optional>
#include <span>

#include "supremum/reduce_max.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor.h"
#include "supremum/tensor_view.h"

namespace supremum::mpi {

/// The output itself if it is row-major without gaps, otherwise memory that is copied to it at the end.
class JoinedOutput {
 public:
  /// For an output that the checks of the operator accept. Errors: kOutOfMemory.
  Result<void> Prepare(MutableTensorView output);

  /// Allocates memory; there is no output. Errors: those of Tensor::Create.
  Result<void> Allocate(DType dtype, const Shape& shape);

  /// Where to compute, row-major without gaps.
  MutableTensorView View();
  std::span<std::byte> Bytes();

  /// Copies the joined result to the output.
  void Finish();

 private:
  MutableTensorView output_;
  std::optional<Tensor> tensor_;
  std::optional<ReduceMaxPlan> copy_;
};

}  // namespace supremum::mpi

#endif  // SUPREMUM_SRC_BINDINGS_MPI_JOINED_OUTPUT_H_
