// What is computed goes to the output in large pieces, while the caller computes what follows.
#ifndef SUPREMUM_SRC_STREAM_WRITE_BEHIND_H_
#define SUPREMUM_SRC_STREAM_WRITE_BEHIND_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "stream/output.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum::stream {

/// Two buffers: tiles fill one while the other is written. Waking a thread costs as much as copying a tile
/// or two, so that a thread gets many at once.
///
///   WriteBehind behind(output, true, {MakeBuffer(...), MakeBuffer(...)});
///   for (...) {
///     auto room = behind.Room(bytes);
///     if (!room) return room.error();
///     Compute(*room);
///     if (auto done = behind.Append(); !done) return done;
///   }
///   return behind.Flush();
class WriteBehind {
 public:
  /// In the caller's thread without `threaded`. Requires: buffers of equal size, whole elements.
  WriteBehind(Output& output, bool threaded, std::array<Tensor, 2> buffers);

  /// Where the elements that come next belong. The room stays where it is until Append.
  ///
  /// Requires: at most the size of a buffer. Errors of this and the following: kIo.
  Result<std::span<std::byte>> Room(std::size_t bytes);

  /// The room holds its elements.
  Result<void> Append();

  /// What was appended is written.
  Result<void> Flush();

  /// What was appended is written, and the room is noted as a tile of which `steps` are done. Room stays.
  Result<void> SaveRoom(std::int64_t steps);

 private:
  Result<void> HandOver();

  Output& output_;
  std::array<Tensor, 2> buffers_;
  Output::Background background_;  // ends before the buffers do
  std::size_t turn_ = 0;
  std::size_t begin_ = 0;  // of what waits in the buffer
  std::size_t end_ = 0;
  std::size_t room_ = 0;  // bytes from there on
};

}  // namespace supremum::stream

#endif  // SUPREMUM_SRC_STREAM_WRITE_BEHIND_H_
