// supremum-mpi max: the element-wise maximum of tensors in files, over the ranks.
#include "supremum/max.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/align.h"
#include "operands.h"
#include "supremum/mpi.h"
#include "verbs.h"

namespace supremum::cli {
namespace {

struct MaxArguments : Arguments {
  bool no_broadcast = false;

  MaxOptions Options() const { return {.identical_shapes_only = no_broadcast, .threads = threads}; }
};

// Every file with a rank's number is a separate input, which that rank reads; the other inputs are
// distributed. Each rank computes the maximum of its inputs, and the ranks' maxima are joined, each block on
// one rank.
Result<void> JoinInputs(const World& world, const MaxArguments& arguments) {
  std::vector<Tensor> own;
  const auto read = [&]() -> Result<void> {
    for (std::size_t i = 0; i < arguments.inputs.size(); ++i) {
      if (!IsPerRank(arguments.inputs[i]) &&
          static_cast<int>(i % static_cast<std::size_t>(world.ranks)) != world.rank) {
        continue;
      }
      Result<Tensor> tensor = ReadOwn(arguments, i, world.rank);
      if (!tensor) return tensor.error();
      own.push_back(*std::move(tensor));
    }
    return {};
  };
  if (Result<void> all = mpi::Agree(world.comm, read()); !all) return all;
  const double start = MPI_Wtime();
  std::vector<TensorView> views;
  for (const Tensor& tensor : own) views.push_back(tensor.View());
  const Result<Shape> shape = mpi::AllMaxOutputShape(world.comm, views, arguments.Options());
  if (!shape) return shape.error();
  const DType dtype = views.front().dtype;
  const std::int64_t count = *ElementCount(*shape);
  const mpi::Block block = mpi::BlockOf(count, world.ranks, world.rank);
  const Shape block_shape{block.size};
  Result<Tensor> part = Tensor::Create(dtype, block_shape, arguments.max_bytes);
  if (Result<void> all = mpi::Agree(world.comm, part ? Result<void>() : part.error()); !all) return all;
  if (Result<void> done =
          mpi::ScatterMax(world.comm, views, part->bytes(), arguments.Options(), arguments.ForMpi());
      !done) {
    return done;
  }
  const Slab slab{1, count, static_cast<std::int64_t>(ByteWidth(dtype)), block};
  return Finish(world, arguments, {"max", dtype, *shape, "inputs joined over ranks", MPI_Wtime() - start},
                slab, part->bytes());
}

// One input of SplitInputs.
struct Operand {
  bool per_rank = false;
  io::TensorPlace place;  // in a file that all ranks read
  Tensor own;             // from a file that only this rank reads
  Part part;
  Shape shape;  // of the whole input

