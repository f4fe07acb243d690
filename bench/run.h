// A run: measures every chosen case and writes the results as JSON.
#ifndef SUPREMUM_BENCH_RUN_H_
#define SUPREMUM_BENCH_RUN_H_

#include <string>
#include <vector>

#include "contender.h"

namespace supremum::bench {

struct RunOptions {
  std::string only;         ///< a part of the names of the cases to measure
  std::string target;       ///< the target that supremum uses (UseTarget); empty: the default
  std::string output;       ///< the file to write; empty: none
  std::size_t threads = 0;  ///< 0: one, and then two
  double seconds = 0;       ///< for each case; 0: the default
  bool peers = true;
  bool all = false;  ///< those of schedules too, not the plain cases alone
};

/// Parses a command line; prints the problem and the usage and exits if it is invalid.
RunOptions ParseArguments(int argc, const char* const* argv);

/// Measures supremum, the bare loops, the peers of FindPeers and `guests`. Returns 0 if every bit of
/// supremum's results equals the reference output.
int Run(const RunOptions& options, std::vector<PeerPtr> guests);

}  // namespace supremum::bench

#endif  // SUPREMUM_BENCH_RUN_H_
