// The verb `run`: the common part, and the parts for ONNX models and oneDNN graphs.
#ifndef SUPREMUM_TOOLS_VERBS_RUN_H_
#define SUPREMUM_TOOLS_VERBS_RUN_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/bounds.h"
#include "cli/options.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "supremum/model.h"
#include "supremum/onednn_graph.h"
#include "supremum/result.h"
#include "supremum/tensor.h"
#include "verbs/run_inputs.h"

namespace supremum::cli {

struct RunArguments {
  std::string model;
  InputRequest inputs;
  std::optional<std::int64_t> max_bytes;  ///< as --max-bytes states it; `inputs` has the resulting limit
  ExternalDataOptions external;
  std::vector<std::string> bounds;  ///< as --bound takes them
  Strictness strictness;
  std::size_t threads = 0;
  std::string output_dir;
  std::string format = "npy";
  bool sha256 = false;  ///< of the inputs and outputs
  std::string json;
  /// If set, called with the names of the outputs, in order, after the model and before the inputs are read.
  /// An error ends the run.
  std::function<Result<void>(const std::vector<std::string>&)> before;
};

struct TimedOutputs {
  std::vector<NamedTensor> outputs;
  double seconds = 0;
};

/// The outputs of the run, and its time. Errors: those of `run`.
Result<TimedOutputs> RunTimed(const std::function<Result<std::vector<NamedTensor>>()>& run);

/// The result of a run, for the reports.
struct ComputedRun {
  GatheredInputs inputs;
  std::vector<NamedTensor> outputs;  ///< followed by their bounds, if bounds were given
  double seconds = 0;
  std::string model_sha256;            ///< of the file's bytes; empty without --json
  std::optional<std::string> profile;  ///< empty where no profile applies
  std::vector<StatedBound> bounds = {};
  nlohmann::ordered_json external_data = nlohmann::ordered_json::array();  ///< of ExternalDataJson
};

/// The files of a model's external data, each with its number of tensors and, if it may be opened, its
/// SHA-256: [{"file": "weights.bin", "tensors": 2, "sha256": "..."}].
///
/// Errors: those of io::InputFile::OpenInside and Sha256Of.
Result<nlohmann::ordered_json> ExternalDataJson(const ModelContents& contents, const std::string& model,
                                                const ExternalDataOptions& external);

/// True if the file is a oneDNN graph: its name ends in .json, or its first byte that is not blank is '{',
/// which no ONNX model begins with. If the file cannot be read, only the name decides.
bool LooksLikeOneDnn(const std::string& path);

/// The error of a verb that takes ONNX models only. Errors: kMalformedFile if the file is something else.
Error OneDnnRefused(std::string_view verb, const std::string& path);

/// A graph, with the SHA-256 of its file in `digest`, if it is not null. Errors: kIo, kLimitExceeded, and
/// those of OneDnnGraph::Parse.
Result<OneDnnGraph> LoadOneDnn(const std::string& path, std::int64_t max_bytes,
                               std::string* digest = nullptr);

/// Reads the graph and its inputs and computes its outputs.
///
/// Errors: kInvalidArgument for an option that applies only to ONNX models; those of GatherInputs,
///   OneDnnGraph::Parse and OneDnnGraph::Run.
Result<ComputedRun> ComputeOneDnn(const RunArguments& arguments, Progress& progress);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_VERBS_RUN_H_
