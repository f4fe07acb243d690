#include "case_folder.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>
#include <system_error>

#include "formats/tensor_proto.h"

namespace supremum::cli {
namespace {

namespace fs = std::filesystem;

Error CannotWrite(const fs::path& path, const std::error_code& error) {
  return MakeError(ErrorCode::kIo,
                   fmt::format("'{}' cannot be written: {}; check the permissions and the space on the disk",
                               path.string(), error.message()));
}

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

Result<void> Write(const fs::path& path, std::string_view head, std::string_view rest) {
  const auto failed = [&] { return CannotWrite(path, std::error_code(errno, std::generic_category())); };
  errno = 0;
  std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "wbx"));
  if (file == nullptr && errno == ENOENT) {
    // Most files follow others into a folder that is there.
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) return CannotWrite(path, error);
    file.reset(std::fopen(path.c_str(), "wbx"));
  }
  if (file == nullptr) return failed();
  for (const std::string_view part : {head, rest}) {
    if (std::fwrite(part.data(), 1, part.size(), file.get()) != part.size()) return failed();
  }
  if (std::fclose(file.release()) != 0) return failed();
  return {};
}

Result<void> WriteTensorFile(const fs::path& path, const std::string& name, const Tensor& tensor) {
  const Result<std::string> head = formats::TensorProtoHead(path.string(), name, tensor);
  if (!head) return head.error();
  return Write(path, *head, {static_cast<const char*>(tensor.data()), tensor.byte_size()});
}

}  // namespace

Result<void> WriteStagedFile(const fs::path& path, std::string_view content) {
  return Write(path, content, {});
}

Result<void> WriteStagedTensor(const fs::path& path, const NamedTensor& tensor) {
  return WriteTensorFile(path, tensor.name, tensor.tensor);
}

Result<void> WriteCaseFolder(const fs::path& folder, std::string_view model,
                             std::span<const NamedTensor> inputs, const Tensor& output) {
  Result<void> written = WriteStagedFile(folder / "model.onnx", model);
  for (std::size_t i = 0; written && i < inputs.size(); ++i) {
    written = WriteStagedTensor(folder / kDataSet / fmt::format("input_{}.pb", i), inputs[i]);
  }
  if (!written) return written;
  return WriteTensorFile(folder / kDataSet / "output_0.pb", "y", output);
}

}  // namespace supremum::cli
