// The reader of .safetensors files.
#include "io/formats/safetensors.h"
#include "tensor_files.h"

using namespace supremum;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::CheckTensorReader(data, size, io::ReadSingleSafetensors, io::ReadSafetensors);
}
