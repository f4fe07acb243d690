// The reader of .safetensors files.
#include "io/formats/safetensors.h"
#include "tensor_files.h"

using namespace supremum;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read_one = [](const std::string& path, const io::ReadOptions& options,
                           const std::optional<std::string>& name = std::nullopt) {
    return io::ReadElements(io::OpenSafetensors(path, options, name), options.max_bytes);
  };
  return fuzz::CheckTensorReader(data, size, read_one, io::ReadSafetensors);
}
