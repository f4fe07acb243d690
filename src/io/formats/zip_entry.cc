#include "io/formats/zip_entry.h"

#include <algorithm>
#include <utility>

#include "io/files/messages.h"

namespace supremum::io {
namespace {

// zlib counts bytes in unsigned int.
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;

// The smaller of the two; std::size_t may have 32 bits.
std::size_t AtMost(std::size_t size, std::int64_t limit) {
  return std::cmp_less(limit, size) ? static_cast<std::size_t>(limit) : size;
}

// zlib's type for bytes that it only reads is not const.
Bytef* AsBytes(std::byte* bytes) { return reinterpret_cast<Bytef*>(bytes); }

}  // namespace

ZipEntrySource::ZipEntrySource(const InputFile& file, ZipEntry entry)
    : file_(file), entry_(std::move(entry)), where_(ZipEntryWhere(file.path(), entry_.name)) {}

ZipEntrySource::~ZipEntrySource() {
  if (initialized_) inflateEnd(&stream_);
}

Error ZipEntrySource::EndsEarly(std::size_t missing) const {
  return MalformedAtByte(
      where_, position_,
      "the entry ends here, " + std::to_string(missing) + " bytes too early" + std::string(kRewriteNpz));
}

Error ZipEntrySource::Damaged(const std::string& details) const {
  return MalformedAtByte(where_, position_, details + std::string(kRewriteNpz));
}

// Reads the next packed bytes. Requires: that many are left.
Result<void> ZipEntrySource::ReadPacked(std::span<std::byte> into) {
  const std::int64_t offset = entry_.data_offset + packed_read_;
  packed_read_ += static_cast<std::int64_t>(into.size());
  return file_.ReadAt(offset, into);
}

// Unpacks to `into`, and returns the number of bytes: fewer than asked for only at the end of the deflated
// data.
Result<std::size_t> ZipEntrySource::Inflate(std::span<std::byte> into) {
  if (!initialized_) {
    // Negative window bits: raw deflate data, without the zlib header, as ZIP has it.
    if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) {
      return ErrorAt(ErrorCode::kOutOfMemory, where_, "no memory for unpacking the entry; free memory");
    }
    initialized_ = true;
  }
  std::size_t done = 0;
  while (done < into.size() && !ended_) {
    const std::int64_t left = entry_.packed_size - packed_read_;
    if (stream_.avail_in == 0 && left > 0) {
      const std::size_t chunk = AtMost(packed_.size(), left);
      if (auto read = ReadPacked(std::span(packed_).first(chunk)); !read) return read.error();
      stream_.next_in = AsBytes(packed_.data());
      stream_.avail_in = static_cast<uInt>(chunk);
    }
    const std::size_t room = std::min(into.size() - done, kMostAtOnce);
    stream_.next_out = AsBytes(into.data() + done);
    stream_.avail_out = static_cast<uInt>(room);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    done += room - stream_.avail_out;
    ended_ = result == Z_STREAM_END;
    if (result == Z_MEM_ERROR) {
      return ErrorAt(ErrorCode::kOutOfMemory, where_, "no memory for unpacking the entry; free memory");
    }
    if (result == Z_BUF_ERROR) return done;  // nothing is left to unpack
    if (result != Z_OK && !ended_) {
      return Damaged(std::string("the deflated data is damaged here") +
                     (stream_.msg == nullptr ? "" : std::string(" (") + stream_.msg + ")"));
    }
  }
  return done;
}

Result<void> ZipEntrySource::Read(std::span<std::byte> into) {
  std::size_t got = 0;
  if (entry_.method == kZipStored) {
    got = AtMost(into.size(), entry_.size - position_);
    if (auto read = ReadPacked(into.first(got)); !read) return read;
  } else {
    const Result<std::size_t> inflated = Inflate(into);
    if (!inflated) return inflated.error();
    got = *inflated;
  }
  position_ += static_cast<std::int64_t>(got);
  crc_ = crc32_z(crc_, AsBytes(into.data()), got);
  return got == into.size() ? Result<void>() : EndsEarly(into.size() - got);
}

Result<void> ZipEntrySource::Finish() {
  if (position_ != entry_.size) {
    return Damaged("the entry has more bytes than its array");
  }
  if (entry_.method == kZipDeflated) {
    std::byte more = {};
    const Result<std::size_t> inflated = Inflate(std::span(&more, 1));
    if (!inflated) return inflated.error();
    if (*inflated > 0) return Damaged("the entry unpacks to more bytes than its size");
    if (!ended_) return Damaged("the deflated data has no end");
    const std::int64_t unused = entry_.packed_size - packed_read_ + stream_.avail_in;
    if (unused > 0) return Damaged(std::to_string(unused) + " packed bytes follow the entry's end");
  }
  if (crc_ == entry_.crc) return {};
  return ErrorAt(ErrorCode::kMalformedFile, where_,
                 "its CRC is said to be " + std::to_string(entry_.crc) + " and is " + std::to_string(crc_) +
                     ": the entry is damaged" + std::string(kRewriteNpz));
}

}  // namespace supremum::io
