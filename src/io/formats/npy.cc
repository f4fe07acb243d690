#include "io/formats/npy.h"

#include <cstdint>
#include <optional>
#include <utility>

#include "core/quote.h"
#include "io/files/messages.h"
#include "io/formats/npy_header.h"

namespace supremum::io {
namespace {

// Checks the size that the header claims against that of the file, before memory is allocated.
Result<void> CheckSize(const Elements& header, const ByteSource& source) {
  const std::int64_t present = source.size() - header.offset;
  const std::int64_t width = static_cast<std::int64_t>(ByteWidth(header.dtype));
  const std::optional<std::int64_t> count = ElementCount(header.shape);
  if (count && *count <= INT64_MAX / width && *count * width == present) return {};
  const std::string bytes = count && *count <= INT64_MAX / width ? std::to_string(*count * width) + " bytes"
                                                                 : "more than 2^63 - 1 bytes";
  return ErrorAt(ErrorCode::kMalformedFile, source.where(),
                 "'shape' " + ToString(header.shape) + " of " + std::string(Name(header.dtype)) + " takes " +
                     bytes + ", but after the header, from byte " + std::to_string(header.offset) +
                     " on, there are " + std::to_string(present) +
                     "; the file is damaged: write it again with numpy.save");
}

// The header of an array that `source` has in full.
Result<Elements> ReadHeader(ByteSource& source, const ReadOptions& options, const std::string& name) {
  std::optional<UnsupportedTensor> unsupported;
  Result<Elements> header = ReadNpyHeader(source, options.stated_dtype, &unsupported);
  if (unsupported) NoteUnsupported(options, {name, unsupported->type_name, unsupported->shape});
  if (!header) return header;
  if (auto fits = CheckSize(*header, source); !fits) return fits.error();
  header->name = name;
  return header;
}

}  // namespace

Result<NamedTensor> ParseNpy(ByteSource& source, const ReadOptions& options, const std::string& name) {
  const Result<Elements> header = ReadHeader(source, options, name);
  if (!header) return header.error();
  return ReadElements(source, *header, options.max_bytes);
}

Result<ElementFile> OpenNpy(const std::string& path, const ReadOptions& options) {
  Result<InputFile> file = InputFile::Open(path);
  if (!file) return file.error();
  const std::string where = Quote(path);
  FileSource source(*file, where, 0);
  Result<Elements> header = OrContentError(*file, ReadHeader(source, options, ""));
  if (!header) return header.error();
  return ElementFile{*std::move(header), *std::move(file)};
}

}  // namespace supremum::io
