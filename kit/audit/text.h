// The findings of an audit as text for terminals and as Markdown.
#ifndef SUPREMUM_KIT_AUDIT_TEXT_H_
#define SUPREMUM_KIT_AUDIT_TEXT_H_

#include <cstddef>
#include <string>

#include "audit/report.h"
#include "cli/terminal.h"

namespace supremum::cli {

/// A line for each runner, the runners that did not run, and counts.
std::string AuditSummary(const Audit& audit, const Terminal& terminal);

/// A case in full: inputs, expected output, each runner's result, and the rules.
std::string CaseText(const Audit& audit, std::size_t index, const Terminal& terminal);

/// The findings as a page of documentation: counts, the table of rules, each deviation with its smallest
/// case.
std::string AuditMarkdown(const Audit& audit);

}  // namespace supremum::cli

#endif  // SUPREMUM_KIT_AUDIT_TEXT_H_
