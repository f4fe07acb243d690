// Work that may go wrong in every way, in a process of its own.
#ifndef SUPREMUM_SRC_ONNX_SUBPROCESS_H_
#define SUPREMUM_SRC_ONNX_SUBPROCESS_H_

#include <cstdint>
#include <functional>
#include <string>

#include "supremum/result.h"

namespace supremum::onnx_front {

struct SubprocessLimits {
  std::int64_t bytes = 0;      ///< of memory that `work` may take beyond what this process has
  int seconds = 0;             ///< that it may take, on the clock
  std::int64_t max_bytes = 0;  ///< of its result
};

/// What `work` returns, computed in a child process in a sandbox (sandbox.h), which a crash, an endless loop
/// or an allocation failure ends without harm. What it throws is its end too. Nothing is printed.
///
/// The result comes from a process that untrusted input may have taken over: it has at most `max_bytes`, and
/// nothing else is known of it. The child has ended when this returns.
///
/// Errors: kUnsupportedFormat, whose text says what became of the child ("it was stopped by signal 8"); kIo
/// where no child could be made.
///
/// Cost: a fork. Other threads of this process do not exist in the child: one that held a lock then holds it
/// for ever, and the child ends when its time is over.
Result<std::string> RunInSubprocess(const std::function<std::string()>& work, const SubprocessLimits& limits);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_ONNX_SUBPROCESS_H_
