#include "formats/npz.h"

#include <fcntl.h>
#include <unistd.h>
#include <zip.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_set>
#include <utility>

#include "core/quote.h"
#include "formats/byte_source.h"
#include "formats/file_bytes.h"
#include "formats/messages.h"
#include "formats/npy.h"
#include "formats/npy_header.h"

namespace supremum::formats {
namespace {

constexpr std::string_view kEnding = ".npy";
constexpr std::string_view kRewrite = "; write the file again with numpy.savez";
// Deflate cannot expand a byte to more than this: a match of 258 bytes takes at least two bits.
constexpr std::uint64_t kMaxExpansion = 1032;

struct ZipDiscard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct ZipCloseEntry {
  void operator()(zip_file_t* entry) const { zip_fclose(entry); }
};
using ZipPointer = std::unique_ptr<zip_t, ZipDiscard>;
using ZipEntryPointer = std::unique_ptr<zip_file_t, ZipCloseEntry>;

struct Entry {
  std::uint64_t index = 0;
  std::string name;  // without ".npy"
  std::int64_t size = 0;
};

struct Archive {
  ZipPointer zip;
  std::vector<Entry> entries;
};

Error ZipError(const std::string& where, zip_error_t* error, std::string_view hint) {
  const bool memory = zip_error_code_zip(error) == ZIP_ER_MEMORY;
  const bool read = zip_error_code_zip(error) == ZIP_ER_READ;
  const ErrorCode code = memory ? ErrorCode::kOutOfMemory : read ? ErrorCode::kIo : ErrorCode::kMalformedFile;
  return ErrorAt(code, where, zip_error_strerror(error) + std::string(hint));
}

Error ZipError(const std::string& where, int code, std::string_view hint) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const Error result = ZipError(where, &error, hint);
  zip_error_fini(&error);
  return result;
}

// An entry of an archive, unpacked while it is read.
class EntrySource final : public ByteSource {
 public:
  EntrySource(ZipEntryPointer file, std::string where, std::int64_t size)
      : file_(std::move(file)), where_(std::move(where)), size_(size) {}

  const std::string& where() const override { return where_; }
  std::int64_t size() const override { return size_; }

  Result<void> Read(std::span<std::byte> into) override {
    while (!into.empty()) {
      const std::size_t chunk = std::min(into.size(), std::size_t{1} << 30);
      const zip_int64_t got = zip_fread(file_.get(), into.data(), chunk);
      if (got < 0) return ReadError();
      if (got == 0) {
        return MalformedAtByte(where_, position_,
                               "the entry ends here, " + std::to_string(into.size()) + " bytes too early" +
                                   std::string(kRewrite));
      }
      position_ += got;
      into = into.subspan(static_cast<std::size_t>(got));
    }
    return {};
  }

  // libzip compares the checksum when it meets the entry's end, so that a further byte must be asked for.
  Result<void> Finish() override {
    std::byte more = {};
    const zip_int64_t got = zip_fread(file_.get(), &more, 1);
    if (got < 0) return ReadError();
    if (got == 0) return {};
    return MalformedAtByte(where_, position_, "the entry goes on beyond its array" + std::string(kRewrite));
  }

 private:
  Error ReadError() {
    return ZipError(where_ + ": byte " + std::to_string(position_), zip_file_get_error(file_.get()),
                    kRewrite);
  }

  ZipEntryPointer file_;
  std::string where_;
  std::int64_t size_;
  std::int64_t position_ = 0;
};

std::string EntryWhere(const std::string& path, std::string_view entry) {
  return Quote(path) + ": entry " + Quote(entry);
}

// What the archive says of an entry, against what can be true and what is allowed.
Result<Entry> CheckEntry(zip_t* zip, std::uint64_t index, const std::string& path, std::int64_t max_bytes) {
  zip_stat_t stat;
  zip_stat_init(&stat);
  if (zip_stat_index(zip, index, 0, &stat) != 0 || (stat.valid & ZIP_STAT_NAME) == 0) {
    return ZipError(Quote(path) + ": entry " + std::to_string(index), zip_get_error(zip), kRewrite);
  }
  const std::string name = stat.name;
  const std::string where = EntryWhere(path, name);
  if (!name.ends_with(kEnding)) {
    return ErrorAt(ErrorCode::kUnsupportedFormat, where,
                   "its name does not end in .npy; an .npz holds .npy files only: remove it");
  }
  constexpr zip_uint64_t kNeeded =
      ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  if ((stat.valid & kNeeded) != kNeeded) {
    return ErrorAt(ErrorCode::kMalformedFile, where,
                   "its size or method is not stated" + std::string(kRewrite));
  }
  if (stat.encryption_method != ZIP_EM_NONE) {
    return ErrorAt(ErrorCode::kUnsupportedFormat, where, "it is encrypted; store it without a password");
  }
  if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE) {
    return ErrorAt(ErrorCode::kUnsupportedFormat, where,
                   "its compression method is " + std::to_string(stat.comp_method) +
                       "; stored (0) and deflated (8) are known" + std::string(kRewrite));
  }
  const bool stored = stat.comp_method == ZIP_CM_STORE;
  if (stored ? stat.size != stat.comp_size : stat.size / kMaxExpansion > stat.comp_size) {
    return ErrorAt(ErrorCode::kMalformedFile, where,
                   "it is said to unpack " + std::to_string(stat.comp_size) + " bytes to " +
                       std::to_string(stat.size) + ", which it cannot" + std::string(kRewrite));
  }
  const std::uint64_t limit =
      static_cast<std::uint64_t>(std::max(max_bytes, std::int64_t{0})) + kMaxNpyHeader + 12;
  if (stat.size > limit) {
    return ErrorAt(ErrorCode::kLimitExceeded, where,
                   "it unpacks to " + std::to_string(stat.size) + " bytes and the limit is " +
                       std::to_string(max_bytes) + "; raise the limit if this size is meant");
  }
  return Entry{index, name.substr(0, name.size() - kEnding.size()), static_cast<std::int64_t>(stat.size)};
}

