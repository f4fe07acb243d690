// The conformance cases as `supremum gen-conformance` writes them.
#ifndef SUPREMUM_KIT_AUDIT_CASES_H_
#define SUPREMUM_KIT_AUDIT_CASES_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "supremum/dtype.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum::cli {

/// Elements as hexadecimal digits, most significant first, element after element.
struct TensorBits {
  std::vector<std::int64_t> shape;
  std::string bits;

  friend bool operator==(const TensorBits&, const TensorBits&) = default;
};

/// A case with an expected output, or a model that must be refused.
struct AuditCase {
  std::string id;
  std::vector<std::string> rules;  ///< at least one; a wrong result violates the first
  std::string reason;
  bool invalid = false;

  // Of a case with an expected output.
  DType dtype = DType::kFloat32;
  std::string op;
  std::int64_t opset = 0;
  std::string attributes;  ///< "axes=[1] keepdims=0"; "" if there are none
  /// The axes that ReduceMax reduces, as the case states them; none: all of them (RED-5 has been applied).
  std::optional<std::vector<std::int64_t>> axes;
  bool keepdims = true;
  std::vector<TensorBits> inputs;
  TensorBits output;
  std::string onnx;  ///< the folder of its ONNX model below the folder of the cases; "" if there is none

  // Of a model that must be refused.
  std::string model;         ///< its path below the folder
  bool needs_files = false;  ///< it must be refused only when it runs on tensors of files
  std::string fails;         ///< the step that must fail: "load", "infer", "run" or "profile"
  std::string code;          ///< the name of supremum's error

  /// The path of its model below the folder of the cases; "" if there is none.
  std::string ModelPath() const;

  /// True if a rule of the safety-related profile refuses it, which does not apply to other runtimes.
  bool OfProfile() const { return invalid && (fails == "profile" || rules.front().starts_with("PRO-")); }

  /// How many elements its inputs and its output have.
  std::size_t ElementCount() const;
};

/// The cases in the order in which runners count them: those with an expected output, then the models that
/// must be refused.
struct AuditCases {
  std::string version;
  std::vector<AuditCase> all;
  std::size_t valid_count = 0;
};

/// Reads cases.json and invalid.json in `folder`. They are untrusted input.
///
/// Errors: kIo, kMalformedFile naming file and case, kLimitExceeded, kInvalidArgument if there is no case.
Result<AuditCases> ReadAuditCases(const std::filesystem::path& folder);

/// True if `wanted` is the id, or a pattern with '*', '?' or '[' that matches it.
bool NamesCase(const std::string& wanted, const std::string& id);

/// The cases among `cases` that any of `wanted` names.
///
/// Errors: kInvalidArgument naming one of `wanted` that matches no case.
Result<std::set<std::string>> ChooseCases(const AuditCases& cases, const std::vector<std::string>& wanted);

/// Makes `folder` a folder of those cases of `whole` whose ids are in `ids`; models are linked, not copied.
///
/// Errors: kIo, kMalformedFile.
Result<void> WriteChosenCases(const std::filesystem::path& whole, const std::set<std::string>& ids,
                              const std::filesystem::path& folder);

/// The tensor that bits describe.
///
/// Errors: those of Tensor::Create; kMalformedFile if they are not hexadecimal digits, or if their number
/// does not match the shape.
Result<Tensor> TensorOf(DType dtype, const TensorBits& bits);

}  // namespace supremum::cli

#endif  // SUPREMUM_KIT_AUDIT_CASES_H_
