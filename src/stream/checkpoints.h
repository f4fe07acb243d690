// What an interrupted run leaves behind, so that another can go on.
#ifndef SUPREMUM_SRC_STREAM_CHECKPOINTS_H_
#define SUPREMUM_SRC_STREAM_CHECKPOINTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "supremum/result.h"

namespace supremum::stream {

/// How far an output was written: its first elements, and what they are.
struct Checkpoint {
  std::int64_t elements = 0;
  std::string hash;  ///< RunningHash::Hex
};

/// A tile of the output on which a run was still working: it holds the maxima of the first `steps` elements
/// of what it is made of.
struct UnfinishedTile {
  std::int64_t first = 0;     ///< its first element in the output
  std::int64_t elements = 0;  ///< how many it has
  std::int64_t steps = 0;
  std::int64_t slot = 0;  ///< where it lies: 0 at its place in the output, 1 behind that
  std::string hash;
};

struct Checkpoints {
  /// What is computed, and of what, a fact a line. Another run goes on only if it is the same.
  std::vector<std::string> facts;
  /// Ascending. All are kept, because after a power failure the disk may have less than the last one says.
  std::vector<Checkpoint> done;
  std::optional<UnfinishedTile> tile;
};

/// Lines of text.
std::string ToText(const Checkpoints& checkpoints);

/// Errors: kMalformedFile, with `where` and the line.
Result<Checkpoints> ParseCheckpoints(std::string_view text, const std::string& where);

}  // namespace supremum::stream

#endif  // SUPREMUM_SRC_STREAM_CHECKPOINTS_H_
