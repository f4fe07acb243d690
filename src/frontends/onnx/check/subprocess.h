// Runs untrusted work in a subprocess.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_CHECK_SUBPROCESS_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_CHECK_SUBPROCESS_H_

#include <cstdint>
#include <functional>
#include <string>

#include "supremum/result.h"

namespace supremum::onnx_front {

struct SubprocessLimits {
  std::int64_t bytes = 0;      ///< limit of the memory of `work` beyond that of this process
  int seconds = 0;             ///< limit of its processor time, which does not depend on the machine's load
  int wall_seconds = 0;        ///< limit of its wall-clock time: for work that waits without end
  std::int64_t max_bytes = 0;  ///< limit of the size of its result
};

/// Runs `work` in a child process in a sandbox (sandbox.h), and returns its result. A crash, an exception, an
/// endless loop or an allocation failure ends only the child, and is an error here. Nothing is printed.
///
/// The result comes from a process that untrusted input may have taken over: nothing is certain of it but
/// that it has at most `max_bytes`. The child has ended when this returns.
///
/// Errors: kUnsupportedFormat, whose text says how the child ended ("it was stopped by signal 8"); kIo if no
///   child could be started.
///
/// Cost: a fork. Other threads of this process do not exist in the child: a lock that one of them held stays
/// locked there, and the child is killed at its limit of wall-clock time.
Result<std::string> RunInSubprocess(const std::function<std::string()>& work, const SubprocessLimits& limits);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_CHECK_SUBPROCESS_H_
