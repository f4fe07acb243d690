// The conformance cases, for verbs that need them as files.
#ifndef SUPREMUM_TOOLS_CONFORMANCE_H_
#define SUPREMUM_TOOLS_CONFORMANCE_H_

#include <filesystem>
#include <functional>
#include <string>

#include "progress.h"
#include "supremum/result.h"

namespace supremum::cli {

/// Tells by its id whether a case is needed.
using WantsCase = std::function<bool(const std::string&)>;

/// Writes into `folder`, which exists and is empty, what `supremum gen-conformance` writes, but of the models
/// and graphs only those of the cases that `wants` lets through. The lists name them all.
///
/// Errors: kIo, kOutOfMemory; kMalformedFile if the reference does not agree with a case.
Result<void> WriteConformance(const std::filesystem::path& folder, const WantsCase& wants,
                              Progress& progress);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CONFORMANCE_H_
