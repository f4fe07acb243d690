// supremum-mpi reduce-max: the maximum of a tensor in files along some of its dimensions, over the ranks.
#include "supremum/reduce_max.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/axes.h"
#include "operands.h"
#include "supremum/mpi.h"
#include "verbs.h"

namespace supremum::cli {
namespace {

struct ReduceMaxArguments : Arguments {
  std::optional<std::vector<std::int64_t>> axes;
  bool keepdims = false;
  bool noop_with_empty_axes = false;

  ReduceMaxOptions Options() const {
    ReduceMaxOptions options;
    std::optional<std::span<const std::int64_t>> stated;
    if (axes) stated = *axes;
    options.axes = AxesOfOnnx(stated, noop_with_empty_axes);
    options.keepdims = keepdims;
    options.threads = threads;
    options.source_name = inputs.front();
    options.output_name = output;
    return options;
  }
};

// The source, and the part of it that this rank has.
struct Source {
  Shape shape;  // of the whole source
  std::optional<std::size_t> split;
  mpi::Block block{0, 1};
  Tensor own;
  Part part;
  bool per_rank = false;

  TensorView View() const { return per_rank ? own.View() : part.View(); }
};

// Collective.
Result<Source> Read(const World& world, const ReduceMaxArguments& arguments) {
  Source source;
  source.per_rank = IsPerRank(arguments.inputs.front());
  if (source.per_rank) {
    Result<Tensor> own = ReadOwn(arguments, 0, world.rank);
    if (Result<void> all = mpi::Agree(world.comm, own ? Result<void>() : own.error()); !all)
      return all.error();
    source.own = *std::move(own);
    const Result<mpi::Whole> whole = mpi::WholeOf(world.comm, source.own.View(), arguments.split.value_or(0));
    if (!whole) return whole.error();
    source.shape = whole->shape;
    source.block = whole->block;
    const Result<std::size_t> split = ResolveSplit(arguments.split.value_or(0), source.shape.rank());
    if (!split) return split.error();
    source.split = *split;
    return source;
  }
  const Result<io::TensorPlace> place =
      FindForAll(world, arguments.inputs.front(), StatedFor(arguments.dtypes, arguments.inputs, 0));
  if (!place) return place.error();
  source.shape = place->shape;
  // Errors of axes and types are reported before any elements are read.
  const TensorView whole{place->dtype, place->shape, {}, nullptr};
  if (const Result<Shape> reduced = ReduceMaxOutputShape(whole, arguments.Options()); !reduced)
    return reduced.error();
  if (arguments.split) {
    const Result<std::size_t> split = ResolveSplit(*arguments.split, source.shape.rank());
    if (!split) return split.error();
    source.split = *split;
  } else if (source.shape.rank() > 0) {
    source.split = UsualSplit(source.shape, world.ranks);
  }
  source.block = mpi::BlockOf(source.split ? source.shape[*source.split] : 1, world.ranks, world.rank);
  Result<Part> part = ReadPart(world, arguments, *place, source.split, source.block);
  if (!part) return part.error();
  source.part = *std::move(part);
  return source;
}

Result<void> Execute(const World& world, const ReduceMaxArguments& arguments) {
  if (Result<void> named = CheckStated(arguments.dtypes, arguments.inputs); !named) return named;
  const Result<Source> source = Read(world, arguments);
  if (!source) return source.error();
  const ReduceMaxOptions options = arguments.Options();
  const DType dtype = source->View().dtype;
  const Result<Shape> shape = ReduceMaxOutputShape({dtype, source->shape, {}, nullptr}, options);
  if (!shape) return shape.error();

  // Computed with reduced dimensions kept: dimension d of the output is then dimension d of the source.
  ReduceMaxOptions kept = options;
  kept.keepdims = true;
  const AxisSet reduced =
      ResolveAxes(options.axes.list(), source->shape.rank(), options.version, options.source_name).value();
  const Shape out = ReducedShape(source->shape, reduced, true);
  const std::optional<std::size_t> split = source->split;
  const bool crosses = split && reduced.Has(*split);

  const double start = MPI_Wtime();
  Shape local = out;
  if (split && !crosses) local[*split] = source->block.size;
  Tensor output;
  const auto compute = [&]() -> Result<void> {
    Result<Tensor> created = Tensor::Create(dtype, local, arguments.max_bytes);
    if (!created) return created.error();
    output = *std::move(created);
    return ReduceMax(source->View(), output.MutableView(), kept);
  };
  if (Result<void> all = mpi::Agree(world.comm, compute()); !all) return all;

  const std::size_t width = ByteWidth(dtype);
  Outcome outcome{"reduce-max", dtype, *shape,
                  split ? fmt::format("split along dimension {}", *split) : "not split"};
  if (!crosses) {
    const Slab slab = split ? Slab::Along(out, *split, source->block, width)
                            : Slab{1, 1, static_cast<std::int64_t>(width), source->block};
    const auto bytes =
        std::span<const std::byte>(output.bytes()).first(static_cast<std::size_t>(slab.bytes()));
    outcome.seconds = MPI_Wtime() - start;
    return Finish(world, arguments, outcome, slab, bytes);
  }
  // Every rank has a maximum for every element of the output; each block of them is joined on one rank.
  const std::int64_t count = output.size();
  const mpi::Block block = mpi::BlockOf(count, world.ranks, world.rank);
  Tensor part;
  const auto create = [&]() -> Result<void> {
    Result<Tensor> created = Tensor::Create(dtype, Shape{block.size}, arguments.max_bytes);
    if (!created) return created.error();
    part = *std::move(created);
    return {};
  };
  if (Result<void> all = mpi::Agree(world.comm, create()); !all) return all;
  if (Result<void> done = mpi::ScatterJoin(world.comm, output.View(), part.bytes(), arguments.ForMpi());
      !done) {
    return done;
  }
  outcome.way += ", joined over ranks";
  outcome.seconds = MPI_Wtime() - start;
  return Finish(world, arguments, outcome, Slab{1, count, static_cast<std::int64_t>(width), block},
                part.bytes());
}

}  // namespace

Verb AddReduceMax(CLI::App& app) {
  const auto arguments = std::make_shared<ReduceMaxArguments>();
  CLI::App* verb = AddVerb(
      app, "reduce-max", "The maximum of a tensor in files along any of its dimensions, over the ranks.",
      "Without {rank} in INPUT, each rank reads a slab of the file along dimension --split. Otherwise\n"
      "{rank} is replaced by the number of the rank that reads the file: these files are the slabs,\n"
      "along dimension 0 unless --split names another. If the split dimension is one of the axes, the\n"
      "ranks' maxima are joined; otherwise nothing is sent.\n\n"
      "Without --axes, or with an empty list of them (--axes ''), all dimensions are reduced;\n"
      "--noop-with-empty-axes reduces none instead.\n\n"
      "Examples:\n"
      "  mpirun -n 4 supremum-mpi reduce-max a.npy --axes 0 -o y.npy\n"
      "  mpirun -n 4 supremum-mpi reduce-max 'a{rank}.npy' --axes 0,-1 --keepdims -o y.npy\n"
      "  mpirun -n 4 supremum-mpi reduce-max a:float32:4000000x256:a.bin --split 1 --axes 0 -o y.bin\n");
  auto* const input = &arguments->inputs.emplace_back();
  AddPositional(*verb, "INPUT", input, kInputHelp);
  AddAxes(*verb, &arguments->axes);
  AddFlag(*verb, "--keepdims", &arguments->keepdims, "keep reduced dimensions, with extent 1 (RED-3)");
  AddFlag(*verb, "--noop-with-empty-axes", &arguments->noop_with_empty_axes,
          "reduce nothing if no axes are given (RED-5)");
  AddCommonOptions(*verb, "", arguments.get());
  return {verb, [arguments](const World& world) { return Execute(world, *arguments); }, arguments.get()};
}

}  // namespace supremum::cli
