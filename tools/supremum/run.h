// What the verb `run` does in the same way for every kind of file, and what is particular to one.
#ifndef SUPREMUM_TOOLS_RUN_H_
#define SUPREMUM_TOOLS_RUN_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bounds.h"
#include "options.h"
#include "outputs.h"
#include "progress.h"
#include "run_inputs.h"
#include "supremum/onednn_graph.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum::cli {

struct RunArguments {
  std::string model;
  InputRequest inputs;
  std::optional<std::int64_t> max_bytes;  ///< as --max-bytes states it; `inputs` has what it comes to
  bool allow_external_data = false;
  std::vector<std::string> bounds;  ///< as --bound takes them
  Strictness strictness;
  std::size_t threads = 0;
  std::string output_dir;
  std::string format = "npy";
  std::string json;
  /// Called with the names of the outputs, in order, once the model is read, if set: what it returns ends the
  /// run before inputs are read.
  std::function<Result<void>(const std::vector<std::string>&)> before;
  /// Called with the time of each run, if set: the model runs once more while it says true.
  std::function<bool(double)> again;
};

struct TimedOutputs {
  std::vector<NamedTensor> outputs;
  double seconds = 0;
};

/// The outputs of the last run, and its time. Errors: those of `run`.
Result<TimedOutputs> RunTimed(const RunArguments& arguments,
                              const std::function<Result<std::vector<NamedTensor>>()>& run);

/// A run that is done, for the reports.
struct ComputedRun {
  GatheredInputs inputs;
  std::vector<NamedTensor> outputs;  ///< and behind them what is known of them, if bounds were given
  double seconds = 0;
  std::optional<std::string> profile;  ///< empty where no profile applies
  std::vector<StatedBound> bounds = {};
};

/// True if the file is a oneDNN graph: its name ends in .json, or its first byte that is not blank is '{',
/// with which no ONNX model begins. Of a file that cannot be read, the name alone decides.
bool LooksLikeOneDnn(const std::string& path);

/// Errors: kIo, kLimitExceeded, and those of OneDnnGraph::Parse.
Result<OneDnnGraph> LoadOneDnn(const std::string& path, std::int64_t max_bytes);

/// Tells `outputs` which files the run reads.
void ReadsOfRun(const RunArguments& arguments, Outputs* outputs);

/// Decides how much memory the run may take, from --max-bytes and the files.
void DecideMaxBytes(RunArguments* arguments);

/// Reads the model or the graph and its inputs and computes its outputs.
Result<ComputedRun> Compute(const RunArguments& arguments, Progress& progress);

/// Reads the graph and its inputs and computes its outputs.
///
/// Errors: kInvalidArgument for an option that is about ONNX models; those of GatherInputs,
/// OneDnnGraph::Parse
///   and OneDnnGraph::Run.
Result<ComputedRun> ComputeOneDnn(const RunArguments& arguments, Progress& progress);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_RUN_H_
