// libsupremum_mpi_preload.so: MPI_MAX of floats and doubles becomes Join in the collective calls of a program
// that was compiled without supremum (LD_PRELOAD).
//
// The linker gives each function the name PMPI_X too, which Open MPI's Fortran functions and profiling tools
// call. The next definition of PMPI_X is that of the MPI library. A call of another operation or type
// is passed on unchanged. MPI 4 has persistent collective calls; in Open MPI 4 their names begin with MPIX_.
#include <dlfcn.h>
#include <mpi.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>

#include "bindings/mpi/join.h"

namespace supremum::mpi {
namespace {

/// float32 or float64 if the elements of a datatype are these, without gaps: MPI_FLOAT, MPI_DOUBLE, Fortran's
/// real types, and what MPI_Type_contiguous and MPI_Type_dup make of them.
std::optional<DType> FloatsOf(MPI_Datatype type) {
  if (type == MPI_FLOAT) return DType::kFloat32;
  if (type == MPI_DOUBLE) return DType::kFloat64;
  if (type == MPI_DATATYPE_NULL) return std::nullopt;
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  if (combiner == MPI_COMBINER_DUP || combiner == MPI_COMBINER_CONTIGUOUS) {
    int count = 0;
    MPI_Aint address = 0;
    MPI_Datatype inner = MPI_DATATYPE_NULL;
    PMPI_Type_get_contents(type, integers, 0, 1, &count, &address, &inner);
    const std::optional<DType> floats = FloatsOf(inner);
    PMPI_Type_get_envelope(inner, &integers, &addresses, &types, &combiner);
    if (types != 0) PMPI_Type_free(&inner);  // a derived type, of which the call above made a handle
    return floats;
  }
  const bool named =
      type == MPI_REAL || type == MPI_DOUBLE_PRECISION || type == MPI_REAL4 || type == MPI_REAL8;
  if (!named && combiner != MPI_COMBINER_F90_REAL) return std::nullopt;
  int bytes = 0;  // the Fortran compiler's options set the width of REAL
  PMPI_Type_size(type, &bytes);
  if (bytes == 4) return DType::kFloat32;
  return bytes == 8 ? std::optional(DType::kFloat64) : std::nullopt;
}

/// With SUPREMUM_MPI_REPORT=1, writes a line at the end of a process that has used MPI.
struct Report {
  std::atomic<long> calls = 0;
  std::atomic<int> rank = -1;  // known from the first such call on, unless the program uses sessions alone

  ~Report() {
    const char* const wanted = std::getenv("SUPREMUM_MPI_REPORT");
    int initialised = 0;
    PMPI_Initialized(&initialised);
    if (wanted == nullptr || std::strcmp(wanted, "1") != 0 || (initialised == 0 && calls == 0)) return;
    std::fprintf(stderr, "supremum: rank %d: MPI_MAX became Join in %ld calls\n", rank.load(), calls.load());
  }
};

Report report;

/// Sets `op` to Join of a type, which is created once and lives until the process ends. Returns MPI's status.
int UseJoin(DType dtype, MPI_Op* op) {
  static std::array<std::atomic<MPI_Op>, 2> joins = {MPI_OP_NULL, MPI_OP_NULL};
  static std::mutex mutex;
  std::atomic<MPI_Op>& join = joins[dtype == DType::kFloat32 ? 0 : 1];
  if (*op = join; *op != MPI_OP_NULL) return MPI_SUCCESS;
  const std::lock_guard lock(mutex);
  if (*op = join; *op == MPI_OP_NULL) {
    int rank = -1, initialised = 0;
    PMPI_Initialized(&initialised);
    if (initialised != 0) PMPI_Comm_rank(MPI_COMM_WORLD, &rank);  // sessions have no MPI_COMM_WORLD
    report.rank = rank;
    if (const int status = CreateJoin(dtype, op); status != MPI_SUCCESS) return status;
    join = *op;
  }
  return MPI_SUCCESS;
}

/// The definition of PMPI_X behind ours; ends the process if there is none.
void* NextOf(const char* name) {
  void* next = dlsym(RTLD_NEXT, name);
  if (next == nullptr)
    next = dlsym(RTLD_NEXT, (std::string("PMPIX_") + (name + std::strlen("PMPI_"))).c_str());
  if (next != nullptr) return next;
  std::fprintf(stderr, "supremum: the MPI library of this program has no function %s\n", name);
  std::abort();
}

/// Calls the MPI library's kFunction, with Join in place of MPI_MAX of floats. `n` is a count or an array of
/// counts.
template <auto kFunction, class Count, class... Rest>
int Call(const char* name, const void* in, void* out, Count n, MPI_Datatype type, MPI_Op op, Rest... rest) {
  static const auto next = reinterpret_cast<decltype(kFunction)>(NextOf(name));
  if (const std::optional<DType> floats = op == MPI_MAX ? FloatsOf(type) : std::nullopt) {
    if (const int status = UseJoin(*floats, &op); status != MPI_SUCCESS) return status;
    ++report.calls;
  }
  return next(in, out, n, type, op, rest...);
}

}  // namespace
}  // namespace supremum::mpi

