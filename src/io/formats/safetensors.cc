#include "io/formats/safetensors.h"

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "core/quote.h"
#include "io/files/file_bytes.h"
#include "io/files/messages.h"
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

Result<Elements> ElementsOf(const InputFile& file, const SafetensorsEntry& entry,
                            const ReadOptions& options) {
  std::string where = Quote(file.path()) + ": tensor " + Quote(entry.name, 60);
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
  return Elements{entry.name, std::move(where), kNoBools, dtype, entry.shape, entry.offset};
}

Result<NamedTensor> ReadEntry(const InputFile& file, const SafetensorsEntry& entry,
                              const ReadOptions& options) {
  const Result<Elements> elements = ElementsOf(file, entry, options);
  if (!elements) return elements.error();
  return ReadElements(file, *elements, options.max_bytes);
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

Result<ElementFile> OpenSafetensors(const std::string& path, const ReadOptions& options,
                                    const std::optional<std::string>& name) {
  Result<OpenedFile> opened = Open(path);
  if (!opened) return opened.error();
  std::vector<std::string> names;
  for (const SafetensorsEntry& entry : opened->entries) names.push_back(entry.name);
  const Result<std::size_t> chosen = ChooseTensor(path, "tensor", names, name);
  if (!chosen) return chosen.error();
  Result<Elements> elements = ElementsOf(opened->file, opened->entries[*chosen], options);
  if (!elements) return elements.error();
  return ElementFile{*std::move(elements), std::move(opened->file)};
}

}  // namespace supremum::io
