#include "io/formats/zip_directory.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "core/quote.h"
#include "io/files/messages.h"

namespace supremum::io {
namespace {

constexpr std::uint32_t kLocalMark = 0x04034B50, kDirectoryMark = 0x02014B50, kDescriptorMark = 0x08074B50;
constexpr std::uint32_t kEndMark = 0x06054B50, kEnd64Mark = 0x06064B50, kLocator64Mark = 0x07064B50;
// Sizes of the fixed parts, without names, extra fields and comments.
constexpr std::int64_t kLocalBytes = 30, kDirectoryBytes = 46;
constexpr std::int64_t kEndBytes = 22, kEnd64Bytes = 56, kLocator64Bytes = 20;
constexpr std::int64_t kMostCommentBytes = 65'535;
constexpr std::int64_t kMostDirectoryBytes = std::int64_t{64} << 20;

// A field of 16 or 32 bits in which all bits are 1: its value has 64 bits and is in the ZIP64 fields.
constexpr std::uint64_t kElsewhere16 = 0xFFFF, kElsewhere32 = 0xFFFFFFFF;
constexpr std::uint16_t kExtra64 = 1;  // the id of the ZIP64 extra field

constexpr std::uint16_t kEncrypted = 1 << 0, kHasDescriptor = 1 << 3, kUtf8 = 1 << 11;
// Bits 1 and 2 are the compression level of deflate.
constexpr std::uint16_t kKnownFlags = 0x0006 | kHasDescriptor | kUtf8;
constexpr std::uint16_t kNewestVersion = 63;
// The most bytes that one deflated byte can expand to: a match of 258 bytes takes at least two bits.
constexpr std::int64_t kMostExpansion = 1032;

// Reads consecutive little-endian numbers. Requires: enough bytes for each.
class Fields {
 public:
  explicit Fields(std::span<const std::byte> bytes) : rest_(bytes) {}

  std::uint16_t Two() { return static_cast<std::uint16_t>(Number(2)); }
  std::uint32_t Four() { return static_cast<std::uint32_t>(Number(4)); }
  std::uint64_t Eight() { return Number(8); }
  std::span<const std::byte> Bytes(std::size_t count) {
    const std::span<const std::byte> bytes = rest_.first(count);
    rest_ = rest_.subspan(count);
    return bytes;
  }
  std::size_t left() const { return rest_.size(); }

 private:
  std::uint64_t Number(std::size_t count) {
    std::uint64_t number = 0;
    const std::span<const std::byte> bytes = Bytes(count);
    for (std::size_t i = count; i-- > 0;) number = number << 8 | std::to_integer<std::uint64_t>(bytes[i]);
    return number;
  }