  DType dtype() const { return per_rank ? own.dtype() : place.dtype; }
  TensorView View() const { return per_rank ? own.View() : part.View(); }
};

// What all inputs are: places of files that all read, slabs that this rank has. Collective.
Result<void> Find(const World& world, const MaxArguments& arguments, std::vector<Operand>* operands) {
  for (std::size_t i = 0; i < arguments.inputs.size(); ++i) {
    Operand& operand = operands->emplace_back();
    operand.per_rank = IsPerRank(arguments.inputs[i]);
    if (!operand.per_rank) {
      Result<io::TensorPlace> place =
          FindForAll(world, arguments.inputs[i], StatedFor(arguments.dtypes, arguments.inputs, i));
      if (!place) return place.error();
      operand.place = *std::move(place);
      operand.shape = operand.place.shape;
      continue;
    }
    Result<Tensor> own = ReadOwn(arguments, i, world.rank);
    if (Result<void> all = mpi::Agree(world.comm, own ? Result<void>() : own.error()); !all) return all;
    operand.own = *std::move(own);
    operand.shape = operand.own.shape();
  }
  return {};
}

// For the inputs with one file for each rank: the shape of all slabs together, and the block of this rank.
// Collective.
Result<void> Unite(const World& world, const MaxArguments& arguments, std::size_t rank, std::size_t split,
                   std::vector<Operand>* operands, std::optional<mpi::Block>* block) {
  for (std::size_t i = 0; i < operands->size(); ++i) {
    Operand& operand = (*operands)[i];
    if (!operand.per_rank) continue;
    const auto from_end = static_cast<std::int64_t>(split) - static_cast<std::int64_t>(rank);
    const Result<mpi::Whole> whole = mpi::WholeOf(world.comm, operand.own.View(), from_end);
    if (!whole) return whole.error();
    operand.shape = whole->shape;
    Result<void> same;
    if (*block && ((*block)->begin != whole->block.begin || (*block)->size != whole->block.size)) {
      same =
          MakeError(ErrorCode::kInvalidArgument,
                    fmt::format("'{}' has elements {} to {} along the split, and an earlier input {} to {}; "
                                "split all inputs at the same positions",
                                NameFor(arguments.inputs[i], world.rank), whole->block.begin,
                                whole->block.begin + whole->block.size, (*block)->begin,
                                (*block)->begin + (*block)->size));
    }
    if (Result<void> all = mpi::Agree(world.comm, same); !all) return all;
    *block = whole->block;
  }
  return {};
}

// Each rank computes a slab of the output, from the same slab of each input. Nothing is sent.
Result<void> SplitInputs(const World& world, const MaxArguments& arguments) {
  std::vector<Operand> operands;
  if (Result<void> found = Find(world, arguments, &operands); !found) return found;
  std::size_t rank = 0;
  for (const Operand& operand : operands) rank = std::max(rank, operand.shape.rank());
  std::optional<std::size_t> split;
  if (arguments.split) {
    const Result<std::size_t> resolved = ResolveSplit(*arguments.split, rank);
    if (!resolved) return resolved.error();
    split = *resolved;
  }
  std::optional<mpi::Block> block;
  if (split) {
    if (Result<void> united = Unite(world, arguments, rank, *split, &operands, &block); !united)
      return united;
  }

  std::vector<TensorView> views;
  for (const Operand& operand : operands) views.push_back({operand.dtype(), operand.shape, {}, nullptr});
  const std::vector<std::string_view> names(arguments.inputs.begin(), arguments.inputs.end());
  MaxOptions options = arguments.Options();
  options.input_names = names;
  options.output_name = arguments.output;
  const Result<Shape> shape = MaxOutputShape(views, options);  // the same on all ranks
  if (!shape) return shape.error();
  if (!split && rank > 0) split = UsualSplit(*shape, world.ranks);
  if (!block) block = mpi::BlockOf(split ? (*shape)[*split] : 1, world.ranks, world.rank);

  for (std::size_t i = 0; i < operands.size(); ++i) {
    Operand& operand = operands[i];
    if (!operand.per_rank) {
      std::optional<std::size_t> along;  // none where the input is broadcast along the split
      ForEachAligned(operand.shape, rank, [&](std::size_t d, std::size_t j) {
        if (j == split) along = d;
      });
      Result<Part> part = ReadPart(world, arguments, operand.place, along, *block);
      if (!part) return part.error();
      operand.part = *std::move(part);
    }
    views[i] = operand.View();
  }
  Shape local = *shape;
  if (split) local[*split] = block->size;
  const double start = MPI_Wtime();
  Tensor output;
  const auto compute = [&]() -> Result<void> {
    Result<Tensor> created = Tensor::Create(operands.front().dtype(), local, arguments.max_bytes);
    if (!created) return created.error();
    output = *std::move(created);
    // Identical shapes, if required, have been checked on the whole inputs.
    options.identical_shapes_only = false;
    return Max(views, output.MutableView(), options);
  };
  if (Result<void> all = mpi::Agree(world.comm, compute()); !all) return all;
  const double seconds = MPI_Wtime() - start;
  const std::size_t width = ByteWidth(output.dtype());
  // A scalar is not split: rank 0 writes it.
  const Slab slab = split ? Slab::Along(*shape, *split, *block, width)
                          : Slab{1, 1, static_cast<std::int64_t>(width), *block};
  const auto bytes = std::span<const std::byte>(output.bytes()).first(static_cast<std::size_t>(slab.bytes()));
  return Finish(world, arguments,
                {"max", output.dtype(), *shape,
                 split ? fmt::format("split along dimension {}", *split) : "not split", seconds},
                slab, bytes);
}

Result<void> Execute(const World& world, const MaxArguments& arguments) {
  if (Result<void> named = CheckStated(arguments.dtypes, arguments.inputs); !named) return named;
  bool per_rank = false;
  for (const std::string& input : arguments.inputs) per_rank |= IsPerRank(input);
  return per_rank && !arguments.split ? JoinInputs(world, arguments) : SplitInputs(world, arguments);
}

}  // namespace

Verb AddMax(CLI::App& app) {
  const auto arguments = std::make_shared<MaxArguments>();
  CLI::App* verb = AddVerb(
      app, "max", "The element-wise maximum of tensors in files, with broadcasting, over the ranks.",
      "Without {rank} in any INPUT, each rank reads a slab of each file and computes that slab of the\n"
      "output: nothing is sent. In an INPUT, {rank} is replaced by the number of the rank that reads the\n"
      "file; each of these files is an input, and the ranks' maxima are joined. With {rank} and\n"
      "--split DIM, the files of one INPUT are the slabs of one tensor along dimension DIM of the output.\n\n"
      "Examples:\n"
      "  mpirun -n 4 supremum-mpi max a.npy b.npy -o y.npy\n"
      "  mpirun -n 4 supremum-mpi max 'x{rank}.npy' -o y.npy\n"
      "  mpirun -n 4 supremum-mpi max 'a{rank}.npy' 'b{rank}.npy' --split 0 -o y.npy\n");
  AddPositionals(*verb, "INPUT", &arguments->inputs, kInputHelp);
  AddNoBroadcast(*verb, &arguments->no_broadcast);
  AddCommonOptions(*verb, "INPUT", arguments.get());
  return {verb, [arguments](const World& world) { return Execute(world, *arguments); }, arguments.get()};
}

}  // namespace supremum::cli
