// ONNX's test cases by the kernels that were extracted from the proofs.
//
//   proved_cases FOLDER    runs every folder below that holds a model.onnx of one Max or ReduceMax node
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "io/formats/tensor_file.h"
#include "support/proved.h"
#include "supremum/model.h"
#include "supremum/reduce_max.h"

namespace supremum {
namespace {

namespace fs = std::filesystem;

std::vector<Tensor> Read(const fs::path& data_set, const std::string& kind) {
  std::vector<Tensor> tensors;
  for (int i = 0;; ++i) {
    const fs::path path = data_set / (kind + "_" + std::to_string(i) + ".pb");
    if (!fs::exists(path)) return tensors;
    Result<NamedTensor> read = io::ReadTensor(path.string());
    if (!read) throw std::runtime_error(read.error().message);
    tensors.push_back(std::move(read->tensor));
  }
}

/// False if the axes are no attribute and no file, or the output's shape is not the reduced one.
bool RunReduceMax(const NodeInfo& node, const std::vector<Tensor>& inputs, MutableTensorView output) {
  std::optional<std::span<const std::int64_t>> axes;
  bool keepdims = true, noop = false;
  for (const AttributeInfo& attribute : node.attributes) {
    if (attribute.integers) axes = *attribute.integers;
    if (attribute.name == "keepdims") keepdims = attribute.integer == 1;
    if (attribute.name == "noop_with_empty_axes") noop = attribute.integer == 1;
  }
  if (node.inputs.size() > inputs.size()) return false;
  if (inputs.size() > 1) axes = inputs[1].Elements<std::int64_t>();
  axes = AxesOfOnnx(axes, noop);
  const Result<Shape> shape = ReduceMaxOutputShape(inputs[0].View(), {.axes = axes, .keepdims = keepdims});
  if (!shape || !std::equal(shape->begin(), shape->end(), output.shape.begin(), output.shape.end()))
    return false;
  test::ProvedReduceMax(inputs[0].View(), output, axes, keepdims);
  return true;
}

/// True if the model's one node gives the expected output, in every bit.
bool Passes(const Model& model, const fs::path& data_set) {
  const std::vector<Tensor> inputs = Read(data_set, "input"), outputs = Read(data_set, "output");
  if (model.nodes().size() != 1 || inputs.empty() || outputs.size() != 1) return false;
  const NodeInfo& node = model.nodes().front();
  const TensorView expected = outputs[0].View();
  Result<Tensor> actual = Tensor::Create(expected.dtype, outputs[0].shape());
  if (!actual) return false;
  if (node.op_type == "Max") {
    std::vector<TensorView> views;
    for (const Tensor& input : inputs) views.push_back(input.View());
    test::ProvedMax(views, actual->MutableView());
  } else if (node.op_type != "ReduceMax" || !RunReduceMax(node, inputs, actual->MutableView())) {
    return false;
  }
  const std::size_t bytes = outputs[0].bytes().size();
  return actual->bytes().size() == bytes &&
         std::memcmp(actual->bytes().data(), outputs[0].bytes().data(), bytes) == 0;
}

int RunAll(const fs::path& folder) {
  int passed = 0, failed = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().filename() != "model.onnx") continue;
    const Result<Model> model = Model::Load(entry.path().string());
    bool good = static_cast<bool>(model);
    int data_sets = 0;
    for (const fs::directory_entry& data_set : fs::directory_iterator(entry.path().parent_path())) {
      if (!data_set.is_directory() || !good) continue;
      ++data_sets;
      good = Passes(*model, data_set.path());
    }
    good = good && data_sets > 0;
    ++(good ? passed : failed);
    if (!good) std::printf("failed: %s\n", entry.path().parent_path().c_str());
  }
  std::printf("\n%d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace supremum

int main(int argc, char** argv) {
  if (argc != 2) return std::puts("usage: proved_cases FOLDER"), 2;
  return supremum::RunAll(argv[1]);
}
