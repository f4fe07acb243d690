#include "stream/output.h"

#include <cstdint>
#include <optional>
#include <utility>

#include "core/messages.h"
#include "core/quote.h"
#include "io/formats/byte_order.h"

namespace supremum::stream {
namespace {

Result<void> CheckSpace(const io::AtomicFile& file, const std::string& target, std::int64_t needed) {
  const std::optional<std::int64_t> free = file.FreeBytes();
  if (!free || needed <= *free) return {};
  return MakeError(ErrorCode::kIo, Quote(target) + " takes " + std::to_string(needed) + " bytes more and " +
                                       std::to_string(*free) +
                                       " are free there; free space, or name an output on another disk");
}

}  // namespace

Result<Output> Output::Create(const std::string& target, const std::string& header, DType dtype,
                              const Shape& shape, OnElements on_elements) {
  Result<io::AtomicFile> file = io::AtomicFile::Create(target);
  if (!file) return file.error();
  Output output(*std::move(file));
  output.on_elements_ = std::move(on_elements);
  output.width_ = ByteWidth(dtype);
  output.elements_ = ElementCount(shape).value_or(0);
  const auto width = static_cast<std::int64_t>(output.width_);
  if (output.elements_ > INT64_MAX / width) {
    return MakeError(ErrorCode::kLimitExceeded, Quote(target) + " would have the shape " + ToString(shape) +
                                                    ": no file can be that large");
  }
  const auto bytes = std::as_bytes(std::span(header));
  if (auto done = output.file_.Write(bytes); !done) return done.error();
  if (auto fits = CheckSpace(output.file_, target, output.elements_ * width); !fits) return fits.error();
  return output;
}

Result<void> Output::Write(std::span<const std::byte> bytes) {
  const auto write = [&](std::span<const std::byte> piece) { return file_.Write(piece); };
  return io::ForEachLittleEndianPiece(bytes, width_, write);
}

Result<io::AtomicFile> Output::Finish() && {
  if (auto done = file_.Sync(); !done) return done.error();
  return std::move(file_);
}

void Output::Observe(std::span<const std::byte> bytes) const {
  if (on_elements_) on_elements_(bytes);
}

}  // namespace supremum::stream
