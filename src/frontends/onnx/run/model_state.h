// What a Model holds.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_RUN_MODEL_STATE_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_RUN_MODEL_STATE_H_

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "frontends/onnx/read/graph.h"
#include "frontends/onnx/run/run.h"
#include "supremum/model.h"

namespace supremum {

struct Model::State {
  onnx_front::Graph graph;
  std::shared_ptr<onnx::ModelProto> proto;  ///< for the checker, without the bytes of initializers
  std::vector<ValueInfo> inputs;
  std::vector<ValueInfo> optional_inputs;
  std::vector<ValueInfo> outputs;
  std::vector<NodeInfo> nodes;
  ModelContents contents;

  /// The plan that was destroyed last, for the next Prepare.
  std::unique_ptr<onnx_front::ModelRun> Take() {
    const std::lock_guard lock(mutex);
    return std::move(kept);
  }
  void Keep(std::unique_ptr<onnx_front::ModelRun> run) {
    const std::lock_guard lock(mutex);
    std::swap(kept, run);
  }
  std::mutex mutex;
  std::unique_ptr<onnx_front::ModelRun> kept;
};

}  // namespace supremum

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_RUN_MODEL_STATE_H_
