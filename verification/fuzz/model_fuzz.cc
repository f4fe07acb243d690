// The loader of models, inference, and runs on inputs made as the model states them.
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fuzz.h"
#include "supremum/model.h"

using namespace supremum;

namespace {

constexpr std::int64_t kMostBytes = 1 << 20;

// An input as it is stated, whose bytes count up; extents that are not stated are 2. Nothing where it is none
// of ours or too large.
std::optional<NamedTensor> InputFor(const ValueInfo& info) {
  if (!info.dtype) return std::nullopt;
  std::vector<std::int64_t> extents;
  for (const Dim& dim : info.shape.value_or(SymbolicShape{Dim{}})) extents.push_back(dim.value.value_or(2));
  Result<Tensor> tensor = Tensor::Create(*info.dtype, extents, 4096);
  if (!tensor) return std::nullopt;
  unsigned next = 1;
  for (std::byte& byte : tensor->bytes()) {
    byte = std::byte(*info.dtype == DType::kBool || *info.dtype == DType::kInt64 ? next % 2 : next % 256);
    next = next * 5 + 3;
  }
  if (*info.dtype == DType::kInt64) {  // such as axes are
    for (std::int64_t& element : tensor->Elements<std::int64_t>()) element %= 3;
  }
  return NamedTensor{info.name, *std::move(tensor)};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const Result<Model> model = Model::Parse(bytes, "m.onnx", {.max_bytes = kMostBytes});
  if (!model) {
    fuzz::ExpectShowable(model.error());
    return 0;
  }
  const Result<std::vector<ValueInfo>> inferred = model->Infer();
  if (!inferred) fuzz::ExpectShowable(inferred.error());
  std::vector<NamedTensor> inputs;
  for (const ValueInfo& input : model->inputs()) {
    std::optional<NamedTensor> tensor = InputFor(input);
    if (!tensor) return 0;
    inputs.push_back(*std::move(tensor));
  }
  std::vector<NamedTensor> bounds;
  if (!inputs.empty()) {
    if (auto bound = inputs[0].tensor.Clone()) bounds.push_back({inputs[0].name, *std::move(bound)});
  }
  RunOptions options;
  options.max_bytes = kMostBytes;
  const auto outputs = model->Run(inputs, options);
  if (!outputs) fuzz::ExpectShowable(outputs.error());
  const Result<void> runs = model->CheckRun(options);
  if (!runs) fuzz::ExpectShowable(runs.error());
  fuzz::Expect(runs || !outputs, "a run of a model that cannot run");
  const auto bounded = model->RunWithBounds(inputs, bounds, options);
  if (!bounded) fuzz::ExpectShowable(bounded.error());
  if (!outputs || !inferred) return 0;
  // What was inferred holds for what was computed.
  for (const NamedTensor& output : *outputs) {
    for (const ValueInfo& info : *inferred) {
      if (info.name != output.name) continue;
      if (!info.type_name.empty())
        fuzz::Expect(info.dtype == output.tensor.dtype(), "another type than inferred");
      if (!info.shape) continue;
      fuzz::Expect(info.shape->size() == output.tensor.shape().rank(), "another rank than inferred");
      for (std::size_t d = 0; d < info.shape->size(); ++d) {
        const std::optional<std::int64_t>& extent = (*info.shape)[d].value;
        fuzz::Expect(!extent || *extent == output.tensor.shape()[d], "another extent than inferred");
      }
    }
  }
  return 0;
}
