// libsupremum_mpi_preload.so: MPI_MAX of floats and doubles becomes Join in the collective calls of a program
// that was compiled without supremum (LD_PRELOAD).
//
// Each function is defined under two names, MPI_X and PMPI_X: Open MPI's Fortran functions and profiling
// tools call the latter. The next definition of PMPI_X is that of the MPI library. A call of another
// operation or type is passed on unchanged. MPI 4 has persistent collective calls; in Open MPI 4 their names
// begin with MPIX_.
#include <dlfcn.h>
#include <mpi.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
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

/// The calls of one function in which MPI_MAX was replaced.
struct Counter {
  const char* name;  // PMPI_Reduce
  std::atomic<long> calls = 0;
  Counter* next = nullptr;
};

/// With SUPREMUM_MPI_REPORT=1, writes a line at the end of a process that has called MPI_Init.
class Report {
 public:
  void Add(Counter& counter) {
    counter.next = first_;
    while (!first_.compare_exchange_weak(counter.next, &counter)) {
    }
  }
  void set_rank(int rank) { rank_ = rank; }
  ~Report() {
    const char* const wanted = std::getenv("SUPREMUM_MPI_REPORT");
    int initialised = 0;
    PMPI_Initialized(&initialised);
    if (wanted == nullptr || std::string(wanted) != "1" || initialised == 0) return;
    long calls = 0;
    std::string text;
    for (const Counter* counter = first_; counter != nullptr; counter = counter->next) {
      if (counter->calls == 0) continue;
      calls += counter->calls;
      text += (text.empty() ? ": " : ", ") + std::string(counter->name + 1) + " " +
              std::to_string(counter->calls);
    }
    const std::string rank = rank_ < 0 ? "" : "rank " + std::to_string(rank_) + ": ";
    std::fprintf(stderr, "supremum: %sMPI_MAX became Join in %ld calls%s\n", rank.c_str(), calls,
                 text.c_str());
  }

 private:
  std::atomic<Counter*> first_ = nullptr;
  std::atomic<int> rank_ = -1;
};

Report report;

/// Sets `op` to Join of a type, which is created once and lives until the process ends. Returns MPI's status.
int UseJoin(DType dtype, MPI_Op* op) {
  static std::array<MPI_Op, 2> joins = {MPI_OP_NULL, MPI_OP_NULL};
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  MPI_Op& join = joins[dtype == DType::kFloat32 ? 0 : 1];
  if (join == MPI_OP_NULL) {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    report.set_rank(rank);
    if (const int status = CreateJoin(dtype, &join); status != MPI_SUCCESS) return status;
  }
  *op = join;
  return MPI_SUCCESS;
}

/// One of MPI's functions. `Count` is one count, or an array of counts.
template <class Count, class... Rest>
class Collective {
 public:
  using Function = int(const void*, void*, Count, MPI_Datatype, MPI_Op, Rest...);

  Collective(Function*, const char* name) : counter_{name} {
    void* next = dlsym(RTLD_NEXT, name);
    if (next == nullptr) next = dlsym(RTLD_NEXT, (std::string("PMPIX_") + (name + 5)).c_str());
    next_ = reinterpret_cast<Function*>(next);
    if (next == nullptr) {
      std::fprintf(stderr, "supremum: the MPI library of this program has no function %s\n", name);
      std::abort();
    }
    report.Add(counter_);
  }

  int operator()(const void* in, void* out, Count count, MPI_Datatype type, MPI_Op op, Rest... rest) {
    const std::optional<DType> floats = op == MPI_MAX ? FloatsOf(type) : std::nullopt;
    if (floats) {
      if (const int status = UseJoin(*floats, &op); status != MPI_SUCCESS) return status;
      ++counter_.calls;
    }
    return next_(in, out, count, type, op, rest...);
  }

 private:
  Counter counter_;
  Function* next_;
};

}  // namespace
}  // namespace supremum::mpi

using supremum::mpi::Collective;

