#include "io/formats/safetensors.h"

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <utility>

#include "core/quote.h"
#include "io/files/file_bytes.h"
#include "io/files/messages.h"
#include "io/formats/byte_order.h"
#include "io/formats/safetensors_header.h"

namespace supremum::io {
namespace {

constexpr std::string_view kNoBools = "; write the file again, as U8 if these are numbers";

struct OpenedFile {
  InputFile file;
  std::vector<SafetensorsEntry> entries;
};

Result<OpenedFile> Open(const std::string& path) {
  Result<InputFile> file = InputFile::Open(path);
  if (!file) return file.error();
  try {
    Result<std::vector<SafetensorsEntry>> entries = OrContentError(*file, ReadSafetensorsHeader(*file));
    if (!entries) return entries.error();
    return OpenedFile{*std::move(file), *std::move(entries)};
  } catch (const std::bad_alloc&) {
    return ErrorAt(ErrorCode::kOutOfMemory, Quote(path),
                   "no memory for reading the header; free memory or use a smaller file");
  }
}

Result<std::size_t> Choose(const std::string& path, const OpenedFile& opened,
                           const std::optional<std::string>& name) {
  std::vector<std::string> names;
  for (const SafetensorsEntry& entry : opened.entries) names.push_back(entry.name);
  return ChooseTensor(path, "tensor", names, name);
}

std::string Where(const InputFile& file, const SafetensorsEntry& entry) {
  return Quote(file.path()) + ": tensor " + Quote(entry.name, 60);
}

Result<DType> TypeOf(const InputFile& file, const SafetensorsEntry& entry, const ReadOptions& options) {
  const std::string where = Where(file, entry);
  if (!entry.dtype) {
    NoteUnsupported(options, {entry.name, entry.type_name, entry.shape});
    return SafetensorsTypeError(where, entry.type_name);
  }
  const DType dtype = *entry.dtype;
  if (options.stated_dtype && *options.stated_dtype != dtype) {
    const std::string type(Name(dtype));
    return ErrorAt(ErrorCode::kTypeMismatch, where, "TYP-2",
                   "its type is " + type + " and " + std::string(Name(*options.stated_dtype)) +
                       " is stated; nothing is converted",
                   ": state " + type + " or nothing");
  }
  return dtype;
}

Result<NamedTensor> ReadEntry(const InputFile& file, const SafetensorsEntry& entry,
                              const ReadOptions& options) {
  const Result<DType> type = TypeOf(file, entry, options);
  if (!type) return type.error();
  const DType dtype = *type;
  const std::string where = Where(file, entry);
  Result<Tensor> tensor = Tensor::Create(dtype, entry.shape, options.max_bytes);
  if (!tensor) return ErrorAt(where, tensor.error());
  if (auto done = file.ReadAt(entry.offset, tensor->bytes()); !done) return done.error();
  ToMachineOrder(tensor->bytes(), ByteWidth(dtype), /*file_is_big_endian=*/false);
  if (dtype == DType::kBool) {
    if (auto bools = CheckBools(where, entry.offset, tensor->bytes(), kNoBools); !bools) return bools.error();
  }
  return NamedTensor{entry.name, *std::move(tensor)};
}

}  // namespace

Result<std::vector<NamedTensor>> ReadSafetensors(const std::string& path, const ReadOptions& options) {
  const Result<OpenedFile> opened = Open(path);
  if (!opened) return opened.error();
  std::vector<NamedTensor> tensors;
  ReadOptions rest = options;
  for (const SafetensorsEntry& entry : opened->entries) {
    const std::size_t unsupported = CountUnsupported(options);
    Result<NamedTensor> tensor = ReadEntry(opened->file, entry, rest);
    if (!tensor && CountUnsupported(options) > unsupported) continue;
    if (!tensor) return tensor.error();
    rest.max_bytes -= static_cast<std::int64_t>(tensor->tensor.byte_size());
    tensors.push_back(*std::move(tensor));
  }
  return tensors;
}

Result<NamedTensor> ReadSingleSafetensors(const std::string& path, const ReadOptions& options,
                                          const std::optional<std::string>& name) {
  const Result<OpenedFile> opened = Open(path);
  if (!opened) return opened.error();
  const Result<std::size_t> chosen = Choose(path, *opened, name);
  if (!chosen) return chosen.error();
  return ReadEntry(opened->file, opened->entries[*chosen], options);
}

Result<ElementFile> OpenSafetensors(const std::string& path, std::optional<DType> stated,
                                    const std::optional<std::string>& name) {
  Result<OpenedFile> opened = Open(path);
  if (!opened) return opened.error();
  const Result<std::size_t> chosen = Choose(path, *opened, name);
  if (!chosen) return chosen.error();
  const SafetensorsEntry& entry = opened->entries[*chosen];
  const Result<DType> dtype = TypeOf(opened->file, entry, {.stated_dtype = stated});
  if (!dtype) return dtype.error();
  std::string where = Where(opened->file, entry);
  return ElementFile{std::move(opened->file), std::move(where), kNoBools, *dtype, entry.shape, entry.offset};
}

}  // namespace supremum::io
