#include "verbs/stream_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "cli/memory_limit.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/sha256.h"
#include "cli/summary.h"
#include "io/files/messages.h"
#include "io/formats/element_file.h"
#include "io/formats/tensor_file.h"

namespace supremum::cli {
namespace {

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

/// "3.2 GB/s, 2 min left" from the part of the work that is done.
class Rate {
 public:
  explicit Rate(double bytes) : bytes_(bytes) {}

  std::string Text(double part) {
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start_;
    if (time.count() < 0.5 || part <= 0) return fmt::format("{:.0f} %", 100 * part);
    const double left = time.count() / part * (1 - part);
    return fmt::format("{:.0f} %, {}, {} left", 100 * part, Speed(part * bytes_ / time.count()), Span(left));
  }

 private:
  static std::string Speed(double rate) {
    return rate >= 1e9 ? fmt::format("{:.1f} GB/s", rate / 1e9) : fmt::format("{:.0f} MB/s", rate / 1e6);
  }
  static std::string Span(double seconds) {
    if (seconds < 100) return fmt::format("{:.0f} s", seconds);
    if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
    return fmt::format("{:.1f} h", seconds / 3600);
  }

  const double bytes_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The bytes of the output. Errors: kLimitExceeded beyond `max_bytes`.
Result<std::int64_t> OutputBytes(DType dtype, const Shape& shape, const std::string& output,
                                 std::int64_t max_bytes) {
  const std::int64_t width = static_cast<std::int64_t>(ByteWidth(dtype));
  const std::int64_t count = ElementCount(shape).value_or(std::numeric_limits<std::int64_t>::max());
  if (count <= max_bytes / width) return count * width;
  // Tensor::Create refuses before it allocates; its error is the same as in memory.
  return io::ErrorAt(fmt::format("'{}'", output), Tensor::Create(dtype, shape, max_bytes).error());
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
  double bytes = 0;
  for (const stream::Source& source : *sources) {
    descriptions.push_back(source.Description());
    bytes += static_cast<double>(source.byte_size());
  }
  const Result<Shape> shape = streaming.shape(descriptions);
  if (!shape) return shape.error();
  const DType dtype = descriptions.front().dtype;
  const Result<std::int64_t> output_bytes = OutputBytes(dtype, *shape, arguments.output, max_bytes);
  if (!output_bytes) return output_bytes.error();
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
  Rate rate(bytes + static_cast<double>(*output_bytes));
  stream::StreamOptions options;
  options.buffer_bytes = *buffer_bytes;
  options.threads = arguments.threads;
  options.on_progress = [&](double part) { progress.Phase(arguments.output + ": " + rate.Text(part)); };
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
  const Result<void> told =
      DeliverReports(verb, arguments, "streamed", std::move(streamed), {&report, 1}, time.count(), outputs);
  if (!told) return told.error();
  return ExitStatus::kSuccess;
}

}  // namespace supremum::cli
