// The resume data of a streamed output (io/files/partial_file.h).
#ifndef SUPREMUM_SRC_STREAM_CHECKPOINTS_H_
#define SUPREMUM_SRC_STREAM_CHECKPOINTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "supremum/result.h"

namespace supremum::stream {

/// How many elements of an output were written, and a hash of them.
struct Checkpoint {
  std::int64_t elements = 0;
  std::string hash;  ///< RunningHash::Hex
};

/// A tile of the output that was not complete: the maxima of the first `steps` elements that it reduces.
struct UnfinishedTile {
  std::int64_t first = 0;     ///< position of its first element in the output
  std::int64_t elements = 0;  ///< number of its elements
  std::int64_t steps = 0;
  std::int64_t slot = 0;  ///< where it is stored: 0 at its place in the output, 1 after that place
  std::string hash;
};

struct Checkpoints {
  /// The operation, the output and the inputs, one a line. A run resumes only if all are the same.
  std::vector<std::string> facts;
  /// Ascending. All are kept, since after a power failure the disk may have less than the last one states.
  std::vector<Checkpoint> done;
  std::optional<UnfinishedTile> tile;
};

/// As lines of text, the last with a hash of the others: a changed number could not be told from a right one,
/// and would give another result.
std::string ToText(const Checkpoints& checkpoints);

/// Errors: kMalformedFile, with `where` and the line.
Result<Checkpoints> ParseCheckpoints(std::string_view text, const std::string& where);

}  // namespace supremum::stream

#endif  // SUPREMUM_SRC_STREAM_CHECKPOINTS_H_
