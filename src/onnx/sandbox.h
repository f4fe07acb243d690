// What a subprocess that handles untrusted input may still do: compute, take memory, write to one pipe, and
// end.
#ifndef SUPREMUM_SRC_ONNX_SANDBOX_H_
#define SUPREMUM_SRC_ONNX_SANDBOX_H_

#include <cstdint>

#include "supremum/check.h"

namespace supremum::onnx_front {

struct SandboxLimits {
  std::int64_t bytes = 0;  ///< of memory beyond what the process has
  int seconds = 0;         ///< of processor time
};

/// Confines the calling process, for good. In this order: the process ends with its parent, whose id is
/// `parent`; signals have their default action; all descriptors but `*pipe` are closed, and `*pipe` is moved
/// behind the standard streams; memory and processor time are limited to `limits`, new files, new descriptors
/// and core files to none; other processes of this user cannot trace it; it can gain no privileges; and,
/// where InferenceSandboxHere() says kFiltered, system calls other than those listed in
/// system_call_filter.cc are
/// refused.
///
/// Requires: a child process with one thread. Makes no call that is not async-signal-safe, and takes no
/// memory.
///
/// Returns: false if the parent has ended already, the pipe could not be moved, or any of this failed
/// although the system has filters. The process is then not confined, and must end.
bool EnterSandbox(int parent, const SandboxLimits& limits, int* pipe);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_ONNX_SANDBOX_H_
