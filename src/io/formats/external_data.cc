#include "io/formats/external_data.h"

#include <onnx/onnx_pb.h>

#include <charconv>
#include <system_error>
#include <utility>

#include "core/quote.h"
#include "io/files/file_bytes.h"
#include "io/files/messages.h"
#include "io/files/sha1.h"
#include "io/formats/byte_order.h"

namespace supremum::io {
namespace {

constexpr std::string_view kRewriteModel = "; write the model again, with its data inside";

// The values of the keys of external_data.
struct Place {
  std::string location;
  std::int64_t offset = 0;
  std::optional<std::int64_t> length;  // absent: up to the end of the file
  std::string checksum;                // in lower case; empty where there is none
};

Error Malformed(std::string_view where, const std::string& details) {
  return ErrorAt(ErrorCode::kMalformedFile, where, details + std::string(kRewriteModel));
}

Result<std::int64_t> ParseNumber(std::string_view where, std::string_view key, std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.front() == '-') {
    return Malformed(where, "the '" + std::string(key) + "' of its external data is " + Quote(text, 40) +
                                ", not a number from 0 to 2^63 - 1");
  }
  return number;
}

// SHA-1 in hexadecimal, in lower case.
Result<std::string> ParseChecksum(std::string_view where, std::string_view text) {
  constexpr std::size_t kDigits = 40;
  std::string checksum;
  for (const char c : text) checksum += static_cast<char>(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
  if (checksum.size() == kDigits && checksum.find_first_not_of("0123456789abcdef") == std::string::npos) {
    return checksum;
  }
  return Malformed(where, "the 'checksum' of its external data is " + Quote(text, 60) +
                              ", not the 40 hexadecimal digits of SHA-1");
}

Result<Place> PlaceOf(const onnx::TensorProto& proto, std::string_view where) {
  Place place;
  bool has_offset = false;
  for (const onnx::StringStringEntryProto& entry : proto.external_data()) {
    const std::string& key = entry.key();
    const bool again = (key == "location" && !place.location.empty()) || (key == "offset" && has_offset) ||
                       (key == "length" && place.length) || (key == "checksum" && !place.checksum.empty());
    if (again) {
      return Malformed(where, "its external data has the key " + Quote(key) + " twice");
    }
    if (key == "location") {
      if (entry.value().empty()) return Malformed(where, "the 'location' of its external data is empty");
      place.location = entry.value();
    } else if (key == "offset" || key == "length") {
      const Result<std::int64_t> number = ParseNumber(where, key, entry.value());
      if (!number) return number.error();
      if (key == "offset") {
        place.offset = *number;
        has_offset = true;
      } else {
        place.length = *number;
      }
    } else if (key == "checksum") {
      Result<std::string> checksum = ParseChecksum(where, entry.value());
      if (!checksum) return checksum.error();
      place.checksum = *std::move(checksum);
    }  // ONNX ignores 'basepath' and all other keys
  }
  if (place.location.empty()) return Malformed(where, "its external data has no 'location'");
  return place;
}

bool HasElementsInside(const onnx::TensorProto& proto) {
  return !proto.raw_data().empty() || proto.float_data_size() > 0 || proto.int32_data_size() > 0 ||
         proto.string_data_size() > 0 || proto.int64_data_size() > 0 || proto.double_data_size() > 0 ||
         proto.uint64_data_size() > 0;
}

// Checks the position of the elements against their number and the size of the file.
Result<void> CheckPlace(const Place& place, DType dtype, DimsView shape, std::int64_t file_size,
                        std::string_view where) {
  const auto width = static_cast<std::int64_t>(ByteWidth(dtype));
  const std::optional<std::int64_t> count = ElementCount(shape);
  const bool countable = count && *count <= INT64_MAX / width;
  if (place.offset > file_size) {
    return Malformed(where, "its external data begins at byte " + std::to_string(place.offset) + " of " +
                                Quote(place.location) + ", which has " + std::to_string(file_size) +
                                " bytes");
  }
  const std::int64_t behind = file_size - place.offset;
  const std::int64_t length = place.length.value_or(behind);
  if (length > behind) {
    return Malformed(where, "its external data has " + std::to_string(length) + " bytes from byte " +
                                std::to_string(place.offset) + " of " + Quote(place.location) +
                                " on, where there are " + std::to_string(behind));
  }
  if (!countable || *count * width != length) {
    return Malformed(where, "its external data has " + std::to_string(length) + " bytes, but " +
                                std::string(Name(dtype)) + " of shape " + ToString(shape) + " takes " +
                                (countable ? std::to_string(*count * width) : "more than 2^63 - 1"));
  }
  return {};
}

// Compares the stated checksum, if there is one, with that of the whole file.
Result<void> CheckChecksum(const Place& place, const InputFile& file, const ExternalFiles& files,
                           std::string_view where) {
  if (place.checksum.empty()) return {};
  auto known = files.digests.find(file.path());
  if (known == files.digests.end()) {
    if (file.size() > files.max_checked_bytes) {
      return ErrorAt(ErrorCode::kLimitExceeded, where,
                     "the 'checksum' of its external data is that of all " + std::to_string(file.size()) +
                         " bytes of " + Quote(place.location) + ", and the limit is " +
                         std::to_string(files.max_checked_bytes) + std::string(kRaiseLimit));
    }
    Result<std::string> digest = Sha1Of(file);
    if (!digest) return ErrorAt(where, digest.error());
    known = files.digests.emplace(file.path(), *std::move(digest)).first;
  }
  if (known->second == place.checksum) return {};
  return ErrorAt(ErrorCode::kMalformedFile, where,
                 "the 'checksum' of its external data is " + place.checksum + " and the SHA-1 of " +
                     Quote(place.location) + " is " + known->second +
                     ": the file is damaged, or another one; copy model and data again");
}

}  // namespace

std::string FolderOfFile(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

bool IsExternal(const onnx::TensorProto& proto) {
  return proto.data_location() == onnx::TensorProto::EXTERNAL || proto.external_data_size() > 0;
}

Result<Tensor> ReadExternal(const onnx::TensorProto& proto, DType dtype, DimsView shape,
                            std::string_view where, const ExternalFolder& folder, std::int64_t max_bytes) {
  if (!folder) {
    return ErrorAt(
        ErrorCode::kUnsupportedFormat, where,
        "'data_location' or 'external_data' is set: the elements are in another file, which is opened only "
        "for a model in a file and only if that is allowed (allow_external_data, --allow-external-data); "
        "allow it, or write the tensor with its data inside");
  }
  if (proto.data_location() != onnx::TensorProto::EXTERNAL) {
    return Malformed(where, "'external_data' is set and 'data_location' is not EXTERNAL");
  }
  if (HasElementsInside(proto)) return Malformed(where, "it has elements inside, and external data");
  const Result<Place> place = PlaceOf(proto, where);
  if (!place) return place.error();
  const Result<InputFile> file = InputFile::OpenInside(folder->folder, place->location, folder->root);
  if (!file) return ErrorAt(where, file.error());
  const auto [opened, first] = folder->opened.try_emplace(file->path(), file->identity());
  if (!first && opened->second != file->identity()) {
    return ErrorAt(where, ChangedWhileRead(place->location));
  }
  if (auto fits = CheckPlace(*place, dtype, shape, file->size(), where); !fits) {
    return OrContentError(std::string(where) + ": " + Quote(place->location), ForeignContentOf(*file), fits)
        .error();
  }
  Result<Tensor> tensor = Tensor::Create(dtype, shape, max_bytes);
  if (!tensor) return ErrorAt(where, tensor.error());
  if (auto same = CheckChecksum(*place, *file, *folder, where); !same) return same.error();
  if (auto done = file->ReadAt(place->offset, tensor->bytes()); !done) return ErrorAt(where, done.error());
  ToMachineOrder(tensor->bytes(), ByteWidth(dtype), /*file_is_big_endian=*/false);
  if (dtype == DType::kBool) {
    auto bools = CheckBools(std::string(where) + ": " + Quote(place->location), place->offset,
                            tensor->bytes(), "; write the tensor again, as uint8 if these are numbers");
    if (!bools) return bools.error();
  }
  return tensor;
}

}  // namespace supremum::io
