#include "operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/output.h"
#include "core/axes.h"
#include "io/files/messages.h"
#include "io/formats/byte_order.h"
#include "leftover.h"
#include "output_file.h"

namespace supremum::cli {
namespace {

// A bool is 0 or 1; the text names the byte of the file.
Result<void> CheckBoolsOf(const io::TensorPlace& place, const Slab& slab, std::span<const std::byte> bytes) {
  for (std::int64_t run = 0; run < slab.outer; ++run) {
    const std::int64_t at = place.offset + (run * slab.extent + slab.block.begin) * slab.inner;
    const auto part =
        bytes.subspan(static_cast<std::size_t>(run * slab.run()), static_cast<std::size_t>(slab.run()));
    if (Result<void> good = io::CheckBools(fmt::format("'{}'", place.file), at, part,
                                           "; write the file again, as uint8 if these are numbers");
        !good) {
      return good;
    }
  }
  return {};
}

}  // namespace

bool IsPerRank(std::string_view input) { return input.find(kRankField) != std::string_view::npos; }

std::string NameFor(std::string_view input, int rank) {
  std::string name(input);
  for (std::size_t at = 0; (at = name.find(kRankField, at)) != std::string::npos;) {
    const std::string number = std::to_string(rank);
    name.replace(at, kRankField.size(), number);
    at += number.size();
  }
  return name;
}

Result<void> ClaimOutputs(const World& world, Arguments* arguments) {
  return DoneByRank0(world, [&]() -> Result<void> {
    arguments->outputs = std::make_shared<Outputs>(IgnoreSignals);
    for (const std::string& input : arguments->inputs) {
      for (int rank = 0; rank < (IsPerRank(input) ? world.ranks : 1); ++rank) {
        arguments->outputs->Reads(NameFor(input, rank));
      }
    }
    Result<void> claimed = arguments->outputs->Claim("--output", arguments->output, Outputs::Kind::kTensor);
    return claimed ? arguments->outputs->ClaimJson(arguments->json, Outputs::Open::kLast) : claimed;
  });
}

Result<Tensor> ReadOwn(const Arguments& arguments, std::size_t position, int rank) {
  io::ReadOptions options;
  options.stated_dtype = StatedFor(arguments.dtypes, arguments.inputs, position);
  options.max_bytes = arguments.max_bytes;
  Result<NamedTensor> read = io::ReadTensor(NameFor(arguments.inputs[position], rank), options);
  if (!read) return read.error();
  return std::move(read->tensor);
}

Result<Part> ReadPart(const World& world, const Arguments& arguments, const io::TensorPlace& place,
                      std::optional<std::size_t> split, mpi::Block block) {
  const std::size_t rank = place.shape.rank(), width = ByteWidth(place.dtype);
  // The dimensions in the order of the file, outermost first.
  Shape order = place.shape;
  std::optional<std::size_t> along = split;
  if (place.fortran_order) {
    std::reverse(order.begin(), order.end());
    if (along) along = rank - 1 - *along;
  }
  Slab slab{1, 1, static_cast<std::int64_t>(width) * *ElementCount(place.shape), {0, 1}};
  if (along) {
    slab = Slab::Along(order, *along, block, width);
    order[*along] = block.size;
  }
  Part part;
  const auto create = [&]() -> Result<void> {
    Result<Tensor> created = Tensor::Create(place.dtype, order, arguments.max_bytes);
    if (!created) return io::ErrorAt(fmt::format("'{}'", place.file), created.error());
    part.elements = *std::move(created);
    return {};
  };
  if (Result<void> all = mpi::Agree(world.comm, create()); !all) return all.error();
  Result<SharedFile> file = SharedFile::Open(world, place.file, place.file, SharedFile::Mode::kRead,
                                             arguments.ForMpi().max_message_bytes);
  if (!file) return file.error();
  const Result<void> read = file->Read(place.offset, slab, part.elements.bytes());
  // Before the error of reading: a file that has become shorter is reported as changed.
  if (Result<void> unchanged = CheckUnchanged(world, place); !unchanged) return unchanged.error();
  if (!read) return read.error();
  io::ToMachineOrder(part.elements.bytes(), width, place.big_endian);
  if (place.dtype == DType::kBool) {
    const Result<void> bools = CheckBoolsOf(place, slab, part.elements.bytes());
    if (Result<void> all = mpi::Agree(world.comm, bools); !all) return all.error();
  }
  part.shape = order;
  part.strides = RowMajorStrides(order);
  if (place.fortran_order) {
    std::reverse(part.shape.begin(), part.shape.end());
    std::reverse(part.strides.begin(), part.strides.end());
  }
  return part;
}

std::size_t UsualSplit(DimsView shape, int ranks) {
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] >= ranks) return d;
  }
  return static_cast<std::size_t>(std::max_element(shape.begin(), shape.end()) - shape.begin());
}

Result<std::size_t> ResolveSplit(std::int64_t split, std::size_t rank) {
  if (const std::optional<std::size_t> dimension = DimensionOf(split, rank)) return *dimension;
  return MakeError(ErrorCode::kAxis, "RED-2",
                   rank == 0 ? fmt::format("--split {}: a scalar has no dimension to split", split)
                             : fmt::format("--split {} is outside [-{}, {}]", split, rank, rank - 1));
}

Result<void> Finish(const World& world, const Arguments& arguments, const Outcome& outcome, const Slab& slab,
                    std::span<const std::byte> part) {
  if (Result<void> written = WriteTogether(world, arguments.output, outcome.dtype, outcome.shape, slab, part,
                                           arguments.ForMpi().max_message_bytes, arguments.outputs.get());
      !written) {
    return written;
  }
  Result<void> done = DoneByRank0(world, [&]() -> Result<void> {
    nlohmann::ordered_json json = JsonHead(outcome.verb);
    json["inputs"] = arguments.inputs;
    nlohmann::ordered_json output;
    output["name"] = std::filesystem::path(arguments.output).stem().string();
    output["file"] = arguments.output;
    output["dtype"] = Name(outcome.dtype);
    output["shape"] = std::vector<std::int64_t>(outcome.shape.begin(), outcome.shape.end());
    json["outputs"] = {output};
    json["ranks"] = world.ranks;
    json["way"] = outcome.way;
    json["time_s"] = outcome.seconds;
    return arguments.outputs->Deliver(
        std::move(json), fmt::format("{}  {} {}  {} {}, {}  {:.3f} s\n", Printable(arguments.output),
                                     Name(outcome.dtype), ToString(outcome.shape), world.ranks,
                                     world.ranks == 1 ? "rank" : "ranks", outcome.way, outcome.seconds));
  });
  // After an error, the AtomicFile has removed the temporary file.
  SetLeftover("");
  return done;
}

}  // namespace supremum::cli
