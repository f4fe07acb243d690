#include "output_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "io/files/atomic_file.h"
#include "io/formats/byte_order.h"
#include "io/formats/npy_header.h"
#include "io/formats/tensor_file.h"
#include "leftover.h"

namespace supremum::cli {
namespace {

static_assert(!io::kBigEndianMachine, "ranks write the bytes of memory; files are little-endian");

// The bytes before the elements.
std::string HeaderOf(const std::string& path, DType dtype, DimsView shape) {
  const bool npy = io::FormatOfPath(path).value() == io::TensorFormat::kNpy;
  return npy ? io::NpyHeaderBytes(dtype, shape) : "";
}

// On rank 0: the file with its header. The temporary file's name.
Result<std::string> Begin(const std::string& path, const std::string& header,
                          std::optional<io::AtomicFile>* file) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_other(status)) {
    return MakeError(
        ErrorCode::kInvalidArgument,
        fmt::format("'{}' is a pipe or a device, to which ranks cannot write different parts; name a file",
                    path));
  }
  Result<io::AtomicFile> created = io::AtomicFile::Create(path, io::Writers::kOthersToo);
  if (!created) return created.error();
  if (Result<void> written = created->Write(std::as_bytes(std::span(header))); !written)
    return written.error();
  file->emplace(*std::move(created));
  SetLeftover((*file)->temporary());
  return (*file)->temporary();
}

}  // namespace

Result<void> CheckOutputName(const std::string& path) {
  const Result<io::TensorFormat> format = io::FormatOfPath(path);
  if (!format) return format.error();
  if (*format == io::TensorFormat::kNpy || *format == io::TensorFormat::kRaw) return {};
  return MakeError(
      ErrorCode::kInvalidArgument,
      fmt::format("'{}' cannot be written in parts; name a .npy file, or .bin for the elements only", path));
}

Result<void> WriteTogether(const World& world, const std::string& path, DType dtype, DimsView shape,
                           const Slab& slab, std::span<const std::byte> part, std::int64_t message_bytes,
                           Outputs* outputs) {
  const std::string header = HeaderOf(path, dtype, shape);
  std::optional<io::AtomicFile>
      file;  // on rank 0; removes the temporary file if it is destroyed before Commit
  const Result<std::string> temporary = TextOfRank0(world, [&] { return Begin(path, header, &file); });
  if (!temporary) return temporary.error();
  SetLeftover(*temporary);
  const auto write = [&]() -> Result<void> {
    Result<SharedFile> shared =
        SharedFile::Open(world, *temporary, path, SharedFile::Mode::kWrite, message_bytes);
    if (!shared) return shared.error();
    const auto offset = static_cast<std::int64_t>(header.size());
    if (Result<void> written = shared->Write(offset, slab, part); !written) return written;
    return shared->Close();
  };
  Result<void> written = write();
  if (!written) {
    file.reset();
    SetLeftover("");
    return written;
  }
  if (file) outputs->Add(*std::move(file));
  return {};
}

}  // namespace supremum::cli
