// Checks every Max and ReduceMax node of an ONNX model against the rules, and says what to change.
#ifndef SUPREMUM_CHECK_H_
#define SUPREMUM_CHECK_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "supremum/model.h"
#include "supremum/opset.h"
#include "supremum/result.h"
#include "supremum/tensor.h"
#include "supremum/verdict.h"  // IWYU pragma: export

namespace supremum {

/// "holds", "fails", "undecided".
std::string_view ToString(Verdict verdict);

/// How the subprocess in which the onnx library infers shapes is confined
/// (docs/decisions/0014-inference-sandbox.md).
enum class InferenceSandbox : std::uint8_t {
  kLimitsAlone,  ///< limits of memory, time, files and processes; system calls cannot be filtered here
  kFiltered,     ///< these limits, and a filter of system calls (seccomp): no file, process or network
};

/// "limits alone", "seccomp".
std::string_view ToString(InferenceSandbox sandbox);

/// How that subprocess is confined on this system and in this build.
///
///   if (InferenceSandboxHere() != InferenceSandbox::kFiltered) Warn();
InferenceSandbox InferenceSandboxHere();

/// The result of one rule for one node.
struct Finding {
  std::string rule;  ///< "PRO-2", as in docs/semantics.md
  Verdict verdict = Verdict::kHolds;
  std::string text;    ///< what was found
  std::string change;  ///< what to change; empty if the rule holds
};

/// All findings of one node.
struct NodeReport {
  NodeInfo node;
  std::string scope;  ///< the graph of the node: "" for the main graph, else "node 'loop' (Loop), attribute
                      ///< 'body'", "function 'f', called by node 'n' (f)", or "function 'f'" if none calls it
  std::vector<Finding>
      findings;  ///< one for each rule that applies, in the order of section 7 of docs/semantics.md
};

/// How many nodes an operator has.
struct OperatorCount {
  std::string op;  ///< "Relu"; "ai.example.Fancy" of another domain than ONNX's own
  std::size_t nodes = 0;
};

struct CheckReport {
  std::string model;
  Profile profile = Profile::kOnnx;
  std::string producer;    ///< name and version, as the model states them
  std::int64_t opset = 0;  ///< 0 if the model imports none and has no node that is checked
  std::vector<NodeReport> nodes;
  /// The other nodes of the model, in subgraphs and functions too, the most frequent operator first.
  std::vector<OperatorCount> not_judged;
  std::vector<std::string> notes;  ///< limits of the report, such as inference that was not possible
  /// How the subprocess of the onnx library's inference was confined; empty if the report needed none.
  std::optional<InferenceSandbox> inference;

  std::size_t Count(Verdict verdict) const;
  /// True if every rule holds for every node.
  bool Holds() const { return Count(Verdict::kHolds) == Total(); }
  std::size_t Total() const;
};

struct CheckOptions {
  Profile profile = Profile::kOnnx;
  bool identical_shapes_only = false;  ///< PRO-6
  /// Values of symbolic dimensions. They are written in place of the symbols that the model states before it
  /// is checked; a report with them is about that model.
  std::map<std::string, std::int64_t> dims = {};
  /// Maximum memory of the model's messages and of what is derived from them, in bytes.
  std::int64_t max_bytes = kDefaultMaxBytes;
};

/// Checks every Max and ReduceMax node of the model in `path`, including nodes in subgraphs and model-local
/// functions: a function is judged for each call, with the caller's types and shapes. The model may have any
/// other operators. Shapes that the model does not state are inferred: by supremum for Max, ReduceMax,
/// Constant, Identity and small constants that nodes compute from constants. The onnx library infers the
/// others if it supports the opset. It runs in a subprocess (fork) in a sandbox, since it is not made for
/// untrusted input; if it fails, `notes` says so.
///
/// Errors: kIo, kMalformedFile, kLimitExceeded, if the file could not be checked; kInvalidArgument for `dims`
///   that the model does not have. A fault of a node is a finding, not an error.
///
///   Result<CheckReport> report = CheckModel("net.onnx", {.profile = Profile::kSonnx});
///   if (report && report->Holds()) Accept();
Result<CheckReport> CheckModel(const std::string& path, const CheckOptions& options = {});

/// The same from memory; `source` is its name in messages.
Result<CheckReport> CheckModel(std::span<const std::byte> bytes, const std::string& source,
                               const CheckOptions& options = {});

}  // namespace supremum

#endif  // SUPREMUM_CHECK_H_
