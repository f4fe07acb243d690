// A run: every chosen case, measured, as JSON.
#ifndef SUPREMUM_BENCH_RUN_H_
#define SUPREMUM_BENCH_RUN_H_

#include <string>
#include <vector>

#include "contender.h"

namespace supremum::bench {

struct RunOptions {
  bool quick = false;
  std::string only;         ///< a part of the names of the cases to measure
  std::string target;       ///< the instruction set that supremum is made to use; empty: its own choice
  std::string output;       ///< the file to write; empty: none
  std::size_t threads = 0;  ///< 0: one, and then two
  double seconds = 0;       ///< for each case; 0: the run's own choice
  bool peers = true;
};

/// Reads a command line; exits with a text where it makes no sense.
RunOptions ParseArguments(int argc, const char* const* argv);

/// Measures with supremum, the bare loops, the peers of FindPeers and `guests`. 0 if every result of supremum
/// and of the exact loops is right in every bit.
int Run(const RunOptions& options, std::vector<PeerPtr> guests);

}  // namespace supremum::bench

#endif  // SUPREMUM_BENCH_RUN_H_
