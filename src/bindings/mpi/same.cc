#include "bindings/mpi/same.h"

#include <string>

#include "bindings/mpi/status.h"
#include "core/operand_errors.h"
#include "supremum/mpi.h"

namespace supremum::mpi {

void Describe(const TensorView& view, std::vector<std::int64_t>* numbers) {
  const std::size_t end = numbers->size() + kDescription;
  numbers->push_back(static_cast<std::int64_t>(view.dtype));
  numbers->push_back(static_cast<std::int64_t>(view.shape.size()));
  numbers->insert(numbers->end(), view.shape.begin(), view.shape.end());
  numbers->resize(end, 0);
}

TensorView Described(std::span<const std::int64_t> numbers) {
  TensorView view;
  view.dtype = static_cast<DType>(numbers[0]);
  view.shape = numbers.subspan(2, static_cast<std::size_t>(numbers[1]));
  return view;
}

Result<std::vector<std::int64_t>> NumbersOfRank0(MPI_Comm comm, std::span<const std::int64_t> numbers) {
  std::vector<std::int64_t> first(numbers.begin(), numbers.end());
  if (Result<void> done =
          Done(MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_INT64_T, 0, comm), "MPI_Bcast");
      !done) {
    return done.error();
  }
  return first;
}

Result<void> CheckSameView(MPI_Comm comm, const TensorView& view, std::string_view what) {
  std::vector<std::int64_t> numbers;
  Describe(view, &numbers);
  const Result<std::vector<std::int64_t>> numbers_of_first = NumbersOfRank0(comm, numbers);
  if (!numbers_of_first) return numbers_of_first.error();
  const TensorView first = Described(*numbers_of_first);
  Result<void> same;
  if (first.dtype != view.dtype) {
    same = TypeMismatchError(std::string(what) + " of this rank", Name(view.dtype), "that of rank 0",
                             Name(first.dtype));
  } else if (!SameDims(first.shape, view.shape)) {
    same = MakeError(ErrorCode::kInvalidArgument,
                     std::string(what) + " of this rank have shape " + ToString(view.shape) +
                         " and those of rank 0 " + ToString(first.shape) + "; give all ranks the same shape");
  }
  return Agree(comm, same);
}

}  // namespace supremum::mpi
