#include "stream/write_behind.h"

#include <utility>

namespace supremum::stream {

WriteBehind::WriteBehind(Output& output, bool threaded, std::array<Tensor, 2> buffers)
    : output_(output), buffers_(std::move(buffers)), writer_(threaded), observer_(threaded) {}

Result<std::span<std::byte>> WriteBehind::Room(std::size_t bytes) {
  if (bytes > buffers_[turn_].byte_size() - end_) {
    if (auto done = HandOver(); !done) return done.error();
    turn_ = 1 - turn_;
    begin_ = end_ = 0;
  }
  room_ = bytes;
  return buffers_[turn_].bytes().subspan(end_, bytes);
}

Result<void> WriteBehind::Append() {
  end_ += room_;
  // If another tile of this size does not fit, the buffer is written at once.
  if (room_ <= buffers_[turn_].byte_size() - end_) return {};
  return HandOver();
}

Result<void> WriteBehind::Flush() {
  if (auto done = HandOver(); !done) return done;
  return Wait();
}

Result<void> WriteBehind::HandOver() {
  if (begin_ == end_) return {};
  if (auto done = Wait(); !done) return done;
  const std::span<const std::byte> bytes = buffers_[turn_].bytes().subspan(begin_, end_ - begin_);
  writer_.Start([this, bytes] { return output_.Write(bytes); });
  observer_.Start([this, bytes]() -> Result<void> {
    output_.Observe(bytes);
    return {};
  });
  begin_ = end_;
  return {};
}

Result<void> WriteBehind::Wait() {
  if (auto done = observer_.Wait(); !done) return done;
  return writer_.Wait();
}

}  // namespace supremum::stream
