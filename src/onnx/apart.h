// Runs a function in a sandboxed subprocess, so that its failure cannot harm this process.
#ifndef SUPREMUM_SRC_ONNX_APART_H_
#define SUPREMUM_SRC_ONNX_APART_H_

#include <cstdint>
#include <functional>
#include <string>

#include "supremum/result.h"

namespace supremum::onnx_front {

struct ApartLimits {
  std::int64_t bytes = 0;      ///< maximum memory of `work`, beyond the memory of this process
  int seconds = 0;             ///< maximum elapsed time of `work`
  std::int64_t max_bytes = 0;  ///< maximum size of its result
};

/// The result of `work`, computed in a subprocess in a sandbox (sandbox.h). A crash, an endless loop, an
/// allocation failure or an exception in `work` ends the subprocess alone. Nothing is printed.
///
/// Ensures: the result has at most `max_bytes`. Its content is untrusted: malicious input may control the
///   subprocess. The subprocess has ended when this returns.
/// Errors: kUnsupportedFormat if the subprocess ended without a result; the text says how ("it was stopped by
///   signal 8"). kIo if the subprocess could not be created.
/// Cost: a fork. The subprocess has no other threads. A lock that another thread of this process held at the
///   fork is never released in the subprocess, which is then ended at the time limit.
Result<std::string> RunApart(const std::function<std::string()>& work, const ApartLimits& limits);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_ONNX_APART_H_
