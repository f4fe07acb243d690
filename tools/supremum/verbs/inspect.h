// The verb `inspect` for one kind of file.
#ifndef SUPREMUM_TOOLS_VERBS_INSPECT_H_
#define SUPREMUM_TOOLS_VERBS_INSPECT_H_

#include <cstdint>
#include <span>
#include <string>

#include "cli/exit_status.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "supremum/check.h"
#include "supremum/result.h"

namespace supremum::cli {

/// "10 Relu, 3 MaxPool and 2 of other operators": the most frequent ones by name.
std::string CountsText(std::span<const OperatorCount> counts);

/// Shows a oneDNN graph with the shapes that follow; if inference finds an error, as stated.
///
/// Errors: those of LoadOneDnn, Outputs::Deliver and, after the graph has been shown, OneDnnGraph::Infer.
Result<ExitStatus> InspectOneDnn(const std::string& file, std::int64_t max_bytes, Outputs& outputs,
                                 Progress& progress);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_VERBS_INSPECT_H_
