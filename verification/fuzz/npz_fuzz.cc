// The reader of .npz files.
#include "io/formats/npz.h"
#include "tensor_files.h"

using namespace supremum;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::CheckTensorReader(data, size, io::ReadSingleNpz, io::ReadNpz);
}
