// The reader of TensorProto files, with external data allowed and not.
#include <onnx/onnx_pb.h>

#include <string>
#include <utility>
#include <vector>

#include "io/formats/tensor_proto.h"
#include "tensor_files.h"

using namespace supremum;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto one = [](const std::string& path, const io::ReadOptions& options) {
    return io::ReadTensorProto(path, options.max_bytes);
  };
  const auto all = [&](const std::string& path,
                       const io::ReadOptions& options) -> Result<std::vector<NamedTensor>> {
    Result<NamedTensor> read = one(path, options);
    if (!read) return read.error();
    std::vector<NamedTensor> tensors;
    tensors.push_back(*std::move(read));
    return tensors;
  };
  fuzz::CheckTensorReader(data, size, one, all);

  onnx::TensorProto proto;
  if (size > 100'000 || !proto.ParseFromArray(data, static_cast<int>(size))) return 0;
  // A folder with nothing in it: whatever location is tried, nothing is found.
  const auto external =
      io::TensorFromProto(proto, "tensor", fuzz::kMostBytes, io::ExternalFiles("/proc/self/fdinfo/"));
  if (external) fuzz::ExpectWhole(*external, fuzz::kMostBytes);
  if (!external) fuzz::ExpectShowable(external.error());
  return 0;
}
