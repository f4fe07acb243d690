#include "verbs/stream_files.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "cli/memory_limit.h"
#include "cli/output.h"
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

/// The reason why the files cannot be streamed; empty if they can.
std::string WhyNotStreamed(const FileArguments& arguments, io::TensorFormat output) {
  for (const std::string& input : arguments.inputs) {
    if (!io::HasElementsInOnePiece(input)) return fmt::format("'{}' is neither .npy nor raw", input);
  }
  if (output != io::TensorFormat::kNpy && output != io::TensorFormat::kRaw) {
    return fmt::format("'{}' is neither .npy nor raw", arguments.output);
  }
  return arguments.bounds.empty() ? "" : "--bound needs all data in memory";
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

/// "3.2 GB/s, 2 min left" from the part of the work that is done.
class Rate {
 public:
  explicit Rate(double bytes) : bytes_(bytes) {}

  std::string Text(double part) {
    if (first_ < 0) first_ = part;
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start_;
    const double done = part - first_;
    if (time.count() < 0.5 || done <= 0) return fmt::format("{:.0f} %", 100 * part);
    const double left = time.count() / done * (1 - part);
    return fmt::format("{:.0f} %, {}, {} left", 100 * part, Speed(done * bytes_ / time.count()), Span(left));
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
  double first_ = -1;
};

struct Sizes {
  std::int64_t inputs = 0;
  std::int64_t output = 0;

  std::int64_t Sum() const {
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    return inputs > most - output ? most : inputs + output;
  }
};

Result<Sizes> SizesOf(std::span<const stream::Source> sources, const Shape& shape, const std::string& output,
                      std::int64_t max_bytes) {
  Sizes sizes;
  for (const stream::Source& source : sources) sizes.inputs += source.byte_size();
  const DType dtype = sources.front().dtype();
  const std::int64_t width = static_cast<std::int64_t>(ByteWidth(dtype));
  const std::int64_t count = ElementCount(shape).value_or(std::numeric_limits<std::int64_t>::max());
  if (count > max_bytes / width) {
    // Tensor::Create refuses before it allocates; its error is the same as without streaming.
    if (auto refused = Tensor::Create(dtype, shape, max_bytes); !refused)
      return io::ErrorAt(fmt::format("'{}'", output), refused.error());
  }
  sizes.output = count * width;
  return sizes;
}

Result<std::int64_t> BufferBytes(std::int64_t memory, std::int64_t least) {
  if (memory >= kOwnMemory + least) return memory - kOwnMemory;
  constexpr std::int64_t kMiB = std::int64_t{1} << 20;
  return MakeError(ErrorCode::kLimitExceeded,
                   fmt::format("--memory: {} bytes are not enough for these files; give at least {}MiB",
                               memory, (kOwnMemory + least + kMiB - 1) / kMiB));
}

Result<ExitStatus> Run(std::string_view verb, const FileArguments& arguments, const Streaming& streaming,
                       std::span<const stream::Source> sources, const Shape& shape, const Sizes& sizes,
                       stream::StreamOptions options, bool raw, Outputs& outputs) {
  Progress progress;
  const auto start = std::chrono::steady_clock::now();
  const DType dtype = sources.front().dtype();
  Summarizer summarizer(dtype);
  stream::OutputOptions output_options;
  output_options.resume = arguments.resume;
  std::optional<Sha256> hash;
  if (arguments.sha256) {
    Result<Sha256> made = Sha256::Create();
    if (!made) return made.error();
    hash = *std::move(made);
  }
  output_options.on_elements = [&](std::span<const std::byte> bytes) {
    summarizer.Add(bytes);
    if (hash) hash->UpdateElements(bytes, ByteWidth(dtype));
  };
  progress.Phase("preparing " + arguments.output);
  Result<stream::Output> output = stream::Output::Create(arguments.output, raw, dtype, shape,
                                                         streaming.operation, sources, output_options);
  if (!output) return output.error();
  const std::int64_t resumed_at = output->position();
  Rate rate(static_cast<double>(sizes.inputs) + static_cast<double>(sizes.output));
  options.on_progress = [&](double part) { progress.Phase(arguments.output + ": " + rate.Text(part)); };
  Result<void> done = streaming.run(sources, shape, *output, options);
  const auto failed = [&](Error error) {
    if (output->kept())
      error.message += "; a checkpoint is kept: run the same command with --resume to continue";
    return error;
  };
  if (done) {
    progress.Phase("writing " + arguments.output);
    done = output->Finish();
  }
  if (!done) return failed(done.error());
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  progress.Hide();

  Result<std::string> digest = hash ? hash->Finish() : std::string();
  if (!digest) return digest.error();
  const std::string name = std::filesystem::path(arguments.output).stem().string();
  const TensorReport report{name, arguments.output, dtype, shape, summarizer.Finish(*std::move(digest))};
  nlohmann::ordered_json json = JsonHead(verb);
  json["inputs"] = arguments.inputs;
  json["outputs"] = ToJson({&report, 1});
  json["streamed"] = {{"buffer_bytes", options.buffer_bytes}, {"resumed_at_element", resumed_at}};
  json["time_s"] = time.count();
  const std::string table = TensorTable({&report, 1}, time.count(), Terminal::OfStdout());
  outputs.Add([] { return Result<void>(); }, [&] { return output->Commit(); });
  if (Result<void> told = outputs.Deliver(std::move(json), table); !told) return failed(told.error());
  return ExitStatus::kSuccess;
}

}  // namespace

Result<std::variant<ExitStatus, InMemory>> StreamFromFiles(std::string_view verb,
                                                           const FileArguments& arguments,
                                                           io::TensorFormat format, std::int64_t max_bytes,
                                                           const Streaming& streaming, Outputs& outputs) {
  using Choice = std::variant<ExitStatus, InMemory>;
  if (const std::string reason = WhyNotStreamed(arguments, format); !reason.empty()) {
    if (!arguments.resume) return Choice(InMemory());
    return MakeError(
        ErrorCode::kInvalidArgument,
        "--resume is for .npy and raw files, which are computed in parts, and " + reason + "; leave it out");
  }
  const bool asked = arguments.memory || arguments.resume;
  Result<std::vector<stream::Source>> sources = OpenSources(arguments);
  // Without streaming, reading the files reports the error.
  if (!sources && !asked) return Choice(InMemory());
  if (!sources) return sources.error();
  std::vector<TensorView> descriptions;
  for (const stream::Source& source : *sources) descriptions.push_back(source.Description());
  const Result<Shape> shape = streaming.shape(descriptions);
  if (!shape) return shape.error();
  const Result<Sizes> sizes = SizesOf(*sources, *shape, arguments.output, max_bytes);
  if (!sizes) return sizes.error();
  const std::int64_t memory = arguments.memory.value_or(DefaultMemory());
  if (!arguments.resume && sizes->Sum() <= memory - kOwnMemory) {
    return Choice(InMemory{*std::move(sources), *shape});
  }
  const Result<std::int64_t> buffer_bytes = BufferBytes(memory, streaming.least_buffer_bytes);
  if (!buffer_bytes) return buffer_bytes.error();

  stream::StreamOptions options;
  options.buffer_bytes = *buffer_bytes;
  options.threads = arguments.threads;
  const bool raw = format == io::TensorFormat::kRaw;
  Result<ExitStatus> status =
      Run(verb, arguments, streaming, *sources, *shape, *sizes, options, raw, outputs);
  if (!status) return status.error();
  return Choice(*status);
}

}  // namespace supremum::cli
