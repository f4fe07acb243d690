// supremum bench: how long a model takes.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/options.h"
#include "cli/output.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/table.h"
#include "supremum/target.h"
#include "verbs/run.h"
#include "verbs/verbs.h"

namespace supremum::cli {
namespace {

struct BenchArguments {
  RunArguments run;
  std::uint64_t runs = 30;
  std::uint64_t warm_up = 3;
};

/// The times of the measured runs, in seconds.
struct Times {
  double min = 0;
  double lower_quartile = 0;
  double median = 0;
  double upper_quartile = 0;
  double max = 0;
};

/// The quantile `part` of `sorted`, interpolated linearly between neighbours.
double Quantile(const std::vector<double>& sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// Requires: there is a time.
Times TimesOf(std::vector<double> seconds) {
  std::ranges::sort(seconds);
  return {seconds.front(), Quantile(seconds, 0.25), Quantile(seconds, 0.5), Quantile(seconds, 0.75),
          seconds.back()};
}

/// The bytes of the inputs and outputs, each once: the least that a run reads and writes.
std::size_t BytesOf(const ComputedRun& run) {
  std::size_t bytes = 0;
  for (const NamedTensor& input : run.inputs.tensors) bytes += input.tensor.byte_size();
  for (const NamedTensor& output : run.outputs) bytes += output.tensor.byte_size();
  return bytes;
}

std::string ThreadsText(std::size_t threads) {
  return threads == 0 ? "all cores" : fmt::format("{}", threads);
}

std::string BenchText(const Times& times, std::size_t runs, std::size_t bytes, double gb_per_s,
                      std::size_t threads) {
  Table table({{"runs", Table::kRight},
               {"median", Table::kRight},
               {"min", Table::kRight},
               {"quartiles", Table::kRight},
               {"max", Table::kRight},
               {"bytes", Table::kRight},
               {"GB/s", Table::kRight},
               {"threads", Table::kRight},
               {"target"}});
  table.Add({fmt::format("{}", runs), TimeText(times.median), TimeText(times.min),
             fmt::format("{} to {}", TimeText(times.lower_quartile), TimeText(times.upper_quartile)),
             TimeText(times.max), fmt::format("{}", bytes), fmt::format("{:.3f}", gb_per_s),
             ThreadsText(threads), std::string(ActiveTarget())});
  return table.Text(Terminal::OfStdout()) +
         "A run checks, allocates memory, plans and computes. Bytes are the inputs and the outputs, once "
         "each;\n"
         "GB/s is from the median. On a machine with other load, the figures vary between calls.\n";
}

Result<ExitStatus> Execute(const BenchArguments& arguments) {
  if (arguments.runs == 0) {
    return MakeError(ErrorCode::kInvalidArgument, "--runs 0 measures nothing; give 1 or more");
  }
  Progress progress;
  std::vector<double> seconds;
  std::uint64_t done = 0;
  RunArguments run = arguments.run;
  // Inputs without a file are random; their seed does not matter here.
  run.inputs.seed = run.inputs.seed.value_or(1);
  DecideMaxBytes(&run);
  run.again = [&](double time) {
    if (done++ >= arguments.warm_up) seconds.push_back(time);
    return seconds.size() < arguments.runs;
  };
  Outputs outputs;
  ReadsOfRun(run, &outputs);
  if (Result<void> claimed = outputs.ClaimJson(run.json); !claimed) return claimed.error();
  const Result<ComputedRun> computed = Compute(run, progress);
  if (!computed) return computed.error();
  progress.Hide();

  const Times times = TimesOf(seconds);
  const std::size_t bytes = BytesOf(*computed);
  const double gb_per_s = times.median > 0 ? static_cast<double>(bytes) / times.median * 1e-9 : 0;
  nlohmann::ordered_json json = JsonHead("bench");
  json["model"] = run.model;
  json["seed"] = *run.inputs.seed;
  json["target"] = ActiveTarget();
  json["threads"] = nullptr;
  if (run.threads != 0) json["threads"] = run.threads;
  json["bytes"] = bytes;
  json["median_s"] = times.median;
  json["min_s"] = times.min;
  json["lower_quartile_s"] = times.lower_quartile;
  json["upper_quartile_s"] = times.upper_quartile;
  json["max_s"] = times.max;
  json["gb_per_s"] = gb_per_s;
  json["times_s"] = seconds;
  const std::string text = BenchText(times, seconds.size(), bytes, gb_per_s, run.threads);
  if (Result<void> delivered = outputs.Deliver(std::move(json), text); !delivered) return delivered.error();
  return ExitStatus::kSuccess;
}

}  // namespace

Verb AddBench(CLI::App& app) {
  const auto arguments = std::make_shared<BenchArguments>();
  RunArguments& run = arguments->run;
  CLI::App* verb =
      AddVerb(app, "bench", "Measures how long a model or a oneDNN graph takes.",
              std::string(InputHelp()) +
                  "Inputs that are not given are random, with seed 1 unless --random gives another.\n\n"
                  "Examples:\n"
                  "  supremum bench fuse.onnx\n"
                  "  supremum bench batch.onnx --dim N=64 --threads 1 --runs 100 --json -\n"
                  "  supremum bench graph.json --input 0=a.npy\n");
  AddPositional(*verb, "MODEL", &run.model, "an ONNX model, or a oneDNN graph as JSON");
  AddRepeated(*verb, "-i,--input", "[NAME=]FILE", &run.inputs.files, "a file for an input, see below");
  AddSeed(*verb, &run.inputs.seed);
  AddDims(*verb, &run.inputs.dims);
  AddDTypes(*verb, "NAME", &run.inputs.dtypes);
  AddNumber(*verb, "--runs", "N", &arguments->runs, "the number of measured runs");
  AddNumber(*verb, "--warm-up", "N", &arguments->warm_up, "the number of unmeasured runs before them");
  AddThreads(*verb, &run.threads);
  AddMaxBytes(*verb, &run.max_bytes);
  AddExternalData(*verb, &run.external);
  AddJson(*verb, &run.json);
  return {verb, [arguments] { return Execute(*arguments); }};
}

}  // namespace supremum::cli
