#include "case_folder.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>
#include <system_error>

#include "formats/atomic_file.h"
#include "formats/messages.h"
#include "formats/tensor_proto.h"

namespace supremum::cli {
namespace {

namespace fs = std::filesystem;

Error CannotWrite(const fs::path& path, const std::error_code& error) {
  return MakeError(
      ErrorCode::kIo,
      fmt::format("'{}' cannot be written: {}; {}", path.string(), error.message(),
                  formats::HintFor(error.value(), "check the permissions and the space on the disk")));
}

struct Close {
  void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
};

}  // namespace

Result<void> WriteStagedFile(const fs::path& path, std::string_view head, std::string_view rest) {
  const auto failed = [&] { return CannotWrite(path, std::error_code(errno, std::generic_category())); };
  errno = 0;
  std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "wbx"));
  if (file == nullptr && errno == ENOENT) {
    // Tried second, since the folder of most files exists.
    if (const std::error_code error = MakeFolders(path.parent_path())) return CannotWrite(path, error);
    file.reset(std::fopen(path.c_str(), "wbx"));
  }
  if (file == nullptr) return failed();
  for (const std::string_view part : {head, rest}) {
    // An empty part may have a null address, which fwrite does not accept.
    if (!part.empty() && std::fwrite(part.data(), 1, part.size(), file.get()) != part.size()) return failed();
  }
  if (std::fclose(file.release()) != 0) return failed();
  return {};
}

Result<void> WriteDurableFile(const fs::path& path, std::string_view head, std::string_view rest) {
  if (const std::error_code error = MakeFolders(path.parent_path())) return CannotWrite(path, error);
  Result<formats::AtomicFile> file = formats::AtomicFile::Create(path.string());
  if (!file) return file.error();
  for (const std::string_view part : {head, rest}) {
    if (Result<void> done = file->Write(std::as_bytes(std::span(part))); !done) return done;
  }
  return file->Commit();
}

Result<StagedFolder> StageFolder(const std::string& option, const std::string& target,
                                 const std::string& json, Outputs* outputs) {
  const fs::path path = target;
  const fs::path around = (path.has_filename() ? path : path.parent_path()).parent_path();
  if (!around.empty()) {
    if (Result<void> made = outputs->MakeFolder(around.string()); !made) return made.error();
  }
  outputs->ClaimFolder(option, target);
  if (Result<void> claimed = outputs->ClaimJson(json); !claimed) return claimed.error();
  return StagedFolder::Create(target);
}

Result<void> PutTensor(const PutFile& put, const fs::path& path, const std::string& name,
                       const Tensor& tensor) {
  const Result<std::string> head = formats::TensorProtoHead(path.string(), name, tensor);
  if (!head) return head.error();
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
