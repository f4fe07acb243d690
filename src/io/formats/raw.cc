#include "io/formats/raw.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "core/operand_errors.h"
#include "core/quote.h"
#include "io/files/messages.h"

namespace supremum::io {
namespace {

constexpr std::string_view kRawBools = "; correct the type (uint8 for numbers), or write the file again";
constexpr std::string_view kForm = "; the form is name:dtype:shape:file, as in x:float32:2x3:x.bin";
// The four parts of a specification, or nullopt if it has fewer than three colons.
std::optional<std::array<std::string_view, 4>> Split(std::string_view spec) {
  std::array<std::string_view, 4> parts;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t colon = spec.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    parts[i] = spec.substr(0, colon);
    spec.remove_prefix(colon + 1);
  }
  parts[3] = spec;
  return parts;
}

}  // namespace

std::string KnownTypes() {
  std::string names;
  for (const DType dtype : kAllDTypes) names += (names.empty() ? "" : ", ") + std::string(Name(dtype));
  return names + "; bf16, f16, f32 and f64 for short";
}

namespace {

Result<void> CheckSize(const RawSpec& spec, std::int64_t size) {
  const std::int64_t width = static_cast<std::int64_t>(ByteWidth(spec.dtype));
  const std::optional<std::int64_t> count = ElementCount(spec.shape);
  const bool fits = count && *count <= INT64_MAX / width;
  if (fits && *count * width == size) return {};
  return ErrorAt(ErrorCode::kMalformedFile, Quote(spec.file),
                 "the file has " + std::to_string(size) + " bytes; " + std::string(Name(spec.dtype)) +
                     " of shape " + ToString(spec.shape) + " takes " +
                     (fits ? std::to_string(*count * width) : std::string("more than 2^63 - 1")) +
                     "; correct the type or the shape, or write the file again");
}

Result<RawSpec> ParseAs(std::string_view spec, std::optional<DType> stated) {
  Result<RawSpec> raw = ParseRawSpec(spec);
  if (!raw || !stated || *stated == raw->dtype) return raw;
  return ErrorAt(ErrorCode::kTypeMismatch, Quote(spec), "TYP-2",
                 "the type is " + std::string(Name(raw->dtype)) + " and " + std::string(Name(*stated)) +
                     " is stated; nothing is converted",
                 ": state the type once");
}

}  // namespace

Result<Shape> ParseShape(std::string_view text, std::string_view where, std::string_view hint) {
  if (text.empty() || text == "scalar") return Shape();
  const char separator = text.find('x') != std::string_view::npos ? 'x' : ',';
  Shape shape;
  std::size_t rank = 0;
  for (bool more = true; more; ++rank) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view digits = text.substr(0, end);
    std::int64_t extent = 0;
    const auto [stop, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), extent);
    if (failure != std::errc() || stop != digits.data() + digits.size() || digits.front() == '-') {
      return ErrorAt(ErrorCode::kInvalidArgument, where,
                     "dims[" + std::to_string(rank) + "] is " + Quote(digits, 40) +
                         ", not a number from 0 to 2^63 - 1" + std::string(hint));
    }
    if (rank < kMaxRank) shape.PushBack(extent);
    more = end < text.size();
    if (more) text.remove_prefix(end + 1);
  }
  if (rank > kMaxRank) return RankError(std::string(where) + ": the shape", rank);
  return shape;
}

bool LooksLikeRaw(std::string_view spec) {
  const auto parts = Split(spec);
  return parts && ParseDType((*parts)[1]);
}

Result<RawSpec> ParseRawSpec(std::string_view spec) {
  const std::string where = Quote(spec);
  const auto parts = Split(spec);
  if (!parts) {
    return ErrorAt(ErrorCode::kInvalidArgument, where, "fewer than three colons" + std::string(kForm));
  }
  const std::optional<DType> dtype = ParseDType((*parts)[1]);
  if (!dtype) {
    return ErrorAt(ErrorCode::kInvalidArgument, where,
                   "the type " + Quote((*parts)[1], 40) + " is none of " + KnownTypes() + std::string(kForm));
  }
  const Result<Shape> shape = ParseShape((*parts)[2], where, kForm);
  if (!shape) return shape.error();
  if ((*parts)[3].empty()) {
    return ErrorAt(ErrorCode::kInvalidArgument, where, "the file has no name" + std::string(kForm));
  }
  return RawSpec{std::string((*parts)[0]), *dtype, *shape, std::string((*parts)[3])};
}

Result<ElementFile> OpenRaw(std::string_view spec, std::optional<DType> stated) {
  Result<RawSpec> raw = ParseAs(spec, stated);
  if (!raw) return raw.error();
  Result<InputFile> file = InputFile::Open(raw->file);
  if (!file) return file.error();
  if (auto fits = OrContentError(*file, CheckSize(*raw, file->size())); !fits) return fits.error();
  return ElementFile{{raw->name, Quote(raw->file), kRawBools, raw->dtype, raw->shape}, *std::move(file)};
}

}  // namespace supremum::io
