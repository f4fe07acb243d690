// How much memory the command may take for what lies in large files.
#ifndef SUPREMUM_TOOLS_MEMORY_LIMIT_H_
#define SUPREMUM_TOOLS_MEMORY_LIMIT_H_

#include <cstdint>

namespace supremum::cli {

/// A quarter of the memory that the process can have: of the machine's, or of what its control group allows.
std::int64_t DefaultMemory();

/// What the process takes before it has read anything, and will take besides its buffers.
std::int64_t OwnMemory();

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_MEMORY_LIMIT_H_
