// AllReduceMax: ReduceMax of a rank's slab by a plan, prepared before the ranks agree to go on; then the
// ranks' results are joined, if the axes cross ranks.
#include "supremum/reduce_max.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/mpi/collectives.h"
#include "bindings/mpi/joined_output.h"
#include "bindings/mpi/same.h"
#include "bindings/mpi/status.h"
#include "core/axes.h"
#include "core/operand_errors.h"
#include "ops/prepare.h"
#include "rules/reduce_max.h"
#include "supremum/mpi.h"

namespace supremum::mpi {
namespace {

// The extent along the split may differ between ranks: there the description has 0.
std::vector<std::int64_t> DescribeAround(const TensorView& slab, std::size_t split) {
  std::vector<std::int64_t> numbers;
  Describe(slab, &numbers);
  numbers[2 + split] = 0;
  numbers.push_back(static_cast<std::int64_t>(split));
  return numbers;
}

std::string TextAround(const TensorView& view, std::size_t split) {
  std::string text = "[";
  for (std::size_t d = 0; d < view.shape.size(); ++d) {
    text += (d > 0 ? "," : "") + (d == split ? std::string("*") : std::to_string(view.shape[d]));
  }
  return text + "]";
}

Result<void> CompareSlabs(std::span<const std::int64_t> mine, std::span<const std::int64_t> first) {
  const TensorView slab = Described(mine), other = Described(first);
  const auto split = static_cast<std::size_t>(mine.back()),
             other_split = static_cast<std::size_t>(first.back());
  if (slab.dtype != other.dtype) {
    return TypeMismatchError("the slab of this rank", Name(slab.dtype), "that of rank 0", Name(other.dtype));
  }
  if (!SameDims(slab.shape, other.shape) || split != other_split) {
    return MakeError(
        ErrorCode::kInvalidArgument,
        "the slab of this rank has shape " + TextAround(slab, split) + " and that of rank 0 " +
            TextAround(other, other_split) +
            "; the slabs of a tensor differ in nothing but their extent along the split, here *");
  }
  return {};
}

Result<std::size_t> ResolveSplit(std::int64_t split, std::size_t rank) {
  if (const std::optional<std::size_t> dimension = DimensionOf(split, rank)) return *dimension;
  return MakeError(ErrorCode::kAxis, "RED-2",
                   rank == 0 ? "a scalar cannot be split along dimension " + std::to_string(split)
                             : "the split is dimension " + std::to_string(split) + ", outside [-" +
                                   std::to_string(rank) + ", " + std::to_string(rank - 1) + "]");
}

// Collective. Requires: the slab's shape is valid and has a dimension `split`.
Result<void> CheckSameSlabs(MPI_Comm comm, const TensorView& slab, std::size_t split) {
  const std::vector<std::int64_t> mine = DescribeAround(slab, split);
  const Result<std::vector<std::int64_t>> first = NumbersOfRank0(comm, mine);
  if (!first) return first.error();
  return Agree(comm, CompareSlabs(mine, *first));
}

struct LocalReduceMax {
  JoinedOutput joined;
  std::optional<ReduceMaxPlan> plan;
  std::size_t split = 0;
  AxisSet reduced;

  Result<void> Prepare(const TensorView& slab, std::int64_t stated_split, MutableTensorView output,
                       const ReduceMaxOptions& options) {
    const Views operands({&slab, 1}, &output, NamesOfReduction(options.source_name, options.output_name));
    const Result<CheckedReduceMax> checked =
        JudgeReduceMax(operands, {options.axes.list(), options.keepdims, options.version});
    if (!checked) return checked.error();
    if (Result<void> ok = operands.CheckMemory(); !ok) return ok;
    const Result<std::size_t> resolved = ResolveSplit(stated_split, slab.shape.size());
    if (!resolved) return resolved.error();
    split = *resolved;
    reduced = checked->reduced;
    const bool joins = reduced.Has(split);
    if (joins) {
      if (Result<void> ok = joined.Prepare(output); !ok) return ok;
    }
    Result<ReduceMaxPlan> into_target =
        PrepareChecked(*checked, slab, joins ? joined.View() : output, options);
    if (!into_target) return into_target.error();
    plan.emplace(*std::move(into_target));
    return {};
  }
};

}  // namespace

Result<Whole> WholeOf(MPI_Comm comm, const TensorView& slab, std::int64_t split) {
  const Result<Ranks> ranks = RanksOf(comm);
  if (!ranks) return ranks.error();
  std::size_t along = 0;
  const auto check = [&]() -> Result<void> {
    const Views views({&slab, 1}, nullptr, {{}, {}, true});
    if (Result<void> ok = views.CheckRanks(); !ok) return ok;
    if (Result<void> ok = views.CheckExtents(); !ok) return ok;
    const Result<std::size_t> resolved = ResolveSplit(split, slab.shape.size());
    if (!resolved) return resolved.error();
    along = *resolved;
    return {};
  };
  if (Result<void> all = Agree(comm, check()); !all) return all.error();
  if (Result<void> same = CheckSameSlabs(comm, slab, along); !same) return same.error();
  const std::int64_t own = slab.shape[along];
  std::vector<std::int64_t> extents(static_cast<std::size_t>(ranks->count));
  if (Result<void> done =
          Done(MPI_Allgather(&own, 1, MPI_INT64_T, extents.data(), 1, MPI_INT64_T, comm), "MPI_Allgather");
      !done) {
    return done.error();
  }
  Whole whole{*Shape::FromSpan(slab.shape), {0, own}};
  std::int64_t sum = 0;
  bool overflow = false;
  for (std::size_t rank = 0; rank < extents.size(); ++rank) {
    if (rank == static_cast<std::size_t>(ranks->mine)) whole.block.begin = sum;
    overflow |= sum > INT64_MAX - extents[rank];
    if (!overflow) sum += extents[rank];
  }
  whole.shape[along] = sum;
  if (overflow || !ElementCount(whole.shape)) {
    return MakeError(ErrorCode::kLimitExceeded,
                     "the slabs of all ranks together have more than 2^63 - 1 elements");
  }
  return whole;
}

Result<void> AllReduceMax(MPI_Comm comm, const TensorView& slab, std::int64_t split, MutableTensorView output,
                          const ReduceMaxOptions& reduce_options, const Options& options) {
  LocalReduceMax local;
  if (Result<void> all = Agree(comm, local.Prepare(slab, split, output, reduce_options)); !all) return all;
  const Result<void> same = CheckSameSlabs(comm, slab, local.split);
  if (!same) return same;
  std::vector<std::int64_t> stated = {reduce_options.keepdims ? 1 : 0,
                                      static_cast<std::int64_t>(reduce_options.version)};
  for (std::size_t d = 0; d < kMaxRank; ++d) stated.push_back(local.reduced.Has(d) ? 1 : 0);
  const Result<std::vector<std::int64_t>> first = NumbersOfRank0(comm, stated);
  if (!first) return first.error();
  Result<void> equal;
  if (stated != *first) {
    equal =
        MakeError(ErrorCode::kInvalidArgument,
                  "this rank states other axes, keepdims or version than rank 0; give all ranks the same");
  }
  if (Result<void> all = Agree(comm, equal); !all) return all;
  local.plan->Run();
  if (!local.reduced.Has(local.split)) return {};
  if (Result<void> done = JoinEverywhere(comm, slab.dtype, local.joined.Bytes(), options); !done) return done;
  local.joined.Finish();
  return {};
}

}  // namespace supremum::mpi
