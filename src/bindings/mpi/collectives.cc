#include "bindings/mpi/collectives.h"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "bindings/mpi/same.h"
#include "bindings/mpi/status.h"
#include "kernels/kernels.h"
#include "rules/views.h"

namespace supremum::mpi {
namespace {

// The most elements of one message, with equal numbers on all ranks: a count of MPI is an int.
std::int64_t ElementsOfMessage(DType dtype, const Options& options, int ranks) {
  const std::int64_t width = static_cast<std::int64_t>(ByteWidth(dtype));
  const std::int64_t each = std::min<std::int64_t>(options.max_message_bytes / width, INT_MAX) / ranks;
  return std::max<std::int64_t>(each, 1);
}

void Canonicalise(DType dtype, const std::byte* from, std::byte* to, std::size_t count) {
  const auto width = static_cast<std::ptrdiff_t>(ByteWidth(dtype));
  kernels::ActiveKernels().For(dtype).copy({from, width}, {to, width}, count);
}

// The checks of AllJoin and ScatterJoin on the operand of this rank.
Result<void> CheckDense(const TensorView& values) {
  const std::vector<std::string_view> name = {"values"};
  const Views views({&values, 1}, nullptr, {name, ""});
  if (Result<void> ok = views.CheckData(); !ok) return ok;
  if (!IsValid(values.dtype)) {
    return MakeError(ErrorCode::kTypeNotAdmitted, "the type of the values is none of the library's types");
  }
  if (Result<void> ok = views.CheckRanks(); !ok) return ok;
  if (Result<void> ok = views.CheckExtents(); !ok) return ok;
  if (!values.strides.empty()) {
    return MakeError(ErrorCode::kInvalidArgument,
                     "the values have strides " + ToString(values.strides) +
                         "; what is sent must be row-major without gaps: copy it, and state no strides");
  }
  return {};
}

Result<void> CheckOnAllRanks(MPI_Comm comm, const TensorView& values, const Result<void>& checked) {
  if (Result<void> all = Agree(comm, checked); !all) return all;
  return CheckSameView(comm, values, "the values");
}

}  // namespace

Result<void> JoinEverywhere(MPI_Comm comm, DType dtype, std::span<std::byte> elements,
                            const Options& options) {
  const Result<Ranks> ranks = RanksOf(comm);
  if (!ranks) return ranks.error();
  if (ranks->count == 1) return {};
  const Result<Join> join = Join::Create(dtype);
  if (!join) return join.error();
  const std::size_t message =
      static_cast<std::size_t>(ElementsOfMessage(dtype, options, 1)) * ByteWidth(dtype);
  while (!elements.empty()) {
    const std::span<std::byte> part = elements.first(std::min(elements.size(), message));
    const int count = static_cast<int>(part.size() / ByteWidth(dtype));
    const int status = MPI_Allreduce(MPI_IN_PLACE, part.data(), count, join->datatype(), join->op(), comm);
    if (Result<void> done = Done(status, "MPI_Allreduce"); !done) return done;
    elements = elements.subspan(part.size());
  }
  return {};
}

Result<void> AllJoin(MPI_Comm comm, MutableTensorView values, const Options& options) {
  if (Result<void> ok = CheckOnAllRanks(comm, values, CheckDense(values)); !ok) return ok;
  const Result<Ranks> ranks = RanksOf(comm);
  if (!ranks) return ranks.error();
  const auto count = static_cast<std::size_t>(*ElementCount(values.shape));
  auto* const elements = static_cast<std::byte*>(values.data);
  if (ranks->count == 1) Canonicalise(values.dtype, elements, elements, count);
  return JoinEverywhere(comm, values.dtype, {elements, count * ByteWidth(values.dtype)}, options);
}

Result<Scatter> PrepareScatter(const Ranks& ranks, DType dtype, std::int64_t count, std::size_t block_bytes,
                               const Options& options) {
  const std::size_t width = ByteWidth(dtype);
  const std::int64_t mine = BlockOf(count, ranks.count, ranks.mine).size;
  if (block_bytes != static_cast<std::size_t>(mine) * width) {
    return MakeError(ErrorCode::kOutputShapeMismatch,
                     "the block has room for " + std::to_string(block_bytes) +
                         " bytes, and this rank's has " + std::to_string(mine) + " elements of " +
                         std::to_string(width) + " bytes (BlockOf)");
  }
  Scatter scatter;
  scatter.count = count;
  scatter.longest = BlockOf(count, ranks.count, 0).size;
  scatter.most = ElementsOfMessage(dtype, options, ranks.count);
  if (scatter.longest <= scatter.most || ranks.count == 1) return scatter;
  // A message contains a part of every block, so these parts are gathered first.
  const std::size_t bytes = static_cast<std::size_t>(scatter.most * ranks.count) * width;
  scatter.gathered.reset(new (std::nothrow) std::byte[bytes]);
  if (scatter.gathered == nullptr) {
    return MakeError(ErrorCode::kOutOfMemory, "no memory for a message of " + std::to_string(bytes) +
                                                  " bytes; lower max_message_bytes");
  }
  return scatter;
}

Result<void> JoinScattered(MPI_Comm comm, DType dtype, const std::byte* values, std::span<std::byte> block,
                           const Scatter& scatter) {
  const Result<Ranks> ranks = RanksOf(comm);
  if (!ranks) return ranks.error();
  if (ranks->count == 1) {
    Canonicalise(dtype, values, block.data(), static_cast<std::size_t>(scatter.count));
    return {};
  }
  const Result<Join> join = Join::Create(dtype);
  if (!join) return join.error();
  const auto bytes = [&](std::int64_t elements) {
    return static_cast<std::size_t>(elements) * ByteWidth(dtype);
  };
  std::vector<int> counts(static_cast<std::size_t>(ranks->count));
  const std::int64_t mine = BlockOf(scatter.count, ranks->count, ranks->mine).size;
  for (std::int64_t done = 0; done < scatter.longest; done += scatter.most) {
    std::byte* to = scatter.gathered.get();
    for (int rank = 0; rank < ranks->count; ++rank) {
      const Block of = BlockOf(scatter.count, ranks->count, rank);
      const std::int64_t part = std::clamp<std::int64_t>(of.size - done, 0, scatter.most);
      counts[static_cast<std::size_t>(rank)] = static_cast<int>(part);
      if (to == nullptr || part == 0) continue;
      std::memcpy(to, values + bytes(of.begin + done), bytes(part));
      to += bytes(part);
    }
    const int status = MPI_Reduce_scatter(scatter.gathered ? scatter.gathered.get() : values,
                                          block.data() + bytes(std::min(done, mine)), counts.data(),
                                          join->datatype(), join->op(), comm);
    if (Result<void> ok = Done(status, "MPI_Reduce_scatter"); !ok) return ok;
  }
  return {};
}

Result<void> ScatterJoin(MPI_Comm comm, const TensorView& values, std::span<std::byte> block,
                         const Options& options) {
  const Result<Ranks> ranks = RanksOf(comm);
  if (!ranks) return ranks.error();
  Result<void> checked = CheckDense(values);
  Scatter scatter;
  if (checked) {
    Result<Scatter> prepared =
        PrepareScatter(*ranks, values.dtype, *ElementCount(values.shape), block.size(), options);
    if (prepared) {
      scatter = *std::move(prepared);
    } else {
      checked = prepared.error();
    }
  }
  if (Result<void> ok = CheckOnAllRanks(comm, values, checked); !ok) return ok;
  return JoinScattered(comm, values.dtype, static_cast<const std::byte*>(values.data), block, scatter);
}

}  // namespace supremum::mpi
