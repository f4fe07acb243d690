// Every valid conformance case over the ranks: the inputs of Max dealt out, the source of ReduceMax cut along
// several of its dimensions.
#include <gtest/gtest.h>

#include <set>

#include "bindings/mpi/ranks.h"
#include "kit/cases.h"
#include "supremum/mpi.h"

namespace supremum::test {
namespace {

std::string MaxOverRanks(const GivenCase& one, std::span<const TensorView> views) {
  std::vector<TensorView> own;
  for (std::size_t m = 0; m < views.size(); ++m) {
    if (m % static_cast<std::size_t>(RankCount()) == static_cast<std::size_t>(OwnRank()))
      own.push_back(views[m]);
  }
  const Result<Shape> shape = mpi::AllMaxOutputShape(MPI_COMM_WORLD, own);
  if (!shape) return shape.error().message;
  Tensor output = Tensor::Create(one.dtype, *shape).value();
  std::ranges::fill(output.bytes(), std::byte{0xA5});
  const Result<void> done = mpi::AllMax(MPI_COMM_WORLD, own, output.MutableView());
  return done ? Wrong(output, one) : done.error().message;
}

std::string ReduceMaxOverRanks(const GivenCase& one, const TensorView& source, std::size_t split) {
  std::optional<std::span<const std::int64_t>> axes;
  if (one.axes) axes = *one.axes;
  const ReduceMaxOptions options{.axes = AxesOfOnnx(axes, one.noop_with_empty_axes),
                                 .keepdims = one.keepdims};
  Shape shape, strides;
  const mpi::Block block = mpi::BlockOf(source.shape[split], RankCount(), OwnRank());
  const TensorView slab = SlabOf(source, split, block, &shape, &strides);
  Tensor output = Tensor::Create(one.dtype, ReduceMaxOutputShape(slab, options).value()).value();
  std::ranges::fill(output.bytes(), std::byte{0xA5});
  const Result<void> done = mpi::AllReduceMax(MPI_COMM_WORLD, slab, static_cast<std::int64_t>(split),
                                              output.MutableView(), options);
  if (!done) return done.error().message;
  std::size_t place = 0;
  bool crosses = !options.axes;
  for (std::size_t d = 0; options.axes && d < source.shape.size(); ++d) {
    bool reduced = false;
    for (const std::int64_t axis : *options.axes.list()) {
      reduced |= axis == static_cast<std::int64_t>(d) ||
                 axis + static_cast<std::int64_t>(source.shape.size()) == static_cast<std::int64_t>(d);
    }
    if (d == split) crosses = reduced;
    if (d < split && (one.keepdims || !reduced)) ++place;
  }
  if (crosses) return Wrong(output, one);
  // The rank's slab of the right output.
  const Tensor right = one.output.Create(one.dtype);
  Shape part_shape, part_strides;
  const TensorView part = SlabOf(right.View(), place, block, &part_shape, &part_strides);
  if (!SameDims(output.shape(), part.shape))
    return "shape " + ToString(output.shape()) + " for a slab of " + ToString(part.shape);
  Tensor expected = Tensor::Create(one.dtype, part.shape).value();
  const std::span<const std::int64_t> none;
  ReduceMax(part, expected.MutableView(), {.axes = none}).value();
  return std::ranges::equal(output.bytes(), expected.bytes()) ? "" : "a slab has other bytes";
}

// Rules: ORD-1..6, TYP-1, TYP-2, MAX-1, MAX-2, MAX-6, BRO-1..5, RED-1..3, RED-6, RED-7
TEST(MpiConformance, EveryCaseOverTheRanksGivesTheExpectedBits) {
  const std::vector<GivenCase> cases = ReadCases();
  EXPECT_GE(cases.size(), 9000u);
  Failures failures;
  std::size_t scalars = 0, calls = 0;
  for (std::size_t at = 0; at < cases.size(); ++at) {
    const GivenCase& one = cases[at];
    const std::vector<NamedTensor> inputs = one.Inputs("x");
    std::vector<TensorView> views;
    for (const NamedTensor& input : inputs) views.push_back(input.tensor.View());
    if (!one.reduces) {
      ++calls;
      const std::string wrong = MaxOverRanks(one, views);
      if (!wrong.empty()) failures.Add(one.id, wrong);
      continue;
    }
    const std::size_t rank = views[0].shape.size();
    if (rank == 0) {
      ++scalars;  // cannot be cut
      continue;
    }
    for (const std::size_t split : std::set<std::size_t>{0, at % rank, rank - 1}) {
      ++calls;
      const std::string wrong = ReduceMaxOverRanks(one, views[0], split);
      if (!wrong.empty()) failures.Add(one.id + " split along " + std::to_string(split), wrong);
    }
  }
  EXPECT_EQ(failures.count(), 0u) << failures.texts();
  if (OwnRank() == 0) {
    std::printf(
        "%d ranks: %zu of %zu valid cases in %zu calls, %zu wrong; %zu are scalars, which cannot be cut\n",
        RankCount(), cases.size() - scalars, cases.size(), calls, failures.count(), scalars);
  }
}

}  // namespace
}  // namespace supremum::test
