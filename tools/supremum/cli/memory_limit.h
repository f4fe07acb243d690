// The memory limit of the command for files that it computes in parts.
#ifndef SUPREMUM_TOOLS_CLI_MEMORY_LIMIT_H_
#define SUPREMUM_TOOLS_CLI_MEMORY_LIMIT_H_

#include <cstdint>

namespace supremum::cli {

/// --memory if it is not given: room for the largest useful buffers of files that are read from front to back
/// (kBestBuffer), and for small broadcast inputs.
inline constexpr std::int64_t kDefaultMemory = std::int64_t{64} << 20;

/// The same for files in Fortran order, whose rows are scattered: a quarter of the available memory, which is
/// the machine's, or the limit of the control group if that is lower.
std::int64_t QuarterOfMemory();

/// The part of --memory, in bytes, that is reserved for everything except tensors and buffers: program and
/// libraries, stacks of threads, plans and texts. A constant, independent of the memory in use, so that the
/// same request is refused or accepted in every run. Measured (x86-64, release): runs in parts peak at 13 to
/// 17 MiB, including the buffers in use.
inline constexpr std::int64_t kOwnMemory = std::int64_t{24} << 20;

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_MEMORY_LIMIT_H_
