#include "verbs/stream_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/sha256.h"
#include "io/files/messages.h"
#include "io/formats/element_file.h"
#include "io/formats/tensor_file.h"

namespace supremum::cli {
namespace {

/// --memory if it is not given: room for the largest useful buffers of files that are read from front to back
/// (kBestBuffer), and for small broadcast inputs.
constexpr std::int64_t kDefaultMemory = std::int64_t{64} << 20;

/// The part of --memory, in bytes, that is reserved for everything except tensors and buffers: program and
/// libraries, stacks of threads, plans and texts. A constant, independent of the memory in use, so that the
/// same request is refused or accepted in every run. Measured (x86-64, release): runs in parts peak at 13 to
/// 17 MiB, including the buffers in use.
constexpr std::int64_t kOwnMemory = std::int64_t{24} << 20;

/// The same for files in Fortran order, whose rows are scattered: a quarter of the available memory, which is
/// the machine's, or the limit of the control group if that is lower.
std::int64_t QuarterOfMemory() {
  std::int64_t memory = std::max<std::int64_t>(::sysconf(_SC_PHYS_PAGES), 1) *
                        std::max<std::int64_t>(::sysconf(_SC_PAGESIZE), 4096);
  std::ifstream group("/sys/fs/cgroup/memory.max");
  if (std::int64_t allowed = 0; group >> allowed && allowed > 0) memory = std::min(memory, allowed);
  return memory / 4;
}

Result<std::vector<stream::Source>> OpenSources(const FileArguments& arguments) {
  std::vector<stream::Source> sources;
  for (std::size_t i = 0; i < arguments.inputs.size(); ++i) {
    Result<stream::Source> source =
        stream::Source::Open(arguments.inputs[i], StatedFor(arguments.dtypes, arguments.inputs, i));
    if (!source) return source.error();
    sources.push_back(*std::move(source));
  }
  return sources;
}

Result<std::int64_t> BufferBytes(std::int64_t memory, std::int64_t least) {
  if (memory >= kOwnMemory + least) return memory - kOwnMemory;
  constexpr std::int64_t kMiB = std::int64_t{1} << 20;
  return MakeError(ErrorCode::kLimitExceeded,
                   fmt::format("--memory: {} bytes are not enough for these files; give at least {}MiB",
                               memory, (kOwnMemory + least + kMiB - 1) / kMiB));
}

}  // namespace

bool CanBeStreamed(const FileArguments& arguments, io::TensorFormat output) {
  if (!std::ranges::all_of(arguments.inputs, io::HasElementsInOnePiece)) return false;
  if (output == io::TensorFormat::kNpz || output == io::TensorFormat::kTensorProto) return false;
  if (!arguments.bounds.empty()) return false;  // --bound needs all data in memory
  const long most = ::sysconf(_SC_OPEN_MAX);
  return most < 0 || arguments.inputs.size() <= std::max<std::size_t>(static_cast<std::size_t>(most) / 2, 1);
}

Result<ExitStatus> StreamFromFiles(std::string_view verb, const FileArguments& arguments,
                                   io::TensorFormat format, std::int64_t max_bytes,
                                   const Streaming& streaming, Outputs& outputs) {
  Progress progress;
  const auto start = std::chrono::steady_clock::now();
  const Result<std::vector<stream::Source>> sources = OpenSources(arguments);
  if (!sources) return sources.error();
  std::vector<TensorView> descriptions;
  for (const stream::Source& source : *sources) descriptions.push_back(source.Description());
  const Result<Shape> shape = streaming.shape(descriptions);
  if (!shape) return shape.error();
  const DType dtype = descriptions.front().dtype;
  const std::int64_t count = ElementCount(*shape).value_or(std::numeric_limits<std::int64_t>::max());
  if (count > max_bytes / static_cast<std::int64_t>(ByteWidth(dtype))) {
    // Tensor::Create refuses before it allocates; its error is the same as in memory.
    return io::ErrorAt(fmt::format("'{}'", arguments.output),
                       Tensor::Create(dtype, *shape, max_bytes).error());
  }
  const std::int64_t default_memory =
      std::ranges::any_of(*sources, &stream::Source::columns_first) ? QuarterOfMemory() : kDefaultMemory;
  const Result<std::int64_t> buffer_bytes =
      BufferBytes(arguments.memory.value_or(default_memory), streaming.least_buffer_bytes);
  if (!buffer_bytes) return buffer_bytes.error();

  Summarizer summarizer(dtype);
  std::optional<Sha256> hash;
  if (arguments.sha256) {
    Result<Sha256> made = Sha256::Create();
    if (!made) return made.error();
    hash = *std::move(made);
  }
  const auto on_elements = [&](std::span<const std::byte> elements) {
    summarizer.Add(elements);
    if (hash) hash->UpdateElements(elements, ByteWidth(dtype));
  };
  progress.Phase("preparing " + arguments.output);
  const std::string name = std::filesystem::path(arguments.output).stem().string();
  const Result<std::string> header = io::HeaderBytes(arguments.output, format, name, dtype, *shape);
  if (!header) return header.error();
  Result<stream::Output> output =
      stream::Output::Create(arguments.output, *header, dtype, *shape, on_elements);
  if (!output) return output.error();
  stream::StreamOptions options;
  options.buffer_bytes = *buffer_bytes;
  options.threads = arguments.threads;
  options.on_progress = [&](double part) {
    progress.Phase(fmt::format("{}: {:.0f} %", arguments.output, 100 * part));
  };
  const Result<void> done = streaming.run(*sources, *shape, *output, options);
  if (!done) return done.error();
  progress.Phase("writing " + arguments.output);
  Result<io::AtomicFile> file = (*std::move(output)).Finish();
  if (!file) return file.error();
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  progress.Hide();

  Result<std::string> digest = hash ? hash->Finish() : std::string();
  if (!digest) return digest.error();
  const TensorReport report{name, arguments.output, dtype, *shape, summarizer.Finish(*std::move(digest))};
  outputs.Add(*std::move(file));
  nlohmann::ordered_json streamed = {{"buffer_bytes", options.buffer_bytes}};
  return DeliverReports(verb, arguments, "streamed", std::move(streamed), {&report, 1}, time.count(),
                        outputs);
}

}  // namespace supremum::cli
