// XNNPACK: the maximum of two float tensors; it has no reduction to a maximum.
#include <pthreadpool.h>
#include <xnnpack.h>

#include "contender.h"

namespace supremum::bench {
namespace {

struct Operator {
  xnn_operator_t op = nullptr;
  pthreadpool_t pool = nullptr;

  ~Operator() {
    if (op != nullptr) xnn_delete_operator(op);
    if (pool != nullptr) pthreadpool_destroy(pool);
  }
};

class Xnnpack final : public Peer {
 public:
  std::string Name() const override { return "XNNPACK"; }
  std::string Version() const override { return "as packaged"; }

  ContenderPtr Prepare(const Problem& problem, std::size_t threads) override {
    const Case& spec = problem.spec();
    if (spec.op != Op::kMax || spec.dtype != DType::kFloat32 || spec.inputs.size() != 2) return nullptr;
    std::vector<std::size_t> shapes[2];
    for (std::size_t m = 0; m < 2; ++m) {
      const Layout& layout = spec.inputs[m];
      if (!layout.strides.empty() || layout.shape.rank() > XNN_MAX_TENSOR_DIMS) return nullptr;
      for (std::int64_t extent : layout.shape) shapes[m].push_back(static_cast<std::size_t>(extent));
    }
    auto state = std::make_shared<Operator>();
    if (threads > 1) state->pool = pthreadpool_create(threads);
    const auto data = [&](std::size_t m) { return static_cast<const float*>(problem.inputs()[m].data); };
    float* const y = static_cast<float*>(problem.output().data);
#ifdef SUPREMUM_XNNPACK_BINARY
    if (xnn_create_binary_elementwise_nd(xnn_binary_maximum, xnn_datatype_fp32, nullptr, nullptr, nullptr, 0,
                                         &state->op) != xnn_status_success ||
        xnn_reshape_binary_elementwise_nd(state->op, shapes[0].size(), shapes[0].data(), shapes[1].size(),
                                          shapes[1].data(), state->pool) != xnn_status_success ||
        xnn_setup_binary_elementwise_nd(state->op, data(0), data(1), y) != xnn_status_success) {
      return nullptr;
    }
#else
    if (xnn_create_maximum_nd_f32(0, &state->op) != xnn_status_success ||
        xnn_setup_maximum_nd_f32(state->op, shapes[0].size(), shapes[0].data(), shapes[1].size(),
                                 shapes[1].data(), data(0), data(1), y, state->pool) != xnn_status_success) {
      return nullptr;
    }
#endif
    return MakeCalls(Name(), [state] { xnn_run_operator(state->op, state->pool); });
  }
};

}  // namespace

PeerPtr XnnpackPeer() {
  if (xnn_initialize(nullptr) != xnn_status_success) return nullptr;
  return std::make_unique<Xnnpack>();
}

}  // namespace supremum::bench
