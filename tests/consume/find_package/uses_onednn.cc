#include "supremum/onednn_graph.h"

int main() {
  const auto graph = supremum::OneDnnGraph::Parse("this is no JSON", "text");
  return !graph && graph.error().code == supremum::ErrorCode::kMalformedFile ? 0 : 1;
}