using supremum::mpi::Call;

// NOLINTBEGIN(readability-identifier-naming): MPI's names
extern "C" {
#pragma GCC visibility push(default)  // MPI's header does not declare all of them

int MPI_Reduce(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  return Call<MPI_Reduce>("PMPI_Reduce", in, out, n, type, op, root, comm);
}
int MPI_Ireduce(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                MPI_Request* request) {
  return Call<MPI_Ireduce>("PMPI_Ireduce", in, out, n, type, op, root, comm, request);
}
int MPI_Reduce_init(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                    MPI_Info info, MPI_Request* request) {
  return Call<MPI_Reduce_init>("PMPI_Reduce_init", in, out, n, type, op, root, comm, info, request);
}

int MPI_Allreduce(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return Call<MPI_Allreduce>("PMPI_Allreduce", in, out, n, type, op, comm);
}
int MPI_Iallreduce(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  return Call<MPI_Iallreduce>("PMPI_Iallreduce", in, out, n, type, op, comm, request);
}
int MPI_Allreduce_init(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                       MPI_Info info, MPI_Request* request) {
  return Call<MPI_Allreduce_init>("PMPI_Allreduce_init", in, out, n, type, op, comm, info, request);
}

int MPI_Reduce_scatter(const void* in, void* out, const int n[], MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm) {
  return Call<MPI_Reduce_scatter>("PMPI_Reduce_scatter", in, out, n, type, op, comm);
}
int MPI_Ireduce_scatter(const void* in, void* out, const int n[], MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                        MPI_Request* request) {
  return Call<MPI_Ireduce_scatter>("PMPI_Ireduce_scatter", in, out, n, type, op, comm, request);
}
int MPI_Reduce_scatter_init(const void* in, void* out, const int n[], MPI_Datatype type, MPI_Op op,
                            MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return Call<MPI_Reduce_scatter_init>("PMPI_Reduce_scatter_init", in, out, n, type, op, comm, info, request);
}

int MPI_Reduce_scatter_block(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return Call<MPI_Reduce_scatter_block>("PMPI_Reduce_scatter_block", in, out, n, type, op, comm);
}
int MPI_Ireduce_scatter_block(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                              MPI_Request* request) {
  return Call<MPI_Ireduce_scatter_block>("PMPI_Ireduce_scatter_block", in, out, n, type, op, comm, request);
}
int MPI_Reduce_scatter_block_init(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op,
                                  MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return Call<MPI_Reduce_scatter_block_init>("PMPI_Reduce_scatter_block_init", in, out, n, type, op, comm,
                                             info, request);
}

int MPI_Scan(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return Call<MPI_Scan>("PMPI_Scan", in, out, n, type, op, comm);
}
int MPI_Iscan(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
              MPI_Request* request) {
  return Call<MPI_Iscan>("PMPI_Iscan", in, out, n, type, op, comm, request);
}
int MPI_Scan_init(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                  MPI_Info info, MPI_Request* request) {
  return Call<MPI_Scan_init>("PMPI_Scan_init", in, out, n, type, op, comm, info, request);
}

int MPI_Exscan(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return Call<MPI_Exscan>("PMPI_Exscan", in, out, n, type, op, comm);
}
int MPI_Iexscan(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                MPI_Request* request) {
  return Call<MPI_Iexscan>("PMPI_Iexscan", in, out, n, type, op, comm, request);
}
int MPI_Exscan_init(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                    MPI_Info info, MPI_Request* request) {
  return Call<MPI_Exscan_init>("PMPI_Exscan_init", in, out, n, type, op, comm, info, request);
}

#pragma GCC visibility pop
}  // extern "C"
// NOLINTEND(readability-identifier-naming)
