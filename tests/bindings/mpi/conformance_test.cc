// The valid conformance cases over the ranks: each rank computes its share, and MPI_Allreduce joins them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bindings/mpi/ranks.h"
#include "core/align.h"
#include "core/axes.h"
#include "kit/cases.h"
#include "supremum/max.h"
#include "supremum/mpi.h"
#include "supremum/reduce_max.h"

namespace supremum::test {
namespace {

std::string JoinedOverRanks(const GivenCase& one, Tensor own) {
  const OwnedJoin join(one.dtype);
  const int status = MPI_Allreduce(MPI_IN_PLACE, own.data(), static_cast<int>(own.size()), BitsOf(one.dtype),
                                   join.op(), MPI_COMM_WORLD);
  return status == MPI_SUCCESS ? Wrong(own, one) : "MPI_Allreduce returned " + std::to_string(status);
}

// The inputs are dealt out. A rank that gets none has the first one too, which changes nothing.
std::string MaxOverRanks(const GivenCase& one, std::span<const TensorView> inputs) {
  const std::size_t rank = one.output.shape.rank();
  std::vector<Shape> strides;
  std::vector<TensorView> own;
  for (const TensorView& input : inputs) strides.push_back(AlignedStrides(input, rank));
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    const bool mine = m % static_cast<std::size_t>(RankCount()) == static_cast<std::size_t>(OwnRank());
    const bool first = m == 0 && inputs.size() <= static_cast<std::size_t>(OwnRank());
    if (mine || first) own.push_back({one.dtype, one.output.shape, strides[m], inputs[m].data});
  }
  Tensor maximum = Tensor::Create(one.dtype, one.output.shape).value();
  const Result<void> done = Max(own, maximum.MutableView());
  return done ? JoinedOverRanks(one, std::move(maximum)) : done.error().message;
}

// The source is cut along `split`, which is reduced. Where it is short, some slabs are empty.
std::string ReduceMaxOverRanks(const GivenCase& one, const ReduceMaxOptions& options,
                               const TensorView& source, std::size_t split) {
  const std::int64_t extent = source.shape[split], begin = extent * OwnRank() / RankCount();
  Shape shape = *Shape::FromSpan(source.shape);
  const Shape strides = StridesOf(source);
  shape[split] = extent * (OwnRank() + 1) / RankCount() - begin;
  const std::int64_t offset = begin * strides[split] * static_cast<std::int64_t>(ByteWidth(one.dtype));
  const TensorView slab = {one.dtype, shape, strides, static_cast<const std::byte*>(source.data) + offset};
  Tensor maximum = Tensor::Create(one.dtype, one.output.shape).value();
  const Result<void> done = ReduceMax(slab, maximum.MutableView(), options);
  return done ? JoinedOverRanks(one, std::move(maximum)) : done.error().message;
}

// The dimensions that the case reduces.
std::vector<std::size_t> ReducedDimensions(const ReduceMaxOptions& options, std::size_t rank) {
  std::vector<std::size_t> reduced;
  for (std::size_t d = 0; d < rank; ++d) {
    const bool named = !options.axes || std::ranges::any_of(*options.axes.list(), [&](std::int64_t axis) {
      return DimensionOf(axis, rank) == d;
    });
    if (named) reduced.push_back(d);
  }
  return reduced;
}

// Rules: ORD-1..6, TYP-1, TYP-2, MAX-1, MAX-2, MAX-6, BRO-1..5, RED-1..3, RED-6, RED-7
TEST(MpiConformance, EveryCaseOverTheRanksGivesTheExpectedBits) {
  const std::vector<GivenCase> cases = ReadCases();
  EXPECT_GE(cases.size(), 9000u);
  Failures failures;
  std::size_t maxima = 0, slabs = 0;
  for (const GivenCase& one : cases) {
    const std::vector<NamedTensor> inputs = one.Inputs("x");
    std::vector<TensorView> views;
    for (const NamedTensor& input : inputs) views.push_back(input.tensor.View());
    if (!one.reduces) {
      ++maxima;
      if (const std::string wrong = MaxOverRanks(one, views); !wrong.empty()) failures.Add(one.id, wrong);
      continue;
    }
    std::optional<std::span<const std::int64_t>> axes;
    if (one.axes) axes = *one.axes;
    const ReduceMaxOptions options{.axes = AxesOfOnnx(axes, one.noop_with_empty_axes),
                                   .keepdims = one.keepdims};
    for (const std::size_t split : ReducedDimensions(options, views[0].shape.size())) {
      ++slabs;
      if (const std::string wrong = ReduceMaxOverRanks(one, options, views[0], split); !wrong.empty()) {
        failures.Add(one.id + " split along " + std::to_string(split), wrong);
      }
    }
  }
  EXPECT_EQ(failures.count(), 0u) << failures.texts();
  EXPECT_GE(maxima, 4000u);
  EXPECT_GE(slabs, 4000u);
  if (OwnRank() == 0) {
    std::printf("%d ranks: %zu cases of Max, and %zu splits of cases of ReduceMax, %zu wrong\n", RankCount(),
                maxima, slabs, failures.count());
  }
}

}  // namespace
}  // namespace supremum::test
