// The processors that the CPU quota (CFS bandwidth) of this process's control groups pays for, as container
// runtimes set it.
#ifndef SUPREMUM_SRC_KERNELS_CPU_QUOTA_H_
#define SUPREMUM_SRC_KERNELS_CPU_QUOTA_H_

#include <cstddef>
#include <string_view>

namespace supremum {

/// The contents of the file at `path`, as far as they fit into `buffer`, which has kQuotaBuffer bytes; empty
/// if it cannot be read.
using ReadQuotaFile = std::string_view (*)(const char* path, char* buffer) noexcept;
inline constexpr std::size_t kQuotaBuffer = 4096;

/// The whole processors that the smallest quota of this process's groups and of the groups around them pays
/// for, at least 1; 0 if none of them has a quota. Versions 1 and 2 of control groups, at the usual mount
/// points. Groups that are not visible, as in a container that sees its own group as the root, are skipped.
std::size_t ProcessorsOfQuota(ReadQuotaFile read) noexcept;

/// The same of the files of this system, which are read by the first call only. 0 if this is not Linux.
std::size_t ProcessorsOfQuota() noexcept;

}  // namespace supremum

#endif  // SUPREMUM_SRC_KERNELS_CPU_QUOTA_H_
