// Writes computed tiles to the output in large pieces, while the caller computes the next ones.
#ifndef SUPREMUM_SRC_STREAM_WRITE_BEHIND_H_
#define SUPREMUM_SRC_STREAM_WRITE_BEHIND_H_

#include <array>
#include <cstddef>
#include <span>

#include "stream/output.h"
#include "stream/worker.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum::stream {

/// Two buffers: tiles are collected in one while one thread writes the other and another thread observes it
/// (Output::Observe). Waking a thread costs as much as copying one or two tiles, so a thread gets many at a
/// time.
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
  /// Without `threaded`, everything runs in the caller's thread. Requires: buffers of equal size, whole
  /// elements.
  WriteBehind(Output& output, bool threaded, std::array<Tensor, 2> buffers);

  /// Memory for the next elements, valid until Append.
  ///
  /// Requires: at most the size of a buffer. Errors of this and the following: kIo.
  Result<std::span<std::byte>> Room(std::size_t bytes);

  /// Appends the elements that the caller has put into the room.
  Result<void> Append();

  /// Writes everything that was appended, and waits for it.
  Result<void> Flush();

 private:
  Result<void> HandOver();
  Result<void> Wait();

  Output& output_;
  std::array<Tensor, 2> buffers_;
  // Destroyed before the buffers.
  Worker writer_, observer_;
  std::size_t turn_ = 0;
  std::size_t begin_ = 0;  // of the elements that are not written yet
  std::size_t end_ = 0;
  std::size_t room_ = 0;  // bytes from end_ on
};

}  // namespace supremum::stream

#endif  // SUPREMUM_SRC_STREAM_WRITE_BEHIND_H_
