// The findings of an audit as JSON: report.json, and the data of the page.
#ifndef SUPREMUM_KIT_AUDIT_REPORT_H_
#define SUPREMUM_KIT_AUDIT_REPORT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "audit/cases.h"
#include "audit/judge.h"

namespace supremum::cli {

/// An audit as a whole.
struct Audit {
  AuditCases cases;
  std::vector<RunnerRun> runs;
  std::vector<JudgedRun> judged;  ///< of runs, one for one
  std::vector<Deviation> deviations;
  std::string command;  ///< "supremum audit", with the options for the folders of cases and runners

  /// The command that runs one case with one runner.
  std::string Reproduce(const RunnerRun& run, const AuditCase& one) const;

  /// True if every runner of supremum ran and passed all cases.
  bool OwnPassed() const;
};

/// The system and the processor: "Linux x86_64"; "unknown" if the system does not tell.
std::string Machine();

/// Elements as people read them, the first `limit` of them: {"shape": [2], "bits": "...", "elements":
/// [["-0", "0x80000000"], ...], "size": 2}. Without "elements" if the bits do not fit the shape.
nlohmann::ordered_json ToJson(DType dtype, const TensorBits& tensor, std::size_t limit);

/// The document. kit/README.md has its form.
nlohmann::ordered_json AuditJson(const Audit& audit);

}  // namespace supremum::cli

#endif  // SUPREMUM_KIT_AUDIT_REPORT_H_