  std::span<const std::byte> rest_;
};

std::string Text(std::span<const std::byte> bytes) {
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

// The fields that the directory and the local header have in common.
struct Header {
  std::uint16_t version = 0, flags = 0, method = 0;
  std::uint32_t crc = 0;
  std::uint64_t packed_size = 0, size = 0;
  std::string name;
};

// One entry of the directory.
struct Listed {
  Header header;
  std::uint64_t offset = 0;  // of the local header
  std::size_t index = 0;
};

// Reads the values of the ZIP64 extra field, in their order, for the fields in `elsewhere`. False if the
// extra fields are truncated, or if that one occurs twice or is too short.
bool TakeExtra64(std::span<const std::byte> extra, std::span<std::uint64_t* const> elsewhere) {
  bool found = false;
  Fields fields(extra);
  while (fields.left() > 0) {
    if (fields.left() < 4) return false;
    const std::uint16_t id = fields.Two(), size = fields.Two();
    if (size > fields.left()) return false;
    Fields values(fields.Bytes(size));
    if (id != kExtra64) continue;
    if (std::exchange(found, true)) return false;
    for (std::uint64_t* const value : elsewhere) {
      if (values.left() < 8) return false;
      *value = values.Eight();
    }
  }
  return found || elsewhere.empty();
}

class DirectoryReader {
 public:
  DirectoryReader(const InputFile& file, std::int64_t max_entries)
      : file_(file), where_(Quote(file.path())), max_entries_(max_entries) {}

  Result<std::vector<ZipEntry>> Read() {
    if (auto end = ReadEnd(); !end) return end.error();
    Result<std::vector<Listed>> listed = ReadDirectory();
    if (!listed) return listed.error();
    return ReadLocalHeaders(*std::move(listed));
  }

 private:
  std::string Where(const Listed& entry) const { return ZipEntryWhere(file_.path(), entry.header.name); }

  Error Malformed(std::int64_t offset, const std::string& details) const {
    return MalformedAtByte(where_, offset, details + std::string(kRewriteNpz));
  }
  Error Malformed(const Listed& entry, const std::string& details) const {
    return ErrorAt(ErrorCode::kMalformedFile, Where(entry), details + std::string(kRewriteNpz));
  }
  Error Unsupported(const Listed& entry, const std::string& details) const {
    return ErrorAt(ErrorCode::kUnsupportedFormat, Where(entry), details);
  }
  Error SeveralDisks() const {
    return ErrorAt(ErrorCode::kUnsupportedFormat, where_,
                   "the archive is split over several disks" + std::string(kRewriteNpz));
  }

  // Reads the end records, which state where the directory is.
  //
  //   directory | ZIP64 end record | ZIP64 locator | end record | comment, up to the end of the file
  //             '- both or neither, 56 and 20 bytes -'
  Result<void> ReadEnd() {
    const std::int64_t size = file_.size();
    if (size < kEndBytes) {
      return Malformed(size, "the file ends here; a ZIP archive has at least 22 bytes");
    }
    std::vector<std::byte> tail(static_cast<std::size_t>(std::min(size, kEndBytes + kMostCommentBytes)));
    const std::int64_t tail_offset = size - static_cast<std::int64_t>(tail.size());
    if (auto done = file_.ReadAt(tail_offset, tail); !done) return done;
    std::size_t at = tail.size() - static_cast<std::size_t>(kEndBytes);
    while (Fields(std::span(tail).subspan(at)).Four() != kEndMark) {
      if (at-- == 0) return Malformed(size, "the file has no end record of a ZIP archive");
    }
    const std::int64_t end_offset = tail_offset + static_cast<std::int64_t>(at);
    Fields fields{std::span(tail).subspan(at + 4)};
    const std::uint16_t disk = fields.Two(), first_disk = fields.Two();
    const std::uint64_t here = fields.Two();
    std::uint64_t count = fields.Two(), bytes = fields.Four(), offset = fields.Four();
    const std::uint16_t comment = fields.Two();
    if (comment != fields.left()) {
      return Malformed(end_offset, "the archive ends here with a comment of " + std::to_string(comment) +
                                       " bytes, and " + std::to_string(fields.left()) + " bytes follow");
    }
    // Readers that search for the last signature would find this one, inside the comment.
    if (Text(fields.Bytes(comment)).find("PK\5\6") != std::string::npos) {
      return Malformed(end_offset, "the comment of the archive contains the signature of an end record");
    }
    std::int64_t directory_end = end_offset;
    if (auto wide = ReadEnd64(end_offset, &directory_end, &count, &bytes, &offset); !wide) return wide;
    const bool no_disks =
        (disk == 0 || disk == kElsewhere16) && (first_disk == 0 || first_disk == kElsewhere16);
    if (!no_disks || (here != count && here != kElsewhere16)) return SeveralDisks();
    if (count > static_cast<std::uint64_t>(max_entries_)) {
      return ErrorAt(ErrorCode::kLimitExceeded, where_,
                     "the archive has " + std::to_string(count) + " entries; at most " +
                         std::to_string(max_entries_) + " are read: split it");
    }
    if (bytes > static_cast<std::uint64_t>(directory_end) ||
        offset != static_cast<std::uint64_t>(directory_end) - bytes) {
      return Malformed(end_offset, "the directory is said to have " + std::to_string(bytes) +
                                       " bytes from byte " + std::to_string(offset) +
                                       " on; it ends before byte " + std::to_string(directory_end));
    }
    if (bytes > static_cast<std::uint64_t>(kMostDirectoryBytes)) {
      return ErrorAt(ErrorCode::kLimitExceeded, where_,
                     "the directory has " + std::to_string(bytes) + " bytes; at most " +
                         std::to_string(kMostDirectoryBytes) + " are read: split the file");
    }
    count_ = static_cast<std::size_t>(count);
    directory_offset_ = static_cast<std::int64_t>(offset);
    directory_size_ = static_cast<std::int64_t>(bytes);
    return {};
  }

  // Reads the ZIP64 end record, if there is one. A number that the other end record states too must be the
  // same.
  Result<void> ReadEnd64(std::int64_t end_offset, std::int64_t* directory_end, std::uint64_t* count,
                         std::uint64_t* bytes, std::uint64_t* offset) {
    const std::int64_t locator_offset = end_offset - kLocator64Bytes, at = locator_offset - kEnd64Bytes;
    if (locator_offset < 0) return {};
    std::array<std::byte, kLocator64Bytes> locator_bytes = {};
    if (auto done = file_.ReadAt(locator_offset, locator_bytes); !done) return done;
    Fields locator(locator_bytes);
    if (locator.Four() != kLocator64Mark) return {};
    std::array<std::byte, kEnd64Bytes> end_bytes = {};
    const std::uint32_t end_disk = locator.Four();
    const std::uint64_t stated = locator.Eight();
    const std::uint32_t disks = locator.Four();
    if (at < 0 || stated != static_cast<std::uint64_t>(at)) {
      return Malformed(locator_offset, "the ZIP64 end record is said to be at byte " +
                                           std::to_string(stated) + "; it is 56 bytes before this");
    }
    if (auto done = file_.ReadAt(at, end_bytes); !done) return done;
    Fields end(end_bytes);
    if (end.Four() != kEnd64Mark || end.Eight() != static_cast<std::uint64_t>(kEnd64Bytes - 12)) {
      return Malformed(at, "no ZIP64 end record is here, or it has more than 56 bytes");
    }
    static_cast<void>(end.Four());  // versions: made by, and needed to read
    const std::uint32_t disk = end.Four(), first_disk = end.Four();
    const std::uint64_t here = end.Eight();
    const std::array<std::uint64_t, 3> wide = {end.Eight(), end.Eight(), end.Eight()};
    if (end_disk != 0 || disks > 1 || disk != 0 || first_disk != 0 || here != wide[0]) return SeveralDisks();
    const bool same = (*count == wide[0] || *count == kElsewhere16) &&
                      (*bytes == wide[1] || *bytes == kElsewhere32) &&
                      (*offset == wide[2] || *offset == kElsewhere32);
    if (!same) return Malformed(end_offset, "the two end records state different directories");
    *count = wide[0];
    *bytes = wide[1];
    *offset = wide[2];
    *directory_end = at;
    return {};
  }

  Result<std::vector<Listed>> ReadDirectory() {
    std::vector<std::byte> bytes(static_cast<std::size_t>(directory_size_));
    if (auto done = file_.ReadAt(directory_offset_, bytes); !done) return done.error();
    std::vector<Listed> listed;
    Fields fields(bytes);
    while (listed.size() < count_) {
      const std::int64_t at = directory_offset_ + directory_size_ - static_cast<std::int64_t>(fields.left());
      if (fields.left() < static_cast<std::size_t>(kDirectoryBytes) || fields.Four() != kDirectoryMark) {
        return Malformed(at, "entry " + std::to_string(listed.size()) +
                                 " of the directory, which is said to have " + std::to_string(count_) +
                                 ", does not begin here");
      }
      Listed entry;
      entry.index = listed.size();
      static_cast<void>(fields.Two());  // version made by
      const std::uint16_t name_size = ReadHeader(fields, &entry.header);
      const std::uint16_t extra_size = fields.Two(), comment_size = fields.Two();
      const std::uint16_t disk = fields.Two();
      static_cast<void>(fields.Bytes(6));  // attributes
      entry.offset = fields.Four();
      if (std::size_t{name_size} + extra_size + comment_size > fields.left()) {
        return Malformed(at, "what begins here is longer than the directory");
      }
      entry.header.name = Text(fields.Bytes(name_size));
      const std::span<const std::byte> extra = fields.Bytes(extra_size);
      static_cast<void>(fields.Bytes(comment_size));
      if (auto good = CheckListed(&entry, extra, disk); !good) return good.error();
      listed.push_back(std::move(entry));
    }
    if (fields.left() == 0) return listed;
    return Malformed(directory_offset_ + directory_size_ - static_cast<std::int64_t>(fields.left()),
                     "the directory continues here after its " + std::to_string(count_) + " entries");
  }

  // Reads the fields that both kinds of headers have, from the version needed to the size of the name, which
  // is returned.
  static std::uint16_t ReadHeader(Fields& fields, Header* header) {
    header->version = fields.Two();
    header->flags = fields.Two();
    header->method = fields.Two();
    static_cast<void>(fields.Four());  // time and date of modification
    header->crc = fields.Four();
    header->packed_size = fields.Four();
    header->size = fields.Four();
    return fields.Two();
  }

  // Checks what the directory states of an entry: that it is possible, and supported.
  Result<void> CheckListed(Listed* entry, std::span<const std::byte> extra, std::uint16_t disk) const {
    Header& header = entry->header;
    if ((header.flags & kEncrypted) != 0)
      return Unsupported(*entry, "it is encrypted; store it without a password");
    if ((header.flags & ~kKnownFlags) != 0 || (header.version & 0xFF) > kNewestVersion) {
      return Unsupported(*entry, "its flags are " + std::to_string(header.flags) + " and it needs version " +
                                     std::to_string(header.version) + " of the format, which are not known" +
                                     std::string(kRewriteNpz));
    }
    if (header.method != kZipStored && header.method != kZipDeflated) {
      return Unsupported(*entry, "its compression method is " + std::to_string(header.method) +
                                     "; stored (0) and deflated (8) are known" + std::string(kRewriteNpz));
    }
    if (!IsPlainUtf8(header.name)) return Malformed(*entry, "its name is not UTF-8, or has a zero byte");
    const bool ascii =
        std::ranges::all_of(header.name, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (!ascii && (header.flags & kUtf8) == 0) {
      return Unsupported(*entry,
                         "its name is neither ASCII nor marked as UTF-8, so that readers differ in what it "
                         "is" +
                             std::string(kRewriteNpz));
    }
    std::array<std::uint64_t*, 3> elsewhere = {};
    std::size_t count = 0;
    for (std::uint64_t* value : {&header.size, &header.packed_size, &entry->offset}) {
      if (*value == kElsewhere32) elsewhere[count++] = value;
    }
    if (!TakeExtra64(extra, std::span(elsewhere).first(count))) {
      return Malformed(*entry, "its extra fields are truncated, or lack its ZIP64 sizes");
    }
    if (disk != 0 && disk != kElsewhere16) return SeveralDisks();
    const std::uint64_t most = static_cast<std::uint64_t>(INT64_MAX) / 4;
    if (header.size > most || header.packed_size > most || entry->offset > most) {
      return Malformed(*entry, "its sizes and its offset are " + std::to_string(header.size) + ", " +
                                   std::to_string(header.packed_size) + " and " +
                                   std::to_string(entry->offset) + ", which no file has");
    }
    const bool stored = header.method == kZipStored;
    if (stored ? header.size != header.packed_size
               : header.size / static_cast<std::uint64_t>(kMostExpansion) > header.packed_size) {
      return Malformed(*entry, "it is said to unpack " + std::to_string(header.packed_size) + " bytes to " +
                                   std::to_string(header.size) + ", which its method cannot do");
    }
    return {};
  }

  // Reads the local headers in the order of the file; each entry must begin where the one before it ends. A
  // local header is read only when the position of the next is known, so that nothing is read twice whatever
  // the directory states.
  Result<std::vector<ZipEntry>> ReadLocalHeaders(std::vector<Listed> listed) const {
    std::vector<const Listed*> ordered;
    for (const Listed& entry : listed) ordered.push_back(&entry);
    std::ranges::sort(ordered, [](const Listed* a, const Listed* b) {
      return std::pair(a->offset, a->index) < std::pair(b->offset, b->index);
    });
    std::vector<ZipEntry> entries(listed.size());
    std::int64_t next = 0;
    for (std::size_t i = 0; i < ordered.size(); ++i) {
      const Listed& entry = *ordered[i];
      const auto offset = static_cast<std::int64_t>(entry.offset);
      if (offset != next) return Gap(next, offset);
      const Listed* const follows = i + 1 < ordered.size() ? ordered[i + 1] : nullptr;
      Result<ZipEntry> found = ReadLocal(entry, follows, &next);
      if (!found) return found.error();
      entries[entry.index] = *std::move(found);
    }
    if (next == directory_offset_) return entries;
    return Gap(next, directory_offset_);
  }

  Error Gap(std::int64_t begin, std::int64_t end) const {
    return Malformed(
        begin, "bytes " + std::to_string(begin) + " to " + std::to_string(end - 1) + " belong to no entry");
  }

  // Reads the local header of an entry and what follows its bytes, up to the entry `follows` or the
  // directory; sets `next` to the end of all of it.
  Result<ZipEntry> ReadLocal(const Listed& entry, const Listed* follows, std::int64_t* next) const {
    const Header& header = entry.header;
    const auto offset = static_cast<std::int64_t>(entry.offset);
    std::int64_t end = directory_offset_;
    if (follows != nullptr) end = std::min(end, static_cast<std::int64_t>(follows->offset));
    const auto packed_size = static_cast<std::int64_t>(header.packed_size);
    const auto name_size = static_cast<std::int64_t>(header.name.size());
    const auto overlap = [&] {
      return Malformed(entry,
                       "it begins at byte " + std::to_string(offset) + " and takes more than the " +
                           std::to_string(end - offset) + " bytes up to " +
                           (follows == nullptr ? "the directory" : "entry " + Quote(follows->header.name)));
    };
    if (offset + kLocalBytes + name_size + packed_size > end) return overlap();
    std::array<std::byte, kLocalBytes> start = {};
    if (auto done = file_.ReadAt(offset, start); !done) return done.error();
    Fields fields(start);
    if (fields.Four() != kLocalMark)
      return Malformed(entry, "no entry begins at byte " + std::to_string(offset));
    Header local;
    const std::int64_t local_name_size = ReadHeader(fields, &local);
    const std::int64_t extra_size = fields.Two();
    const std::int64_t data_offset = offset + kLocalBytes + local_name_size + extra_size;
    if (data_offset + packed_size > end) return overlap();
    std::vector<std::byte> more(static_cast<std::size_t>(local_name_size + extra_size));
    if (auto done = file_.ReadAt(offset + kLocalBytes, more); !done) return done.error();
    Fields rest(more);
    local.name = Text(rest.Bytes(static_cast<std::size_t>(local_name_size)));
    if (auto same = CheckLocal(entry, local, rest.Bytes(static_cast<std::size_t>(extra_size))); !same) {
      return same.error();
    }
    *next = data_offset + packed_size;
    if ((header.flags & kHasDescriptor) != 0) {
      if (auto good = CheckDescriptor(entry, *next, end); !good) return good.error();
      *next = end;
    }
    return ZipEntry{header.name, header.method, header.crc, static_cast<std::int64_t>(header.size),
                    packed_size, data_offset};
  }

  // Compares the local header with the directory.
  Result<void> CheckLocal(const Listed& entry, Header local, std::span<const std::byte> extra) const {
    const Header& header = entry.header;
    const auto differ = [&](const std::string& what, const std::string& in_directory,
                            const std::string& here) {
      return Malformed(entry, "its " + what + " is " + in_directory + " in the directory and " + here +
                                  " in its own header");
    };
    const auto number = [](std::uint64_t value) { return std::to_string(value); };
    std::array<std::uint64_t*, 2> both = {&local.size, &local.packed_size};
    const bool wide = local.size == kElsewhere32 || local.packed_size == kElsewhere32;
    if (!TakeExtra64(extra, std::span(both).first(wide ? 2 : 0))) {
      return Malformed(entry, "the extra fields of its own header are truncated, or lack its ZIP64 sizes");
    }
    if (local.name != header.name) return differ("name", Quote(header.name), Quote(local.name));
    if (local.flags != header.flags) return differ("set of flags", number(header.flags), number(local.flags));
    if (local.method != header.method) return differ("method", number(header.method), number(local.method));
    // Zero in the local header if a data descriptor has them.
    const bool later = (header.flags & kHasDescriptor) != 0;
    const auto same = [&](std::uint64_t stated, std::uint64_t here) {
      return stated == here || (later && here == 0);
    };
    if (!same(header.crc, local.crc)) return differ("CRC", number(header.crc), number(local.crc));
    if (!same(header.size, local.size)) return differ("size", number(header.size), number(local.size));
    if (!same(header.packed_size, local.packed_size)) {
      return differ("packed size", number(header.packed_size), number(local.packed_size));
    }
    return {};
  }

  // Checks the data descriptor after the bytes of an entry, up to `end`: CRC and sizes of 32 or of 64 bits,
  // with or without a signature.
  Result<void> CheckDescriptor(const Listed& entry, std::int64_t offset, std::int64_t end) const {
    const std::int64_t size = end - offset;
    const bool marked = size == 16 || size == 24, wide = size == 20 || size == 24;
    bool good = size == 12 || marked || wide;
    if (good) {
      std::vector<std::byte> bytes(static_cast<std::size_t>(size));
      if (auto done = file_.ReadAt(offset, bytes); !done) return done;
      Fields fields(bytes);
      if (marked) good = fields.Four() == kDescriptorMark;
      good = good && fields.Four() == entry.header.crc;
      good = good && (wide ? fields.Eight() : fields.Four()) == entry.header.packed_size;
      good = good && (wide ? fields.Eight() : fields.Four()) == entry.header.size;
    }
    if (good) return {};
    return Malformed(entry, "the " + std::to_string(size) + " bytes after it, from byte " +
                                std::to_string(offset) + " on, are not its CRC and sizes");
  }

  const InputFile& file_;
  std::string where_;
  std::int64_t max_entries_;
  std::size_t count_ = 0;
  std::int64_t directory_offset_ = 0, directory_size_ = 0;
};

}  // namespace

std::string ZipEntryWhere(std::string_view path, std::string_view entry) {
  return Quote(path) + ": entry " + Quote(entry);
}

Result<std::vector<ZipEntry>> ReadZipDirectory(const InputFile& file, std::int64_t max_entries) {
  return DirectoryReader(file, max_entries).Read();
}

}  // namespace supremum::io
