// The filter of system calls of the inference's subprocess: seccomp, where the system has it.
#ifndef SUPREMUM_SRC_ONNX_SYSTEM_CALL_FILTER_H_
#define SUPREMUM_SRC_ONNX_SYSTEM_CALL_FILTER_H_

namespace supremum::onnx_front {

/// True if this system and this build can filter system calls and end a process at one.
bool CanFilterSystemCalls();

/// From here on the calling process may only compute, take memory that is not executable, write to
/// descriptors that it has, and end. The calls that a C library makes by itself, and can do without, fail
/// with EPERM; every other call ends the process with SIGSYS. Nothing undoes this.
///
/// Requires: one thread. Makes no call that is not async-signal-safe, and takes no memory.
/// Returns: false if nothing is filtered.
bool FilterSystemCalls();

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_ONNX_SYSTEM_CALL_FILTER_H_
