// The system call filter of the inference's subprocess: seccomp, on systems that support it.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_CHECK_SYSTEM_CALL_FILTER_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_CHECK_SYSTEM_CALL_FILTER_H_

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

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_CHECK_SYSTEM_CALL_FILTER_H_
