// How much memory the command may take for what lies in large files.
#ifndef SUPREMUM_TOOLS_MEMORY_LIMIT_H_
#define SUPREMUM_TOOLS_MEMORY_LIMIT_H_

#include <cstdint>

namespace supremum::cli {

/// A quarter of the memory that the process can have: of the machine's, or of what its control group allows.
std::int64_t DefaultMemory();

/// What of --memory is set aside for everything but tensors and buffers: program and libraries, stacks of
/// threads, plans and texts. One number, in bytes, whatever the process has in use: the same request is
/// refused or accepted in every run. Measured (x86-64, release): runs by parts peak at 13 to 17 MiB, the
/// buffers in use included.
inline constexpr std::int64_t kOwnMemory = std::int64_t{24} << 20;

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_MEMORY_LIMIT_H_
