// The conformance cases, for verbs that need them as files.
#ifndef SUPREMUM_TOOLS_CONFORMANCE_H_
#define SUPREMUM_TOOLS_CONFORMANCE_H_

#include <filesystem>

#include "progress.h"
#include "supremum/result.h"

namespace supremum::cli {

/// Writes into `folder`, which exists and is empty, what `supremum gen-conformance` writes.
///
/// Errors: kIo, kOutOfMemory; kMalformedFile if the reference does not agree with a case.
Result<void> WriteConformance(const std::filesystem::path& folder, Progress& progress);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CONFORMANCE_H_