// NOLINTBEGIN(readability-identifier-naming): MPI's names
extern "C" {
#pragma GCC visibility push(default)  // MPI's header does not declare all of them

int MPI_Reduce(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  static Collective own(MPI_Reduce, "PMPI_Reduce");
  return own(in, out, n, type, op, root, comm);
}
decltype(MPI_Reduce) PMPI_Reduce [[gnu::alias("MPI_Reduce")]];

int MPI_Ireduce(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                MPI_Request* request) {
  static Collective own(MPI_Ireduce, "PMPI_Ireduce");
  return own(in, out, n, type, op, root, comm, request);
}
decltype(MPI_Ireduce) PMPI_Ireduce [[gnu::alias("MPI_Ireduce")]];

int MPI_Reduce_init(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                    MPI_Info info, MPI_Request* request) {
  static Collective own(MPI_Reduce_init, "PMPI_Reduce_init");
  return own(in, out, n, type, op, root, comm, info, request);
}
decltype(MPI_Reduce_init) PMPI_Reduce_init [[gnu::alias("MPI_Reduce_init")]];
decltype(MPI_Reduce_init) MPIX_Reduce_init [[gnu::alias("MPI_Reduce_init")]];
decltype(MPI_Reduce_init) PMPIX_Reduce_init [[gnu::alias("MPI_Reduce_init")]];

int MPI_Allreduce(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  static Collective own(MPI_Allreduce, "PMPI_Allreduce");
  return own(in, out, n, type, op, comm);
}
decltype(MPI_Allreduce) PMPI_Allreduce [[gnu::alias("MPI_Allreduce")]];

int MPI_Iallreduce(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  static Collective own(MPI_Iallreduce, "PMPI_Iallreduce");
  return own(in, out, n, type, op, comm, request);
}
decltype(MPI_Iallreduce) PMPI_Iallreduce [[gnu::alias("MPI_Iallreduce")]];

int MPI_Allreduce_init(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                       MPI_Info info, MPI_Request* request) {
  static Collective own(MPI_Allreduce_init, "PMPI_Allreduce_init");
  return own(in, out, n, type, op, comm, info, request);
}
decltype(MPI_Allreduce_init) PMPI_Allreduce_init [[gnu::alias("MPI_Allreduce_init")]];
decltype(MPI_Allreduce_init) MPIX_Allreduce_init [[gnu::alias("MPI_Allreduce_init")]];
decltype(MPI_Allreduce_init) PMPIX_Allreduce_init [[gnu::alias("MPI_Allreduce_init")]];

int MPI_Reduce_scatter(const void* in, void* out, const int n[], MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm) {
  static Collective own(MPI_Reduce_scatter, "PMPI_Reduce_scatter");
  return own(in, out, n, type, op, comm);
}
decltype(MPI_Reduce_scatter) PMPI_Reduce_scatter [[gnu::alias("MPI_Reduce_scatter")]];

int MPI_Ireduce_scatter(const void* in, void* out, const int n[], MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                        MPI_Request* request) {
  static Collective own(MPI_Ireduce_scatter, "PMPI_Ireduce_scatter");
  return own(in, out, n, type, op, comm, request);
}
decltype(MPI_Ireduce_scatter) PMPI_Ireduce_scatter [[gnu::alias("MPI_Ireduce_scatter")]];

int MPI_Reduce_scatter_init(const void* in, void* out, const int n[], MPI_Datatype type, MPI_Op op,
                            MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  static Collective own(MPI_Reduce_scatter_init, "PMPI_Reduce_scatter_init");
  return own(in, out, n, type, op, comm, info, request);
}
decltype(MPI_Reduce_scatter_init) PMPI_Reduce_scatter_init [[gnu::alias("MPI_Reduce_scatter_init")]];
decltype(MPI_Reduce_scatter_init) MPIX_Reduce_scatter_init [[gnu::alias("MPI_Reduce_scatter_init")]];
decltype(MPI_Reduce_scatter_init) PMPIX_Reduce_scatter_init [[gnu::alias("MPI_Reduce_scatter_init")]];

int MPI_Reduce_scatter_block(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  static Collective own(MPI_Reduce_scatter_block, "PMPI_Reduce_scatter_block");
  return own(in, out, n, type, op, comm);
}
decltype(MPI_Reduce_scatter_block) PMPI_Reduce_scatter_block [[gnu::alias("MPI_Reduce_scatter_block")]];

int MPI_Ireduce_scatter_block(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                              MPI_Request* request) {
  static Collective own(MPI_Ireduce_scatter_block, "PMPI_Ireduce_scatter_block");
  return own(in, out, n, type, op, comm, request);
}
decltype(MPI_Ireduce_scatter_block) PMPI_Ireduce_scatter_block [[gnu::alias("MPI_Ireduce_scatter_block")]];

int MPI_Reduce_scatter_block_init(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op,
                                  MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  static Collective own(MPI_Reduce_scatter_block_init, "PMPI_Reduce_scatter_block_init");
  return own(in, out, n, type, op, comm, info, request);
}
decltype(MPI_Reduce_scatter_block_init) PMPI_Reduce_scatter_block_init
    [[gnu::alias("MPI_Reduce_scatter_block_init")]];
decltype(MPI_Reduce_scatter_block_init) MPIX_Reduce_scatter_block_init
    [[gnu::alias("MPI_Reduce_scatter_block_init")]];
decltype(MPI_Reduce_scatter_block_init) PMPIX_Reduce_scatter_block_init
    [[gnu::alias("MPI_Reduce_scatter_block_init")]];

int MPI_Scan(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  static Collective own(MPI_Scan, "PMPI_Scan");
  return own(in, out, n, type, op, comm);
}
decltype(MPI_Scan) PMPI_Scan [[gnu::alias("MPI_Scan")]];

int MPI_Iscan(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
              MPI_Request* request) {
  static Collective own(MPI_Iscan, "PMPI_Iscan");
  return own(in, out, n, type, op, comm, request);
}
decltype(MPI_Iscan) PMPI_Iscan [[gnu::alias("MPI_Iscan")]];

int MPI_Scan_init(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                  MPI_Info info, MPI_Request* request) {
  static Collective own(MPI_Scan_init, "PMPI_Scan_init");
  return own(in, out, n, type, op, comm, info, request);
}
decltype(MPI_Scan_init) PMPI_Scan_init [[gnu::alias("MPI_Scan_init")]];
decltype(MPI_Scan_init) MPIX_Scan_init [[gnu::alias("MPI_Scan_init")]];
decltype(MPI_Scan_init) PMPIX_Scan_init [[gnu::alias("MPI_Scan_init")]];

int MPI_Exscan(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  static Collective own(MPI_Exscan, "PMPI_Exscan");
  return own(in, out, n, type, op, comm);
}
decltype(MPI_Exscan) PMPI_Exscan [[gnu::alias("MPI_Exscan")]];

int MPI_Iexscan(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                MPI_Request* request) {
  static Collective own(MPI_Iexscan, "PMPI_Iexscan");
  return own(in, out, n, type, op, comm, request);
}
decltype(MPI_Iexscan) PMPI_Iexscan [[gnu::alias("MPI_Iexscan")]];

int MPI_Exscan_init(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                    MPI_Info info, MPI_Request* request) {
  static Collective own(MPI_Exscan_init, "PMPI_Exscan_init");
  return own(in, out, n, type, op, comm, info, request);
}
decltype(MPI_Exscan_init) PMPI_Exscan_init [[gnu::alias("MPI_Exscan_init")]];
decltype(MPI_Exscan_init) MPIX_Exscan_init [[gnu::alias("MPI_Exscan_init")]];
decltype(MPI_Exscan_init) PMPIX_Exscan_init [[gnu::alias("MPI_Exscan_init")]];

#pragma GCC visibility pop
}  // extern "C"
// NOLINTEND(readability-identifier-naming)
