// Max and ReduceMax over the processes (ranks) of an MPI program.
//
// The reduction is a commutative MPI operation with Join of the element type (docs/semantics.md, section 1).
// Join is commutative and associative in every bit (ORD-5): for every reduction tree of the MPI library and
// every number of ranks, the result has the bits of one process.
//
// Requires MPI and the CMake target supremum::mpi. Every function except BlockOf is collective: each rank of
// the communicator calls it, and either all return success or all return an error.
#ifndef SUPREMUM_MPI_H_
#define SUPREMUM_MPI_H_

#include <mpi.h>

#include <cstdint>
#include <span>

#include "supremum/dtype.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor_view.h"

namespace supremum::mpi {

struct Options {
  /// Maximum number of bytes that one collective call moves, rounded up to one element for each rank, since
  /// MPI counts with an int. The number changes no bit.
  ///
  /// Requires: at least 1, the same on every rank.
  std::int64_t max_message_bytes = std::int64_t{1} << 28;
};

/// The MPI operation Join of an element type, for the caller's own collectives, and the MPI datatype of its
/// elements' bits.
///
///   (a op b)[i] = Join(a[i], b[i])   (ORD-1..4)
///
/// in the order of section 1 of docs/semantics.md; commutative. MPI does not call the operation if there is
/// only one operand. So MPI_Reduce on one rank does not make a NaN canonical, or a bool other than 0 and 1;
/// Max of one input (ORD-4), AllJoin and the functions below do.
///
/// Requires: MPI is initialised, and is not finalised before the Join is destroyed.
/// Cost: elements are joined by the kernels that Max uses, in place; no allocation.
///
///   Result<Join> join = Join::Create(DType::kFloat32);
///   if (!join) return join.error();
///   MPI_Reduce(x, y, n, join->datatype(), join->op(), 0, comm);
class Join {
 public:
  /// Not collective.
  ///
  /// Errors: kTypeNotAdmitted if !IsValid(dtype); kIo for an error of MPI.
  static Result<Join> Create(DType dtype);

  Join(Join&& other) noexcept;
  Join& operator=(Join&& other) noexcept;
  ~Join();

  MPI_Op op() const { return op_; }
  MPI_Datatype datatype() const { return datatype_; }

 private:
  Join(MPI_Op op, MPI_Datatype datatype) : op_(op), datatype_(datatype) {}

