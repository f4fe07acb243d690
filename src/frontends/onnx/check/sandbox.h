// Confines a subprocess that handles untrusted input: it can compute, allocate memory, write to one pipe, and
// end.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_CHECK_SANDBOX_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_CHECK_SANDBOX_H_

#include <cstdint>

#include "supremum/check.h"

namespace supremum::onnx_front {

/// True if this system and this build can filter system calls and kill a process that makes a forbidden one.
bool CanFilterSystemCalls();

/// Restricts the calling process permanently: it may compute, allocate memory that is not executable, write
/// to its open descriptors, and end. Calls that a C library makes on its own and can do without fail with
/// EPERM; every other call kills the process with SIGSYS.
///
/// Requires: one thread. Calls only async-signal-safe functions, and allocates nothing.
/// Returns: false if nothing is filtered.
bool FilterSystemCalls();

struct SandboxLimits {
  std::int64_t bytes = 0;  ///< limit of memory beyond that of the process
  int seconds = 0;         ///< limit of processor time
};

/// Confines the calling process permanently. In this order: the process is killed when its parent, with id
/// `parent`, ends; signals get their default action; all descriptors but `*pipe` are closed, and `*pipe` is
/// moved beyond the standard streams; memory and processor time are limited to `limits`, and new files, new
/// descriptors and core files are forbidden; other processes of this user cannot trace it; it cannot gain
/// privileges; and, if InferenceSandboxHere() is kFiltered, system calls that are not listed in
/// system_call_filter.cc are refused.
///
/// Requires: a child process with one thread. Calls only async-signal-safe functions, and allocates nothing.
///
/// Returns: false if the parent has ended already, the pipe could not be moved, or any step failed on a
/// system that has filters. The process is then not confined, and must end.
bool EnterSandbox(int parent, const SandboxLimits& limits, int* pipe);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_CHECK_SANDBOX_H_
