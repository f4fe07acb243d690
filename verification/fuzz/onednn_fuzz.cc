// The reader of oneDNN graphs, and runs on inputs made as the graph states them.
#include <string>
#include <string_view>
#include <vector>

#include "fuzz.h"
#include "supremum/onednn_graph.h"

using namespace supremum;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::int64_t kMostBytes = 1 << 20;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<OneDnnGraph> graph = OneDnnGraph::Parse(text, "g.json", kMostBytes);
  if (!graph) {
    fuzz::ExpectShowable(graph.error());
    return 0;
  }
  std::vector<NamedTensor> inputs;
  for (const OneDnnTensor& input : graph->inputs()) {
    if (!input.dtype) return 0;
    std::vector<std::int64_t> extents = input.shape.value_or(std::vector<std::int64_t>{2});
    for (std::int64_t& extent : extents) extent = extent < 0 ? 2 : extent;
    Result<Tensor> tensor = Tensor::Create(*input.dtype, extents, 4096);
    if (!tensor) return 0;
    std::ranges::fill(tensor->bytes(), std::byte{0});
    inputs.push_back({std::to_string(input.id), *std::move(tensor)});
  }
  OneDnnRunOptions options;
  options.max_bytes = kMostBytes;
  const auto outputs = graph->Run(inputs, options);
  if (!outputs) fuzz::ExpectShowable(outputs.error());
  return 0;
}
