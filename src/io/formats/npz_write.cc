#include <zip.h>

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/quote.h"
#include "io/files/atomic_file.h"
#include "io/files/messages.h"
#include "io/formats/byte_order.h"
#include "io/formats/npy_header.h"
#include "io/formats/npz.h"

namespace supremum::io {
namespace {

struct ZipDiscard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct ZipFree {
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using ZipPointer = std::unique_ptr<zip_t, ZipDiscard>;
using ZipSourcePointer = std::unique_ptr<zip_source_t, ZipFree>;

// An error of libzip, with the text that it may allocate.
struct ZipFailure {
  ZipFailure() { zip_error_init(&error); }
  ~ZipFailure() { zip_error_fini(&error); }
  ZipFailure(const ZipFailure&) = delete;
  ZipFailure& operator=(const ZipFailure&) = delete;

  zip_error_t error;
};

// The archive is built in memory, so only an allocation can fail.
Error PackError(const std::string& path, zip_error_t* error) {
  const bool memory = zip_error_code_zip(error) == ZIP_ER_MEMORY;
  return ErrorAt(memory ? ErrorCode::kOutOfMemory : ErrorCode::kIo, Quote(path),
                 std::string("the archive cannot be packed: ") + zip_error_strerror(error) +
                     "; free memory or write a .npy file");
}

// Puts the two parts of a .npy, header and elements, into an archive in `buffer`.
Result<void> Pack(const std::string& path, const std::string& entry, std::span<zip_buffer_fragment_t> parts,
                  zip_source_t* buffer) {
  ZipFailure failure;
  // Closing the archive releases a reference to the buffer; this one is for the caller.
  zip_source_keep(buffer);
  ZipPointer zip(zip_open_from_source(buffer, ZIP_TRUNCATE, &failure.error));
  if (zip == nullptr) {
    zip_source_free(buffer);
    return PackError(path, &failure.error);
  }
  ZipSourcePointer content(zip_source_buffer_fragment_create(parts.data(), parts.size(), 0, &failure.error));
  if (content == nullptr) return PackError(path, &failure.error);
  const zip_int64_t added = zip_file_add(zip.get(), entry.c_str(), content.get(), ZIP_FL_ENC_UTF_8);
  if (added < 0) return PackError(path, zip_get_error(zip.get()));
  static_cast<void>(content.release());
  const auto index = static_cast<zip_uint64_t>(added);
  // The earliest date in ZIP, so that equal tensors give equal files.
  constexpr zip_uint16_t kFirstDay = 0x21;
  if (zip_set_file_compression(zip.get(), index, ZIP_CM_STORE, 0) != 0 ||
      zip_file_set_dostime(zip.get(), index, 0, kFirstDay, 0) != 0 || zip_close(zip.get()) != 0) {
    return PackError(path, zip_get_error(zip.get()));
  }
  static_cast<void>(zip.release());
  return {};
}

Result<AtomicFile> StageBuffer(const std::string& path, zip_source_t* buffer) {
  Result<AtomicFile> file = AtomicFile::Create(path);
  if (!file) return file.error();
  if (zip_source_open(buffer) != 0) return PackError(path, zip_source_error(buffer));
  std::array<std::byte, 1 << 16> chunk;
  Result<void> result;
  while (result) {
    const zip_int64_t got = zip_source_read(buffer, chunk.data(), chunk.size());
    if (got < 0) result = PackError(path, zip_source_error(buffer));
    if (got <= 0) break;
    result = file->Write(std::span(chunk).first(static_cast<std::size_t>(got)));
  }
  zip_source_close(buffer);
  if (result) result = file->Sync();
  if (!result) return result.error();
  return file;
}

}  // namespace

Result<AtomicFile> StageNpz(const std::string& path, std::string_view name, const Tensor& tensor) {
  const std::string entry = std::string(name.empty() ? "arr_0" : name) + ".npy";
  if (entry.size() > 65'535 || !IsPlainUtf8(entry)) {
    return ErrorAt(ErrorCode::kInvalidArgument, Quote(path),
                   "no entry of an archive can be called " + Quote(name) +
                       "; a name is UTF-8 of at most 65531 bytes, without zero bytes");
  }
  std::string header = NpyHeaderBytes(tensor.dtype(), tensor.shape());
  std::string swapped;
  if (kBigEndianMachine) swapped = LittleEndianBytes(tensor);
  const void* const little_endian = kBigEndianMachine ? swapped.data() : tensor.data();
  // libzip only reads them; its type for that is not const.
  auto* elements = const_cast<zip_uint8_t*>(static_cast<const zip_uint8_t*>(little_endian));
  std::array<zip_buffer_fragment_t, 2> parts = {
      {{reinterpret_cast<zip_uint8_t*>(header.data()), header.size()}, {elements, tensor.byte_size()}}};

  ZipFailure failure;
  const ZipSourcePointer buffer(zip_source_buffer_create(nullptr, 0, 0, &failure.error));
  if (buffer == nullptr) return PackError(path, &failure.error);
  const std::size_t count = tensor.byte_size() > 0 ? 2 : 1;
  if (auto done = Pack(path, entry, std::span(parts).first(count), buffer.get()); !done) return done.error();
  return StageBuffer(path, buffer.get());
}

}  // namespace supremum::io
