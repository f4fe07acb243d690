// The conformance cases as data; kit/README.md describes the format of their files.
#ifndef SUPREMUM_KIT_GENERATE_CONFORMANCE_CASES_H_
#define SUPREMUM_KIT_GENERATE_CONFORMANCE_CASES_H_

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generate/model_proto.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum::cli {

/// A file of cases, by its name and its text.
struct CaseFile {
  std::string name;
  std::string text;
};

/// True if the cases of a further file are models and graphs, and not those of a list.
///
/// Errors: kMalformedFile.
Result<bool> StatesModels(const CaseFile& file);

/// The case files of a folder, by name. Errors: kIo; kInvalidArgument if it has none.
Result<std::vector<CaseFile>> ReadCaseFiles(const std::string& folder);

/// One case of one type.
struct ConformanceCase {
  std::string id;  ///< "group/name/type"
  std::string name;
  io::OneNodeModel model;  ///< with the output's shape
  std::vector<NamedTensor> inputs;
  Tensor output;                      ///< the expected output, from the case file
  bool leaves_out_keep_dims = false;  ///< its oneDNN graph does, whose default is false (RED-4)
};

/// A model or graph that must be refused.
// NOLINTNEXTLINE(bugprone-exception-escape): moving JSON, which is noexcept, tests itself
struct InvalidCase {
  std::string id;  ///< "group/name"
  /// One of the two: an ONNX model, or a oneDNN graph.
  std::optional<io::AnyModel> model;
  std::optional<nlohmann::ordered_json> graph;
  std::vector<NamedTensor> inputs;  ///< for a model that must be refused when it runs
  bool no_broadcast = false;        ///< refused only with the stricter switch (PRO-6)
  nlohmann::ordered_json verdict;
};

/// The content of one file: cases that test the same rules.
struct CaseGroup {
  std::string name;
  std::vector<std::string> rules;
  std::string reason;
  std::vector<ConformanceCase> cases;
  std::vector<InvalidCase> invalid;
};

/// Errors: kMalformedFile naming the file and the case; kOutOfMemory.
Result<CaseGroup> ParseCaseFile(const CaseFile& file);

}  // namespace supremum::cli

#endif  // SUPREMUM_KIT_GENERATE_CONFORMANCE_CASES_H_
