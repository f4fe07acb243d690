// The lists of a kit, cases.json and invalid.json, which runners and the audit read (kit/README.md).
#ifndef SUPREMUM_KIT_GENERATE_CASE_LIST_H_
#define SUPREMUM_KIT_GENERATE_CASE_LIST_H_

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "generate/model_proto.h"
#include "supremum/tensor.h"

namespace supremum::cli {

/// The elements as one text of hex digits, each as a number of the type's full width.
std::string HexDigits(const Tensor& tensor);

/// A case with its right result.
struct ListedCase {
  std::string id, group, name;
  std::vector<std::string> rules;  ///< that it tests, at least one, the most important first
  std::string reason;
  std::string onnx, onednn;  ///< its folder in ONNX's form, and its graph, inside the kit; "": none
};

/// The entry of a case in cases.json.
nlohmann::ordered_json CaseJson(const ListedCase& one, const io::OneNodeModel& model,
                                std::span<const NamedTensor> inputs, const Tensor& output);

/// A list of entries, each added in one line.
class CaseList {
 public:
  void Add(const nlohmann::ordered_json& entry);

  /// The file of the list, of this version of the command.
  std::string Text() const;

 private:
  std::string lines_;
};

}  // namespace supremum::cli

#endif  // SUPREMUM_KIT_GENERATE_CASE_LIST_H_
