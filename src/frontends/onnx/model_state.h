// What a Model holds.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_MODEL_STATE_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_MODEL_STATE_H_

#include <memory>
#include <vector>

#include "frontends/onnx/graph.h"
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
};

}  // namespace supremum

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_MODEL_STATE_H_
