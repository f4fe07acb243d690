#include "io/formats/npz.h"

#include <algorithm>
#include <cstdint>
#include <unordered_set>
#include <utility>

#include "core/quote.h"
#include "io/files/file_bytes.h"
#include "io/files/messages.h"
#include "io/formats/npy.h"
#include "io/formats/npy_header.h"
#include "io/formats/zip_directory.h"
#include "io/formats/zip_entry.h"

namespace supremum::io {
namespace {

constexpr std::string_view kZipMagic = "PK";
constexpr std::string_view kEnding = ".npy";

struct Entry {
  ZipEntry packed;
  std::string name;  // without ".npy"
};

struct Archive {
  const InputFile& file;
  std::vector<Entry> entries;
};

// Checks the name and the unpacked size of an entry.
Result<Entry> CheckEntry(ZipEntry packed, const std::string& path, std::int64_t max_bytes) {
  const std::string where = ZipEntryWhere(path, packed.name);
  if (!packed.name.ends_with(kEnding)) {
    return ErrorAt(ErrorCode::kUnsupportedFormat, where,
                   "its name does not end in .npy; an .npz holds .npy files only: remove it");
  }
  constexpr std::int64_t kHeader = kMaxNpyHeader + 12;
  if (packed.size > kHeader && packed.size - kHeader > std::max(max_bytes, std::int64_t{0})) {
    return ErrorAt(ErrorCode::kLimitExceeded, where,
                   "it unpacks to " + std::to_string(packed.size) + " bytes and the limit is " +
                       std::to_string(max_bytes) + std::string(kRaiseLimit));
  }
  std::string name = packed.name.substr(0, packed.name.size() - kEnding.size());
  return Entry{std::move(packed), std::move(name)};
}

bool IsSparse(const std::unordered_set<std::string>& names) {
  return names.contains("format") && names.contains("shape") && names.contains("data");
}

Result<Archive> OpenArchive(const InputFile& file, const ReadOptions& options) {
  const std::string& path = file.path();
  Result<std::vector<ZipEntry>> found = ReadZipDirectory(file, kMaxNpzEntries);
  if (!found) return found.error();
  Archive archive{file, {}};
  std::unordered_set<std::string> names;
  for (ZipEntry& packed : *found) {
    Result<Entry> entry = CheckEntry(std::move(packed), path, options.max_bytes);
    if (!entry) return entry.error();
    if (!names.insert(entry->name).second) {
      return ErrorAt(ErrorCode::kMalformedFile, ZipEntryWhere(path, entry->packed.name),
                     "the name is used twice" + std::string(kRewriteNpz));
    }
    archive.entries.push_back(*std::move(entry));
  }
  if (IsSparse(names)) {
    return ErrorAt(ErrorCode::kSparseTensor, Quote(path), "PRO-1",
                   "the entries 'format', 'shape' and 'data' are those of a sparse matrix of SciPy",
                   "; save "
                   "matrix.toarray() with numpy.save");
  }
  return archive;
}

Result<NamedTensor> ReadEntry(const Archive& archive, const Entry& entry, const ReadOptions& options) {
  ZipEntrySource source(archive.file, entry.packed);
  return ParseNpy(source, options, entry.name);
}

Result<std::vector<NamedTensor>> ReadEntries(const InputFile& file, const ReadOptions& options) {
  const Result<Archive> archive = OpenArchive(file, options);
  if (!archive) return archive.error();
  std::vector<NamedTensor> tensors;
  ReadOptions rest = options;
  for (const Entry& entry : archive->entries) {
    const std::size_t unsupported = CountUnsupported(options);
    Result<NamedTensor> tensor = ReadEntry(*archive, entry, rest);
    if (!tensor && CountUnsupported(options) > unsupported) continue;
    if (!tensor) return tensor.error();
    rest.max_bytes -= static_cast<std::int64_t>(tensor->tensor.byte_size());
    tensors.push_back(*std::move(tensor));
  }
  return tensors;
}

Result<NamedTensor> ReadSingleEntry(const InputFile& file, const ReadOptions& options,
                                    const std::optional<std::string>& name) {
  const Result<Archive> archive = OpenArchive(file, options);
  if (!archive) return archive.error();
  std::vector<std::string> names;
  for (const Entry& entry : archive->entries) names.push_back(entry.name);
  const Result<std::size_t> chosen = ChooseTensor(file.path(), "array", names, name);
  if (!chosen) return chosen.error();
  return ReadEntry(*archive, archive->entries[*chosen], options);
}

}  // namespace

Result<std::vector<NamedTensor>> ReadNpz(const std::string& path, const ReadOptions& options) {
  const Result<InputFile> file = InputFile::Open(path);
  if (!file) return file.error();
  // If the archive was changed before its last entry was read, nothing of it is used.
  return IfUnchanged(*file, OrContentError(*file, ReadEntries(*file, options), kZipMagic));
}

Result<NamedTensor> ReadSingleNpz(const std::string& path, const ReadOptions& options,
                                  const std::optional<std::string>& name) {
  const Result<InputFile> file = InputFile::Open(path);
  if (!file) return file.error();
  return IfUnchanged(*file, OrContentError(*file, ReadSingleEntry(*file, options, name), kZipMagic));
}

}  // namespace supremum::io
