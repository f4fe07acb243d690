#include <optional>

#include "bindings/c/dl_operands.h"
#include "bindings/mpi/join.h"
#include "supremum/mpi_c.h"

int supremum_mpi_join_op(DLDataType dtype, MPI_Op* op) {
  const std::optional<supremum::DType> type = supremum::capi::DTypeOf(dtype);
  if (!type) return MPI_ERR_TYPE;
  if (op == nullptr) return MPI_ERR_ARG;
  return supremum::mpi::CreateJoin(*type, op);
}
