#include "stream/output.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "core/messages.h"
#include "core/quote.h"
#include "io/formats/byte_order.h"

namespace supremum::stream {
namespace {

// Bytes of the earlier output that are read at a time.
constexpr std::int64_t kPiece = std::int64_t{1} << 18;

// At this number, every second checkpoint is dropped.
constexpr std::size_t kMostCheckpoints = 1000;

Result<void> CheckSpace(const io::PartialFile& file, const std::string& target, std::int64_t needed) {
  const std::optional<std::int64_t> free = file.FreeBytes();
  if (!free || needed <= *free) return {};
  return MakeError(ErrorCode::kIo, Quote(target) + " takes " + std::to_string(needed) + " bytes more and " +
                                       std::to_string(*free) +
                                       " are free there; free space, or name an output on another disk");
}

}  // namespace

Output::Output(io::PartialFile file, const OutputOptions& options)
    : file_(std::move(file)), options_(options) {}

Result<Output> Output::Create(const std::string& target, std::string header, DType dtype, const Shape& shape,
                              const std::string& operation, std::span<const Source> sources,
                              const OutputOptions& options) {
  std::vector<const io::InputFile*> inputs;
  for (const Source& source : sources) inputs.push_back(&source.file());
  Result<io::PartialFile> file = io::PartialFile::Open(target, inputs, options.resume);
  if (!file) return file.error();
  Output output(*std::move(file), options);
  output.header_ = std::move(header);
  output.width_ = static_cast<std::int64_t>(ByteWidth(dtype));
  output.elements_ = ElementCount(shape).value_or(0);

  if (output.elements_ > INT64_MAX / 2 / output.width_) {
    return MakeError(ErrorCode::kLimitExceeded, Quote(target) + " would have the shape " + ToString(shape) +
                                                    ": no file can be that large");
  }

  std::vector<std::string> facts = {operation, "output " + std::string(Name(dtype)) + " " + ToString(shape) +
                                                   " from byte " + std::to_string(output.header_.size())};
  for (const Source& source : sources) facts.push_back("input " + source.fingerprint());
  if (options.resume) {
    if (auto done = output.Resume(facts); !done) return done.error();
  }
  output.checkpoints_.facts = std::move(facts);
  if (output.position_ == 0 && !output.unfinished_) {
    output.file_.Abandon();
    if (auto done = output.file_.Truncate(0); !done) return done.error();
    const auto bytes = std::as_bytes(std::span(output.header_));
    if (auto done = output.file_.WriteAt(0, bytes); !done) return done.error();
  }
  const std::int64_t left = output.elements_ - output.position_;
  if (auto fits = CheckSpace(output.file_, target, left * output.width_); !fits) return fits.error();
  return output;
}

Result<void> Output::Resume(std::vector<std::string> facts) {
  const Result<std::optional<std::string>> data = file_.ResumeData();
  if (!data) return data.error();
  if (!*data) return {};
  const std::string where = Quote(file_.path() + ".state");
  const Result<Checkpoints> left = ParseCheckpoints(**data, where);
  if (!left) return left.error();
  const auto [now, before] = std::ranges::mismatch(facts, left->facts);
  if (now != facts.end() || before != left->facts.end()) {
    const std::string nothing = "nothing";
    return MakeError(ErrorCode::kInvalidArgument,
                     "--resume: the interrupted run had (" +
                         (before != left->facts.end() ? *before : nothing) + ") and this one has (" +
                         (now != facts.end() ? *now : nothing) +
                         "); give the files and options that it had, or leave --resume out to start again");
  }
  return ResumeFrom(*left);
}

Result<void> Output::ResumeFrom(const Checkpoints& left) {
  // Elements whose hash differs are computed again: a power failure may have lost them.
  std::string header(header_.size(), '\0');
  if (auto read = file_.ReadAt(0, std::as_writable_bytes(std::span(header))); !read || header != header_)
    return {};
  for (const Checkpoint& done : left.done) {
    if (done.elements > elements_) return {};
    const Result<std::string> hash = HashOf(position_, done.elements - position_, hash_);
    if (!hash || *hash != done.hash) return {};
    const auto take = [&](std::span<const std::byte> bytes) {
      hash_.Update(bytes);
      if (options_.on_elements) options_.on_elements(bytes);
    };
    if (auto read = ForEachPiece(position_, done.elements - position_, take); !read) return read;
    position_ = done.elements;
    checkpoints_.done.push_back(done);
  }
  if (!left.tile || left.tile->first != position_ || left.tile->elements < 1 ||
      left.tile->elements > elements_ - position_) {
    return {};
  }
  const std::int64_t at = position_ + left.tile->slot * left.tile->elements;
  const Result<std::string> hash = HashOf(at, left.tile->elements, RunningHash());
  if (hash && *hash == left.tile->hash) {
    unfinished_ = left.tile;
    slot_ = left.tile->slot;
  }
  return {};
}

Result<void> Output::ForEachPiece(std::int64_t from, std::int64_t elements,
                                  const std::function<void(std::span<const std::byte>)>& piece) const {
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(kPiece, elements * width_)));
  for (std::int64_t offset = OffsetOf(from); offset < OffsetOf(from + elements);) {
    const std::int64_t size = std::min(kPiece, OffsetOf(from + elements) - offset);
    const auto bytes = std::span(buffer).first(static_cast<std::size_t>(size));
    if (auto read = ReadElements(offset, bytes); !read) return read;
    piece(bytes);
    offset += size;
  }
  return {};
}

