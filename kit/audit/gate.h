// Whether the failures of an audit count as errors, for programs that must not get worse.
#ifndef SUPREMUM_KIT_AUDIT_GATE_H_
#define SUPREMUM_KIT_AUDIT_GATE_H_

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/report.h"
#include "supremum/result.h"

namespace supremum::cli {

/// The failed cases of an earlier audit: the letter of the verdict, by runner and case.
using Baseline = std::map<std::pair<std::string, std::string>, char>;

/// Reads the JSON of an earlier audit, which is untrusted input. Errors: kIo, kMalformedFile, kLimitExceeded.
Result<Baseline> ReadBaseline(const std::string& path);

/// A failed case that counts as an error.
struct GateFailure {
  std::size_t run = 0;  ///< index of the JudgedRun
  std::size_t one = 0;  ///< index of the case
  std::string rule;     ///< the first of the rules that it violates
};

/// The rules that `--fail-on` names, separated by commas; all rules for "all". Errors: kInvalidArgument
/// naming what is no rule.
Result<std::set<std::string>> ParseRules(std::string_view text);

/// The cases that violate one of `rules` and are not in `baseline` with the same verdict, of runners in their
/// order.
std::vector<GateFailure> FailuresOf(const Audit& audit, const std::set<std::string>& rules,
                                    const Baseline& baseline);

}  // namespace supremum::cli

#endif  // SUPREMUM_KIT_AUDIT_GATE_H_