  MPI_Op op_;
  MPI_Datatype datatype_;
};

/// Success on every rank if `mine` is success on every rank; otherwise, on every rank, the error of the
/// lowest rank that has one, with "rank R: " before the details of its message if another rank has none.
///
/// Errors: that one; kIo for an error of MPI.
/// Cost: one reduction of an int; on an error, two broadcasts.
///
///   if (Result<void> all = Agree(comm, ReadMyPart()); !all) return all;   // all ranks return, or none does
Result<void> Agree(MPI_Comm comm, const Result<void>& mine);

/// values[i] := max over the ranks of values[i], on every rank; canonical for one rank too (ORD-4).
///
/// Requires: `values` is row-major without gaps (no strides are stated), of one type and shape on all ranks.
/// Ensures: on an error of the arguments nothing is written; after an error of MPI `values` are unspecified.
/// Errors: kInvalidArgument for null data, strides, or ranks that differ in shape; kTypeMismatch (TYP-2);
///   kTypeNotAdmitted; kRank, kInvalidShape; kIo for an error of MPI.
/// Cost: each rank sends and receives at most about 2 (K-1)/K times the bytes of `values`, for K ranks and
///   long messages; in place, except for memory that MPI allocates.
///
///   const Shape shape{n};
///   AllJoin(MPI_COMM_WORLD, MutableTensorView::Of(largest, shape));
Result<void> AllJoin(MPI_Comm comm, MutableTensorView values, const Options& options = {});

/// A contiguous range of indices, the share of one rank: `size` of them, the first is `begin`.
struct Block {
  std::int64_t begin = 0;
  std::int64_t size = 0;
};

/// The block of rank `rank` of `count` indices: two sizes differ by at most 1, and the longer blocks are
/// first.
///
///   BlockOf(10, 4, 1);   // {3, 3}: the sizes are 3, 3, 2, 2
///
/// Requires: count >= 0, 0 <= rank < ranks.
constexpr Block BlockOf(std::int64_t count, int ranks, int rank) {
  const std::int64_t least = count / ranks, longer = count % ranks;
  return {rank * least + (rank < longer ? rank : longer), least + (rank < longer ? 1 : 0)};
}

/// block[i] = max over the ranks of values[begin + i], where `values` is seen as a row of n elements and
/// BlockOf(n, ranks, rank) is this rank's block of it: the result of AllJoin, each part on one rank only.
///
/// Requires: as AllJoin; `block` has room for the block's elements and shares no memory with `values`.
/// Errors: those of AllJoin; kOutputShapeMismatch, E2, where `block` has another size.
/// Cost: each rank sends and receives at most about (K-1)/K times the bytes of `values`; one copy of a
///   message.
///
///   std::vector<float> mine(static_cast<std::size_t>(BlockOf(n, ranks, rank).size));
///   const Shape shape{n};
///   ScatterJoin(comm, TensorView::Of(x, shape), std::as_writable_bytes(std::span(mine)));
Result<void> ScatterJoin(MPI_Comm comm, const TensorView& values, std::span<std::byte> block,
                         const Options& options = {});

/// The shape of the output of AllMax, on every rank: what to allocate before the call. Data pointers are not
/// read.
///
/// Errors: those of AllMax that concern the number, types, ranks and shapes of inputs.
/// Cost: one gather of 536 bytes from each rank.
Result<Shape> AllMaxOutputShape(MPI_Comm comm, std::span<const TensorView> inputs,
                                const MaxOptions& max_options = {});

/// The element-wise maximum of the inputs of all ranks, broadcast to their common shape, on every rank.
///
///   output[i] = max over the ranks r and the inputs m of r of z_rm[i],
///   z_rm = input m of rank r broadcast to shape(output)   (MAX-2, BRO-5)
///
/// The result has the bits of Max of the inputs of rank 0, then those of rank 1, and so on. A rank may have
/// no inputs if another rank has one.
///
/// Requires: as Max, on each rank; every rank states the same options (their names may differ).
/// Ensures: on an error of the arguments nothing is written on any rank.
/// Errors: those of Max, where E1, TYP-2 and PRO-6 name two ranks if the inputs of different ranks violate
///   the rule; kInvalidArgument if options differ; kIo for an error of MPI.
/// Cost: that of Max for the rank's own inputs, and of AllJoin for the output; memory of the output's size if
///   it is not row-major without gaps.
///
///   const TensorView own[] = {TensorView::Of(x, shape)};   // each rank has its own x
///   Result<void> done = AllMax(MPI_COMM_WORLD, own, MutableTensorView::Of(y, shape));
Result<void> AllMax(MPI_Comm comm, std::span<const TensorView> inputs, MutableTensorView output,
                    const MaxOptions& max_options = {}, const Options& options = {});

/// The result of AllMax, each part on one rank only: block[i] is element begin + i of AllMax's output, seen
/// as a row of n elements, where BlockOf(n, ranks, rank) is this rank's block of it.
///
/// Requires, Ensures: as AllMax; `block` shares no memory with the inputs.
/// Errors: those of AllMax; kOutputShapeMismatch, E2, where `block` has another size; kOutOfMemory.
/// Cost: that of Max for the rank's own inputs, and of ScatterJoin for the output; memory of the output's
/// size.
///
///   Result<Shape> shape = AllMaxOutputShape(comm, own);
///   std::vector<float> mine(BlockOf(*ElementCount(*shape), ranks, rank).size);
///   ScatterMax(comm, own, std::as_writable_bytes(std::span(mine)));
Result<void> ScatterMax(MPI_Comm comm, std::span<const TensorView> inputs, std::span<std::byte> block,
                        const MaxOptions& max_options = {}, const Options& options = {});

/// A tensor of which each rank has a slab: its shape, and the block of this rank along the split dimension.
struct Whole {
  Shape shape;
  Block block;
};

/// The tensor that is the concatenation of the slabs of rank 0, 1, ... along dimension `split`. The data
/// pointers are not read.
///
/// Errors: kRank, kInvalidShape; kAxis for a `split` outside [-r, r-1] (RED-2); kTypeMismatch (TYP-2) and
///   kInvalidArgument where slabs differ in type, rank, or an extent other than that along `split`;
///   kLimitExceeded for more than 2^63 - 1 elements; kIo for an error of MPI.
/// Cost: two messages of 536 bytes and one of 8 for each rank.
///
///   Result<Whole> whole = WholeOf(comm, slab, 0);   // [2,3] and [5,3]: [7,3]; rank 1 has {2, 5}
Result<Whole> WholeOf(MPI_Comm comm, const TensorView& slab, std::int64_t split);

/// The maximum along some axes of a tensor of which each rank has a slab: the tensor is the concatenation of
/// the slabs of rank 0, 1, ... along dimension `split`.
///
///   output[i] = max over all source[j] with j = i outside the axes   (RED-1)
///
/// If `split` is one of the axes, the axes cross ranks, and every rank gets the whole output. If it is not, a
/// rank gets its slab of the output along `split`, and no element is sent. A slab may have extent 0 along
/// `split`; the maximum over no elements is that of RED-6.
///
/// Requires: as ReduceMax, on each rank; every rank states the same split, axes, keepdims and version.
/// Ensures: on an error of the arguments nothing is written on any rank.
/// Errors: those of ReduceMax; kTypeMismatch (TYP-2) and kInvalidArgument, naming the two ranks, where slabs
///   differ in type, rank, or an extent other than that along `split`, or options differ; kAxis for a `split`
///   outside [-r, r-1] (RED-2); kIo for an error of MPI.
/// Cost: that of ReduceMax for the slab, and of AllJoin for the output where the axes cross ranks.
///
///   // every rank has some rows of a matrix of 3 columns, and gets the maximum of each column
///   const Shape slab{my_rows, 3}, columns{3};
///   AllReduceMax(comm, TensorView::Of(rows, slab), 0, MutableTensorView::Of(y, columns), {.axes = {0}});
Result<void> AllReduceMax(MPI_Comm comm, const TensorView& slab, std::int64_t split, MutableTensorView output,
                          const ReduceMaxOptions& reduce_options = {}, const Options& options = {});

}  // namespace supremum::mpi

#endif  // SUPREMUM_MPI_H_
