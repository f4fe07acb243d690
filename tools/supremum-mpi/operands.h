// Tensors in files, and the slabs of them that a rank reads.
#ifndef SUPREMUM_TOOLS_MPI_OPERANDS_H_
#define SUPREMUM_TOOLS_MPI_OPERANDS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "cli/outputs.h"
#include "io/formats/tensor_file.h"
#include "ranks.h"
#include "shared_file.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor.h"

namespace supremum::cli {

/// The command line of both verbs.
struct Arguments {
  std::vector<std::string> inputs;
  std::string output;
  std::vector<StatedDType> dtypes;
  std::optional<std::int64_t> split;
  std::uint64_t threads = 1;
  std::int64_t max_bytes = kDefaultMaxBytes;
  std::uint64_t message_bytes = std::uint64_t{1} << 28;
  std::string json;
  std::shared_ptr<Outputs> outputs;  ///< on rank 0, once they are claimed

  mpi::Options ForMpi() const {
    return {static_cast<std::int64_t>(std::min(message_bytes, std::uint64_t{1} << 62))};
  }
};

/// The placeholder in an input's name for the number of the rank that reads it.
inline constexpr std::string_view kRankField = "{rank}";

/// True if each rank reads a different file.
bool IsPerRank(std::string_view input);

/// The name with the rank's number.
std::string NameFor(std::string_view input, int rank);

/// Checks --output and --json on rank 0. Collective. Errors: those of Outputs.
Result<void> ClaimOutputs(const World& world, Arguments* arguments);

/// A whole file. Not collective. Errors: those of ReadTensor.
Result<Tensor> ReadOwn(const Arguments& arguments, std::size_t position, int rank);

/// Elements in the order of the file, with the tensor's shape and strides.
struct Part {
  Tensor elements;
  Shape shape;
  Shape strides;

  TensorView View() const { return {elements.dtype(), shape, strides, elements.data()}; }
};

/// `block` along dimension `split` of the tensor at `place`; all of it on every rank if there is no split.
/// Collective. Errors: kIo, kMalformedFile, kLimitExceeded, kOutOfMemory.
Result<Part> ReadPart(const World& world, const Arguments& arguments, const io::TensorPlace& place,
                      std::optional<std::size_t> split, mpi::Block block);

/// The default dimension to distribute: the outermost with an element for every rank, otherwise the longest.
/// Requires: the rank of `shape` is at least 1.
std::size_t UsualSplit(DimsView shape, int ranks);

/// `split` in [0, rank). Errors: kAxis (RED-2).
Result<std::size_t> ResolveSplit(std::int64_t split, std::size_t rank);

/// Writes the output and reports it: this rank's `slab` of it is `part`. Collective.
struct Outcome {
  std::string verb;
  DType dtype = DType::kFloat32;
  Shape shape;
  std::string way;  ///< how the work was distributed, as text
  double seconds = 0;
};
Result<void> Finish(const World& world, const Arguments& arguments, const Outcome& outcome, const Slab& slab,
                    std::span<const std::byte> part);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_MPI_OPERANDS_H_
