// The conformance cases, for verbs that need them as files.
#ifndef SUPREMUM_KIT_GENERATE_CONFORMANCE_H_
#define SUPREMUM_KIT_GENERATE_CONFORMANCE_H_

#include <filesystem>
#include <functional>
#include <string>

#include "cli/progress.h"
#include "supremum/result.h"

namespace supremum::cli {

/// True for the id of a case that is needed.
using WantsCase = std::function<bool(const std::string&)>;

/// Writes into `folder`, which exists and is empty, the files of `supremum gen-conformance`, but models and
/// graphs only for the cases for which `wants` is true. The lists contain all cases.
///
/// Errors: kIo, kOutOfMemory; kMalformedFile if the reference does not agree with a case.
Result<void> WriteConformance(const std::filesystem::path& folder, const WantsCase& wants,
                              Progress& progress);

}  // namespace supremum::cli

#endif  // SUPREMUM_KIT_GENERATE_CONFORMANCE_H_
