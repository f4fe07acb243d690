#include "verbs/case_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <span>
#include <string>
#include <system_error>

#include "io/files/messages.h"
#include "io/files/open_folder.h"
#include "io/files/output_files.h"
#include "io/formats/byte_order.h"
#include "io/formats/tensor_proto.h"

namespace supremum::cli {
namespace {

namespace fs = std::filesystem;

Error CannotWrite(const fs::path& path, const std::error_code& error) {
  return MakeError(
      ErrorCode::kIo,
      fmt::format("'{}' cannot be written: {}; {}", path.string(), error.message(),
                  io::HintFor(error.value(), "check the permissions and the space on the disk")));
}

}  // namespace

Result<void> WriteNewFile(const fs::path& path, std::string_view head, std::string_view rest) {
  const auto create = [&] {
    return io::OpenRetrying(AT_FDCWD, path.string(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
  };
  int descriptor = create();
  if (descriptor < 0 && errno == ENOENT) {
    // Tried second, since the folder exists for most files.
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) return CannotWrite(path, error);
    descriptor = create();
  }
  int error = descriptor < 0 ? errno : 0;
  for (const std::string_view part : {head, rest}) {
    if (error == 0) error = io::WriteAll(descriptor, std::as_bytes(std::span(part)));
  }
  if (descriptor >= 0 && ::close(descriptor) != 0 && errno != EINTR && error == 0) error = errno;
  if (error != 0) return CannotWrite(path, std::error_code(error, std::generic_category()));
  return {};
}

Result<void> MakeDurable(const fs::path& folder) {
  const int descriptor = io::OpenRetrying(AT_FDCWD, folder.string(), O_RDONLY | O_DIRECTORY);
  int error = descriptor < 0 ? errno : 0;
  if (descriptor >= 0) {
    do {
      error = ::syncfs(descriptor) == 0 ? 0 : errno;
    } while (error == EINTR);
    ::close(descriptor);
  }
  if (error != 0) return CannotWrite(folder, std::error_code(error, std::generic_category()));
  return {};
}

Result<void> PutTensor(const PutFile& put, const fs::path& path, const std::string& name,
                       const Tensor& tensor) {
  const Result<std::string> head = io::TensorProtoHead(path.string(), name, tensor);
  if (!head) return head.error();
  if (io::kBigEndianMachine) return put(path, *head, io::LittleEndianBytes(tensor));
  return put(path, *head, {static_cast<const char*>(tensor.data()), tensor.byte_size()});
}

Result<void> PutCase(const PutFile& put, const fs::path& folder, std::string_view model,
                     std::span<const NamedTensor> inputs, const Tensor& output) {
  Result<void> done = put(folder / "model.onnx", model, {});
  for (std::size_t i = 0; done && i < inputs.size(); ++i) {
    done =
        PutTensor(put, folder / kDataSet / fmt::format("input_{}.pb", i), inputs[i].name, inputs[i].tensor);
  }
  if (!done) return done;
  return PutTensor(put, folder / kDataSet / "output_0.pb", "y", output);
}

}  // namespace supremum::cli
