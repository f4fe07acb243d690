// The reader of .npy files.
#include <string>
#include <utility>
#include <vector>

#include "io/formats/npy.h"
#include "tensor_files.h"

using namespace supremum;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read_one = [](const std::string& path, const io::ReadOptions& options) {
    return io::ReadElements(io::OpenNpy(path, options), options.max_bytes);
  };
  return fuzz::CheckTensorReader(
      data, size, read_one,
      [&](const std::string& path, const io::ReadOptions& options) -> Result<std::vector<NamedTensor>> {
        Result<NamedTensor> one = read_one(path, options);
        if (!one) return one.error();
        std::vector<NamedTensor> all;
        all.push_back(*std::move(one));
        return all;
      });
}
