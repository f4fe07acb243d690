// A node's computations: plans for the shapes that have occurred, and the runs on ONNX Runtime's tensors.
#ifndef SUPREMUM_SRC_BINDINGS_ONNXRUNTIME_COMPUTATION_H_
#define SUPREMUM_SRC_BINDINGS_ONNXRUNTIME_COMPUTATION_H_

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "bindings/onnxruntime/api.h"
#include "bindings/onnxruntime/node.h"

namespace supremum::onnxruntime {

/// The threads that compute.
struct ThreadOptions {
  bool of_onnxruntime = true;  ///< those of the session; otherwise the calling thread and oneTBB's
  std::size_t own = 1;         ///< if not of_onnxruntime: how many, including the calling thread
};

/// A node that runs on ONNX Runtime's tensors, in place: nothing is copied. Threads may call Run at once.
class Computation {
 public:
  /// `positions[i]` is where the node's input `i` is among the inputs of the kernel.
  Computation(const Api& api, Node node, std::vector<std::size_t> positions, ThreadOptions threads);
  ~Computation();
  Computation(const Computation&) = delete;
  Computation& operator=(const Computation&) = delete;

  /// Computes the node's output, which it allocates through `context`.
  ///
  /// Throws: Failure with the text of an error of Max or ReduceMax; nothing is written then.
  /// Cost: that of a plan's run; if the shapes or axes differ from those of the run before, that of Prepare.
  void Run(OrtKernelContext* context);

 private:
  class Call;

  std::unique_ptr<Call> Take();
  void PutBack(std::unique_ptr<Call> call);

  const Api api_;
  const Node node_;
  const std::vector<std::size_t> positions_;
  const ThreadOptions threads_;
  std::atomic<Call*> next_ = nullptr;  ///< the call that the next run takes, without a lock
  std::mutex mutex_;
  std::vector<std::unique_ptr<Call>> others_;  ///< one less than have run at once, at most
};

}  // namespace supremum::onnxruntime

#endif  // SUPREMUM_SRC_BINDINGS_ONNXRUNTIME_COMPUTATION_H_
