// What an audit found, for terminals and as Markdown.
#ifndef SUPREMUM_TOOLS_AUDIT_TEXT_H_
#define SUPREMUM_TOOLS_AUDIT_TEXT_H_

#include <cstddef>
#include <string>

#include "audit_report.h"
#include "terminal.h"

namespace supremum::cli {

/// A line for each runner, and what to look at next.
std::string AuditSummary(const Audit& audit, const Terminal& terminal);

/// A case in full: inputs, the right result, what each runner makes of it, the rules.
std::string CaseText(const Audit& audit, std::size_t index, const Terminal& terminal);

/// The findings as a page of documentation: counts, the table of rules, each deviation with its smallest
/// case.
std::string AuditMarkdown(const Audit& audit);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_AUDIT_TEXT_H_