Result<ZipPointer> OpenZip(const InputFile& file) {
  const std::string where = Quote(file.path());
  if (file.size() < 22) {
    return MalformedAtByte(where, file.size(),
                           "the file ends here; a ZIP archive has at least 22 bytes" + std::string(kRewrite));
  }
  const int descriptor = ::fcntl(file.descriptor(), F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0) return IoError(file.path(), "opened twice", errno, "close other files");
  int code = 0;
  ZipPointer zip(zip_fdopen(descriptor, 0, &code));
  if (zip == nullptr) {
    // Only on success has libzip closed it.
    ::close(descriptor);
    return ZipError(where, code, kRewrite);
  }
  return zip;
}

bool IsSparse(const std::unordered_set<std::string>& names) {
  return names.contains("format") && names.contains("shape") && names.contains("data");
}

Result<Archive> OpenArchive(const InputFile& file, const ReadOptions& options) {
  const std::string& path = file.path();
  Result<ZipPointer> zip = OpenZip(file);
  if (!zip) return zip.error();
  Archive archive;
  archive.zip = *std::move(zip);
  const std::int64_t count = zip_get_num_entries(archive.zip.get(), 0);
  if (count > kMaxNpzEntries) {
    return ErrorAt(ErrorCode::kLimitExceeded, Quote(path),
                   "the archive has " + std::to_string(count) + " entries; at most " +
                       std::to_string(kMaxNpzEntries) + " are read: split it");
  }
  std::unordered_set<std::string> names;
  for (std::int64_t i = 0; i < count; ++i) {
    Result<Entry> entry =
        CheckEntry(archive.zip.get(), static_cast<std::uint64_t>(i), path, options.max_bytes);
    if (!entry) return entry.error();
    if (!names.insert(entry->name).second) {
      return ErrorAt(ErrorCode::kMalformedFile, EntryWhere(path, entry->name + std::string(kEnding)),
                     "the name is used twice" + std::string(kRewrite));
    }
    archive.entries.push_back(*std::move(entry));
  }
  if (IsSparse(names)) {
    return ErrorAt(
        ErrorCode::kSparseTensor, Quote(path),
        "the entries 'format', 'shape' and 'data' are those of a sparse matrix of SciPy (PRO-1); save "
        "matrix.toarray() with numpy.save");
  }
  return archive;
}

Result<NamedTensor> ReadEntry(const Archive& archive, const Entry& entry, const std::string& path,
                              const ReadOptions& options) {
  const std::string where = EntryWhere(path, entry.name + std::string(kEnding));
  ZipEntryPointer file(zip_fopen_index(archive.zip.get(), entry.index, 0));
  if (file == nullptr) return ZipError(where, zip_get_error(archive.zip.get()), kRewrite);
  EntrySource source(std::move(file), where, entry.size);
  Result<Tensor> tensor = ParseNpy(source, options);
  if (!tensor) return tensor.error();
  return NamedTensor{entry.name, *std::move(tensor)};
}

Result<std::vector<NamedTensor>> ReadEntries(const InputFile& file, const ReadOptions& options) {
  const Result<Archive> archive = OpenArchive(file, options);
  if (!archive) return archive.error();
  std::vector<NamedTensor> tensors;
  ReadOptions rest = options;
  for (const Entry& entry : archive->entries) {
    Result<NamedTensor> tensor = ReadEntry(*archive, entry, file.path(), rest);
    if (!tensor) return tensor.error();
    rest.max_bytes -= static_cast<std::int64_t>(tensor->tensor.byte_size());
    tensors.push_back(*std::move(tensor));
  }
  return tensors;
}

Result<NamedTensor> ReadSingleEntry(const InputFile& file, const ReadOptions& options) {
  const Result<Archive> archive = OpenArchive(file, options);
  if (!archive) return archive.error();
  const std::string& path = file.path();
  std::vector<std::string> names;
  for (const Entry& entry : archive->entries) names.push_back(entry.name);
  if (auto one = CheckSingle(Quote(path), "array", names, "; save that one alone with numpy.save"); !one) {
    return one.error();
  }
  return ReadEntry(*archive, archive->entries.front(), path, options);
}

}  // namespace

Result<std::vector<NamedTensor>> ReadNpz(const std::string& path, const ReadOptions& options) {
  const Result<InputFile> file = InputFile::Open(path);
  if (!file) return file.error();
  // libzip reads through a descriptor of its own.
  return IfUnchanged(*file, ReadEntries(*file, options));
}

Result<NamedTensor> ReadSingleNpz(const std::string& path, const ReadOptions& options) {
  const Result<InputFile> file = InputFile::Open(path);
  if (!file) return file.error();
  return IfUnchanged(*file, ReadSingleEntry(*file, options));
}

}  // namespace supremum::formats
