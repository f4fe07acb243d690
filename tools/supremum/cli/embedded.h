// Source files that are embedded in the command; scripts/cmake/SupremumEmbed.cmake makes the definitions.
#ifndef SUPREMUM_TOOLS_CLI_EMBEDDED_H_
#define SUPREMUM_TOOLS_CLI_EMBEDDED_H_

#include <string_view>

namespace supremum::cli {

extern const std::string_view kExtractedC;  ///< verification/proofs/extracted/lanes.c

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_EMBEDDED_H_
