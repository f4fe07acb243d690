// Measures whole calls in C++ and C, of functions and of models with one node, and of a session of ONNX
// Runtime. Contenders take turns in one process and on the same buffers, each with one thread.
//
//   supremum_calls     prints a table; SUPREMUM_BENCH_ONNXRUNTIME names ONNX Runtime's library
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "contender.h"
#include "measure.h"
#include "onnx_model.h"
#include "supremum/c_models.h"
#include "supremum/max.h"
#include "supremum/model.h"

namespace supremum::bench {
namespace {

Case MaxOfTwo(std::int64_t n) {
  const Shape shape{n, n};
  return {"calls", "Max " + ToString(shape), Op::kMax, DType::kFloat32, {shape, shape}, {}, shape};
}

DLTensor AsDLTensor(const TensorView& view) {
  return {const_cast<void*>(view.data),
          {kDLCPU, 0},
          static_cast<int>(view.shape.size()),
          {kDLFloat, 32, 1},
          const_cast<std::int64_t*>(view.shape.data()),
          nullptr,
          0};
}

// The operands as DLPack's tensors, which the calls in C take.
struct DLOperands {
  explicit DLOperands(const Problem& problem)
      : a(AsDLTensor(problem.inputs()[0])),
        b(AsDLTensor(problem.inputs()[1])),
        y(AsDLTensor(problem.output())) {}

  DLTensor a, b, y;
  const DLTensor* inputs[2] = {&a, &b};
  const DLTensor* output = &y;
};

std::vector<ContenderPtr> ContendersOf(const Problem& problem, Peer* bound, Peer* allocating) {
  const std::string bytes = OnnxModel(problem.spec());
  const auto model =
      std::make_shared<Model>(Model::Parse(std::as_bytes(std::span(bytes)), "the benchmark's model").value());
  std::vector<NamedView> views;
  auto tensors = std::make_shared<std::vector<NamedTensor>>();
  for (std::size_t m = 0; m < problem.inputs().size(); ++m) {
    const TensorView& input = problem.inputs()[m];
    const std::string name = "x" + std::to_string(m);
    views.push_back({name, input});
    Tensor copy = Tensor::Create(input.dtype, *Shape::FromSpan(input.shape)).value();
    std::memcpy(copy.bytes().data(), input.data, copy.byte_size());
    tensors->push_back({name, std::move(copy)});
  }
  const std::vector<NamedMutableView> outputs = {{"y", problem.output()}};
  const auto plan = std::make_shared<ModelPlan>(model->Prepare(views, outputs).value());
  const auto operands = std::make_shared<DLOperands>(problem);

  supremum_model* c_model = nullptr;
  supremum_model_plan* c_plan = nullptr;
  if (supremum_model_parse(bytes.data(), bytes.size(), "the benchmark's model", 0, &c_model) != SUPREMUM_OK ||
      supremum_model_prepare(c_model, operands->inputs, 2, &operands->output, 1, nullptr, &c_plan) !=
          SUPREMUM_OK) {
    std::fprintf(stderr, "%s\n", supremum_model_last_error());
    std::exit(1);
  }
  supremum_model_destroy(c_model);  // the plan has what it needs; the process ends before the plan
  std::vector<ContenderPtr> contenders;
  contenders.push_back(SupremumWithoutPlan(problem));
  contenders.push_back(MakeCalls("supremum_max in C", [operands] {
    static_cast<void>(supremum_max(operands->inputs, 2, &operands->y, nullptr));
  }));
  contenders.push_back(MakeCalls(
      "Model::Run", [model, tensors] { static_cast<void>(model->Run(*tensors)); }, false));
  contenders.push_back(MakeCalls("ModelPlan::Run", [plan] { plan->Run(); }));
  contenders.push_back(
      MakeCalls("a model's plan in C", [c_plan] { static_cast<void>(supremum_model_plan_run(c_plan)); }));
  for (Peer* peer : {allocating, bound}) {
    if (peer == nullptr) continue;
    if (ContenderPtr contender = peer->Prepare(problem, 1)) contenders.push_back(std::move(contender));
  }
  return contenders;
}

int Run() {
  const PeerPtr bound = OnnxRuntimePeer(), allocating = OnnxRuntimePeer(true);
  std::printf("ONNX Runtime %s; microseconds, medians\n", bound ? bound->Version().c_str() : "was not found");
  int wrong = 0;
  for (const std::int64_t n : {64, 1024, 4096}) {
    const Case spec = MaxOfTwo(n);
    const Arena arena(ArenaBytes(spec), Memory::kMalloc);
    const Problem problem(spec, arena);
    std::printf("%s\n", spec.name.c_str());
    for (const Timing& timing : Measure(problem, ContendersOf(problem, bound.get(), allocating.get()), {})) {
      std::printf("  %-32s %10.2f\n", timing.name.c_str(), timing.median_ns / 1e3);
      wrong +=
          timing.computes && timing.grade != Grade::kExact && timing.name.find("ONNX") == std::string::npos;
    }
  }
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace supremum::bench

int main() { return supremum::bench::Run(); }
