// Running one ONNX test case.
#ifndef SUPREMUM_TOOLS_VERBS_TEST_CASE_H_
#define SUPREMUM_TOOLS_VERBS_TEST_CASE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.h"
#include "verbs/test_find.h"

namespace supremum::cli {

enum class Outcome { kPassed, kFailed, kSkipped };

struct CaseResult {
  Outcome outcome = Outcome::kPassed;
  /// Why it was skipped, or each way in which it failed.
  std::vector<std::string> reasons;
  double seconds = 0;
};

/// Runs the model on every data set and compares its outputs with Difference. A case is skipped only if the
/// model has an operator that supremum does not execute, or the model or the data have a type that it does
/// not support. A data set with refusal.txt instead of outputs passes if the model, or its run, is refused by
/// the rule or the error that the file names. `max_bytes` is the value of --max-bytes.
CaseResult RunCase(const TestCase& test, const std::optional<std::int64_t>& max_bytes,
                   const ExternalDataOptions& external);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_VERBS_TEST_CASE_H_
