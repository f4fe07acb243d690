// Files ready to be filed with the authors of other runtimes: `supremum audit --issues`.
#ifndef SUPREMUM_KIT_AUDIT_ISSUES_H_
#define SUPREMUM_KIT_AUDIT_ISSUES_H_

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string_view>

#include "audit/report.h"
#include "supremum/result.h"

namespace supremum::cli {

/// Writes one file: its path below the folder of the issues, and its content.
using PutIssueFile = std::function<Result<void>(const std::filesystem::path& path, std::string_view content)>;

/// How many were written.
struct IssueCounts {
  std::size_t issues = 0, programs = 0;
};

/// Writes with `put`, for each deviation of a runner that is not supremum's own, where NN counts those of the
/// runner:
///
///   RUNNER/NN-RULE-OPERATOR-WHAT.md    the issue
///   RUNNER/NN-RULE-OPERATOR-WHAT.onnx  the model of its case, if the case has one (.json: a graph of oneDNN)
///   RUNNER/NN-RULE-OPERATOR-WHAT.EXT   the program (programs.h), if there is one
///   README.md                          a table of all issues
///
/// The case of an issue is the smallest of the deviation; of models that must be refused, one that needs no
/// other file, if there is one. `cases` is the folder of the audit's cases. Texts of runners and of cases are
/// untrusted; a model is read only from below `cases`.
///
/// Errors: those of `put`; kMalformedFile if a case names a model outside of `cases`; kIo and kLimitExceeded
///   if a model cannot be read.
Result<IssueCounts> WriteIssues(const Audit& audit, const std::filesystem::path& cases,
                                const PutIssueFile& put);

}  // namespace supremum::cli

#endif  // SUPREMUM_KIT_AUDIT_ISSUES_H_
