#include "bindings/mpi/join.h"

#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "core/operand_errors.h"
#include "kernels/kernels.h"
#include "supremum/mpi.h"

namespace supremum::mpi {
namespace {

// inout[i] = Join(in[i], inout[i]), where an element of the datatype is one element of kType or several. MPI
// may call it with any part of a message, and it cannot return an error.
template <DType kType>
void JoinRows(void* in, void* inout, int* count, MPI_Datatype* datatype) {
  constexpr auto kWidth = static_cast<std::ptrdiff_t>(ByteWidth(kType));
  MPI_Count bytes = 0;  // an int does not hold that of a contiguous datatype of 2 GiB
  PMPI_Type_size_x(*datatype, &bytes);
  const std::size_t n = static_cast<std::size_t>(*count) * static_cast<std::size_t>(bytes) / ByteWidth(kType);
  const kernels::MutableRow to{static_cast<std::byte*>(inout), kWidth};
  const kernels::Row from{static_cast<const std::byte*>(in), kWidth};
  kernels::ActiveKernels().For(kType).join(from, to, to, n);
}

template <std::size_t... kPlaces>
constexpr std::array<MPI_User_function*, sizeof...(kPlaces)> AllJoinRows(std::index_sequence<kPlaces...>) {
  return {JoinRows<kAllDTypes[kPlaces]>...};
}

constexpr auto kJoinRows = AllJoinRows(std::make_index_sequence<kAllDTypes.size()>());

}  // namespace

int CreateJoin(DType dtype, MPI_Op* op) noexcept {
  constexpr int kCommutes = 1;  // ORD-5
  return MPI_Op_create(kJoinRows[static_cast<std::size_t>(dtype)], kCommutes, op);
}

Result<MPI_Op> JoinOp(DType dtype) {
  if (!IsValid(dtype)) return NoSuchTypeError(dtype);
  MPI_Op op = MPI_OP_NULL;
  const int status = CreateJoin(dtype, &op);
  if (status == MPI_SUCCESS) return op;
  std::array<char, MPI_MAX_ERROR_STRING> text = {};
  int length = 0;
  MPI_Error_string(status, text.data(), &length);
  return MakeError(ErrorCode::kIo, std::string("MPI_Op_create: MPI says ") + text.data());
}

}  // namespace supremum::mpi
