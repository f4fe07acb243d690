// Public threads that discuss the same subjects as deviations.
#ifndef SUPREMUM_KIT_AUDIT_THREADS_H_
#define SUPREMUM_KIT_AUDIT_THREADS_H_

#include <string_view>
#include <vector>

namespace supremum::cli {

struct Thread {
  std::string_view runtime;  ///< as a runner names it
  std::string_view rule;
  std::string_view op;       ///< "Max", "ReduceMax", or "" for both
  std::string_view place;    ///< an issue or a pull request of GitHub: "onnx/onnx#1"
  std::string_view subject;  ///< what it is about
  std::string_view state;    ///< at kThreadsReadOn
};

/// When the threads were read: year and month.
inline constexpr std::string_view kThreadsReadOn = "2026-11";

/// Those on the same subject as a deviation from `rule` by that runtime in that operator.
std::vector<Thread> ThreadsOn(std::string_view runtime, std::string_view rule, std::string_view op);

}  // namespace supremum::cli

#endif  // SUPREMUM_KIT_AUDIT_THREADS_H_
