// The reader of .npy files.
#include <string>
#include <utility>
#include <vector>

#include "formats/npy.h"
#include "tensor_files.h"

using namespace supremum;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::CheckTensorReader(
      data, size, formats::ReadNpy,
      [](const std::string& path, const formats::ReadOptions& options) -> Result<std::vector<NamedTensor>> {
        Result<NamedTensor> one = formats::ReadNpy(path, options);
        if (!one) return one.error();
        std::vector<NamedTensor> all;
        all.push_back(*std::move(one));
        return all;
      });
}
