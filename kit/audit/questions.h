// Small cases whose results summarize how a runtime orders numbers.
#ifndef SUPREMUM_KIT_AUDIT_QUESTIONS_H_
#define SUPREMUM_KIT_AUDIT_QUESTIONS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "audit/report.h"

namespace supremum::cli {

/// One of the conformance cases, with a short text.
struct Question {
  std::string_view text;  ///< "Max(+0; -0)"
  std::size_t index = 0;  ///< into AuditCases::all
  std::string right;      ///< "+0"
};

/// Those whose cases are among `cases`.
std::vector<Question> Questions(const AuditCases& cases);

/// The answer of a runner to a question, as a word or a number.
std::string ShortAnswer(const Audit& audit, std::size_t run, const Question& question);

}  // namespace supremum::cli

#endif  // SUPREMUM_KIT_AUDIT_QUESTIONS_H_
