// Measures contenders in rounds: in each round, every contender has its turn, on the same buffers.
#ifndef SUPREMUM_BENCH_MEASURE_H_
#define SUPREMUM_BENCH_MEASURE_H_

#include <string>
#include <vector>

#include "contender.h"

namespace supremum::bench {

struct Effort {
  double seconds = 0.6;  ///< approximate time for one case
  std::size_t most_rounds = 31;
  std::size_t least_rounds = 5;
  double turn_ns = 40e3;           ///< minimum time of a turn, far above the clock's resolution
  std::size_t turns_together = 1;  ///< successive turns of a contender
  double settle_seconds = 0;       ///< a pause before them, until other systems' worker threads sleep
};

struct Timing {
  std::string name;
  double median_ns = 0;  ///< of one call
  double spread = 0;     ///< the interquartile range over the median
  double drift = 0;      ///< the difference of the medians of even and odd rounds, over the median
  std::size_t rounds = 0;
  std::size_t calls = 0;  ///< in one round
  bool computes = true;
  Grade grade = Grade::kExact;
};

/// One timing for each contender. Results are graded after all timing is done.
std::vector<Timing> Measure(const Problem& problem, const std::vector<ContenderPtr>& contenders,
                            const Effort& effort);

}  // namespace supremum::bench

#endif  // SUPREMUM_BENCH_MEASURE_H_