Result<std::string> Output::HashOf(std::int64_t from, std::int64_t elements, RunningHash hash) const {
  const auto take = [&](std::span<const std::byte> bytes) { hash.Update(bytes); };
  if (auto read = ForEachPiece(from, elements, take); !read) return read.error();
  return hash.Hex();
}

Result<void> Output::ReadElements(std::int64_t offset, std::span<std::byte> into) const {
  if (auto read = file_.ReadAt(offset, into); !read) return read;
  io::ToMachineOrder(into, static_cast<std::size_t>(width_), /*file_is_big_endian=*/false);
  return {};
}

Result<void> Output::WriteElements(std::int64_t offset, std::span<const std::byte> bytes) {
  const auto write = [&](std::span<const std::byte> piece) -> Result<void> {
    if (auto done = file_.WriteAt(offset, piece); !done) return done;
    offset += static_cast<std::int64_t>(piece.size());
    return {};
  };
  return io::ForEachLittleEndianPiece(bytes, static_cast<std::size_t>(width_), write);
}

Result<void> Output::Restore(std::span<std::byte> into) const {
  return ReadElements(OffsetOf(unfinished_->first + unfinished_->slot * unfinished_->elements), into);
}

void Output::Append(std::span<const std::byte> bytes, Background& background) {
  unfinished_.reset();
  background.writer.Start(
      [this, offset = OffsetOf(position_), bytes] { return WriteElements(offset, bytes); });
  background.hasher.Start([this, bytes]() -> Result<void> {
    hash_.Update(bytes);
    if (options_.on_elements) options_.on_elements(bytes);
    return {};
  });
  position_ += static_cast<std::int64_t>(bytes.size()) / width_;
  recorded_ = false;
}

Result<void> Output::Settle(Background& background) {
  if (auto done = background.hasher.Wait(); !done) return done;
  if (auto done = background.writer.Wait(); !done) return done;
  if (recorded_ || !Due() || !file_.lasting() || position_ == elements_) return {};
  std::vector<Checkpoint>& done = checkpoints_.done;
  if (done.size() >= kMostCheckpoints) {
    for (std::size_t i = 0; 2 * i + 1 < done.size(); ++i) std::swap(done[i], done[2 * i + 1]);
    done.resize(done.size() / 2);
  }
  done.push_back({position_, hash_.Hex()});
  checkpoints_.tile.reset();
  recorded_ = true;
  return KeepCheckpoints();
}

Result<void> Output::SaveTile(std::span<const std::byte> bytes, std::int64_t steps) {
  if (!file_.lasting()) return {};
  RunningHash hash;
  hash.Update(bytes);
  // The two slots alternate, so that the tile in the last resume file is never overwritten.
  const std::int64_t elements = static_cast<std::int64_t>(bytes.size()) / width_;
  slot_ = 1 - slot_;
  if (auto done = WriteElements(OffsetOf(position_ + slot_ * elements), bytes); !done) return done;
  checkpoints_.tile = UnfinishedTile{position_, elements, steps, slot_, hash.Hex()};
  return KeepCheckpoints();
}

Result<void> Output::KeepCheckpoints() {
  due_ = std::chrono::steady_clock::now() + options_.between_checkpoints;
  return file_.Keep(ToText(checkpoints_));
}

Result<void> Output::Finish() {
  // A second truncation would change the file, which would be written to the disk again.
  if (std::exchange(finished_, true)) return {};
  // A tile that was saved in slot 1 may extend beyond the end.
  if (auto done = file_.Truncate(OffsetOf(elements_)); !done) return done;
  return file_.Sync();
}

Result<void> Output::Commit() {
  if (auto done = Finish(); !done) return done;
  return file_.Commit();
}

Result<void> EndOfStream(std::span<const Source> sources, const Result<void>& done, Output& output) {
  if (!done && done.error().code == ErrorCode::kMalformedFile) output.Abandon();
  for (const Source& source : sources) {
    Result<void> unchanged = source.CheckUnchanged();
    if (unchanged) continue;
    output.Abandon();
    // The change explains why the file seemed malformed.
    return done || done.error().code == ErrorCode::kMalformedFile ? unchanged : done;
  }
  return done;
}

}  // namespace supremum::stream
