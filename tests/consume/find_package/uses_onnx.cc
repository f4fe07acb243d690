#include "supremum/model.h"

int main() {
  const auto model = supremum::Model::Load("there is no such file.onnx");
  return !model && model.error().code == supremum::ErrorCode::kIo ? 0 : 1;
}
