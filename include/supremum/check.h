// The checker: holds every Max and ReduceMax node of any ONNX model against the rules, and says what to
// change.
#ifndef SUPREMUM_CHECK_H_
#define SUPREMUM_CHECK_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "supremum/model.h"
#include "supremum/opset.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum {

enum class Verdict : std::uint8_t {
  kHolds,
  kFails,
  kUndecided,  ///< the model does not say enough; `change` says what to state
};

/// "holds", "fails", "undecided".
std::string_view ToString(Verdict verdict);

/// What confines the subprocess in which the onnx library infers shapes
/// (docs/decisions/0018-inference-sandbox.md).
enum class InferenceSandbox : std::uint8_t {
  kLimitsAlone,  ///< limits of memory, time, files and processes: this system or build cannot filter system
                 ///< calls
  kFiltered,     ///< and a filter of system calls (seccomp): it can compute, answer and end, nothing else
};

/// "limits alone", "seccomp".
std::string_view ToString(InferenceSandbox sandbox);

/// What confines that subprocess on this system and in this build.
///
///   if (InferenceSandboxHere() != InferenceSandbox::kFiltered) Warn();
InferenceSandbox InferenceSandboxHere();

/// What one rule says of one node.
struct Finding {
  std::string rule;  ///< "PRO-2", as in docs/semantics.md
  Verdict verdict = Verdict::kHolds;
  std::string text;    ///< what was found
  std::string change;  ///< what to change, empty where the rule holds
};

/// All that was found about one node.
struct NodeReport {
  NodeInfo node;
  std::string scope;  ///< where the node stands: "" for the main graph, else "node 'loop' (Loop), attribute
                      ///< 'body'" or "function 'f'"
  std::vector<Finding>
      findings;  ///< one for each rule that applies, in the order of section 7 of docs/semantics.md
};

struct CheckReport {
  std::string model;
  Profile profile = Profile::kOnnx;
  std::int64_t opset = 0;
  std::vector<NodeReport> nodes;
  std::vector<std::string> notes;  ///< what the reader should know, such as inference that was not possible
  /// What confined the subprocess of the onnx library's inference; empty where the report needed none.
  std::optional<InferenceSandbox> inference;

  std::size_t Count(Verdict verdict) const;
  /// True if every rule holds for every node.
  bool Holds() const { return Count(Verdict::kHolds) == Total(); }
  std::size_t Total() const;
};

struct CheckOptions {
  Profile profile = Profile::kOnnx;
  bool identical_shapes_only = false;  ///< PRO-6
  /// The most memory that the model's messages, and what follows from them, may take.
  std::int64_t max_bytes = kDefaultMaxBytes;
};

/// Examines every Max and ReduceMax node of the model in `path`, whatever other operators it has; nodes in
/// subgraphs and model-local functions too. Shapes that the model leaves out are filled by inference for Max,
/// ReduceMax, Constant and Identity, and by the onnx library's own where it knows the opset. That one runs in
/// a subprocess (fork) in a sandbox, since it is not made for untrusted input; where it fails, `notes` says
/// so.
///
/// Errors: kIo, kMalformedFile, kLimitExceeded: the file could not be judged. What is wrong with a node is a
/// finding.
///
///   Result<CheckReport> report = CheckModel("net.onnx", {.profile = Profile::kSonnx});
///   if (report && report->Holds()) Accept();
Result<CheckReport> CheckModel(const std::string& path, const CheckOptions& options = {});

/// The same from memory; `source` is what messages call it.
Result<CheckReport> CheckModel(std::span<const std::byte> bytes, const std::string& source,
                               const CheckOptions& options = {});

}  // namespace supremum

#endif  // SUPREMUM_CHECK_H_
