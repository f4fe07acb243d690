#include <array>
#include <cstddef>
#include <utility>

#include "bindings/mpi/status.h"
#include "kernels/kernels.h"
#include "supremum/mpi.h"

namespace supremum::mpi {
namespace {

// inout[i] = Join(in[i], inout[i]). MPI may call it with any part of a message, and it cannot return an
// error.
template <DType kType>
void JoinRows(void* in, void* inout, int* count, MPI_Datatype* /*datatype*/) {
  constexpr auto kWidth = static_cast<std::ptrdiff_t>(ByteWidth(kType));
  const kernels::MutableRow to{static_cast<std::byte*>(inout), kWidth};
  const kernels::Row from{static_cast<const std::byte*>(in), kWidth};
  kernels::ActiveKernels().For(kType).join(from, to, to, static_cast<std::size_t>(*count));
}

template <std::size_t... kPlaces>
constexpr std::array<MPI_User_function*, sizeof...(kPlaces)> AllJoinRows(std::index_sequence<kPlaces...>) {
  return {JoinRows<kAllDTypes[kPlaces]>...};
}

constexpr auto kJoinRows = AllJoinRows(std::make_index_sequence<kAllDTypes.size()>());

// An unsigned integer of that width: only the operation interprets the bits.
MPI_Datatype BitsOf(DType dtype) {
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

}  // namespace

Result<Join> Join::Create(DType dtype) {
  if (!IsValid(dtype)) {
    return MakeError(ErrorCode::kTypeNotAdmitted, "the type of a Join is none of the library's types");
  }
  MPI_Op op = MPI_OP_NULL;
  constexpr int kCommutes = 1;  // ORD-5
  if (Result<void> done =
          Done(MPI_Op_create(kJoinRows[static_cast<std::size_t>(dtype)], kCommutes, &op), "MPI_Op_create");
      !done) {
    return done.error();
  }
  return Join(op, BitsOf(dtype));
}

Join::Join(Join&& other) noexcept : op_(std::exchange(other.op_, MPI_OP_NULL)), datatype_(other.datatype_) {}

Join& Join::operator=(Join&& other) noexcept {
  std::swap(op_, other.op_);
  std::swap(datatype_, other.datatype_);
  return *this;
}

Join::~Join() {
  if (op_ != MPI_OP_NULL) MPI_Op_free(&op_);
}

}  // namespace supremum::mpi
