// What the verb `inspect` does for one kind of file.
#ifndef SUPREMUM_TOOLS_INSPECT_H_
#define SUPREMUM_TOOLS_INSPECT_H_

#include <cstdint>
#include <string>

#include "exit_status.h"
#include "progress.h"
#include "supremum/result.h"

namespace supremum::cli {

/// Shows a oneDNN graph: what it states, and nothing inferred. `json` is as Deliver takes it.
///
/// Errors: those of LoadOneDnn and Deliver.
Result<ExitStatus> InspectOneDnn(const std::string& file, std::int64_t max_bytes, const std::string& json,
                                 Progress& progress);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_INSPECT_H_
