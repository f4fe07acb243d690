// The findings of an audit as text for terminals and as Markdown.
#ifndef SUPREMUM_KIT_AUDIT_TEXT_H_
#define SUPREMUM_KIT_AUDIT_TEXT_H_

#include <cstddef>
#include <span>
#include <string>

#include "audit/gate.h"
#include "audit/report.h"
#include "cli/terminal.h"

namespace supremum::cli {

/// A line for each runner, the runners that did not run, and counts. With `only_failed`, only runners that
/// failed a case, and a line for each deviation.
std::string AuditSummary(const Audit& audit, bool only_failed, const Terminal& terminal);

/// "numpy: one/of_two/bool: wrong value (RED-1)", of at most 20 of `failures`, and their number; "" if there
/// are none.
std::string FailuresText(const Audit& audit, std::span<const GateFailure> failures);

/// A case in full: inputs, expected output, each runner's result, and the rules.
std::string CaseText(const Audit& audit, std::size_t index, const Terminal& terminal);

/// The findings as a page of documentation: counts, the table of rules, each deviation with its smallest
/// case.
std::string AuditMarkdown(const Audit& audit);

}  // namespace supremum::cli

#endif  // SUPREMUM_KIT_AUDIT_TEXT_H_
