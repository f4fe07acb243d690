#include "measure.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <thread>

namespace supremum::bench {
namespace {

// A contender that takes more than this many times as long as the fastest has at most kMaxTurnsOfASlowOne
// turns.
constexpr double kSlowRatio = 30;
constexpr std::size_t kMaxTurnsOfASlowOne = 3;

double At(const std::vector<double>& sorted, double part) {
  const double at = part * static_cast<double>(sorted.size() - 1);
  const std::size_t lower = static_cast<std::size_t>(at), upper = std::min(lower + 1, sorted.size() - 1);
  return sorted[lower] + (at - static_cast<double>(lower)) * (sorted[upper] - sorted[lower]);
}

double Median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return At(samples, 0.5);
}

struct Turns {
  std::size_t calls = 1;
  std::size_t most = 0;
  std::vector<double> samples;
};

// The number of untimed calls before a turn. Two at least: where the data nearly fill the shared cache, one
// call brings back only some of what the contender before has displaced.
std::size_t WarmUp(const Turns& turns) { return 2 + turns.calls / 2; }

void Settle(const Effort& effort) {
  if (effort.settle_seconds > 0)
    std::this_thread::sleep_for(std::chrono::duration<double>(effort.settle_seconds));
}

}  // namespace

std::vector<Timing> Measure(const Problem& problem, const std::vector<ContenderPtr>& contenders,
                            const Effort& effort) {
  // The approximate time of a call: the second of two.
  std::vector<Turns> turns(contenders.size());
  std::vector<double> about;
  for (const ContenderPtr& contender : contenders) {
    Settle(effort);
    contender->Time(1);
    double once = contender->Time(1);
    if (once < effort.turn_ns) once = contender->Time(16) / 16;
    about.push_back(std::max(once, 1.0));
  }
  const double fastest = *std::min_element(about.begin(), about.end());
  double round = 0;
  for (std::size_t c = 0; c < contenders.size(); ++c) {
    turns[c].calls = static_cast<std::size_t>(std::max(1.0, std::ceil(effort.turn_ns / about[c])));
    if (about[c] <= kSlowRatio * fastest) {
      round += about[c] * static_cast<double>(turns[c].calls + WarmUp(turns[c])) +
               effort.settle_seconds * 1e9 / static_cast<double>(effort.turns_together);
    }
  }
  const double rounds = std::clamp(effort.seconds * 1e9 / round, static_cast<double>(effort.least_rounds),
                                   static_cast<double>(effort.most_rounds));
  for (std::size_t c = 0; c < contenders.size(); ++c) {
    turns[c].most = static_cast<std::size_t>(rounds);
    if (about[c] > kSlowRatio * fastest)
      turns[c].most = about[c] > effort.seconds * 1e8 ? 1 : kMaxTurnsOfASlowOne;
  }
  const auto take_turn = [&](std::size_t c) {
    // Untimed calls load this contender's data into the caches; the only turn of a very slow one does so
    // itself.
    if (turns[c].most > 1) contenders[c]->Time(WarmUp(turns[c]));
    turns[c].samples.push_back(contenders[c]->Time(turns[c].calls) / static_cast<double>(turns[c].calls));
  };
  // Each round has another order: what a contender leaves in the caches is not always left to the same one.
  std::vector<std::size_t> order(contenders.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 random;
  for (std::size_t r = 0; r < static_cast<std::size_t>(rounds); r += effort.turns_together) {
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t c : order) {
      if (r >= turns[c].most) continue;
      Settle(effort);
      for (std::size_t t = r; t < std::min(r + effort.turns_together, turns[c].most); ++t) take_turn(c);
    }
  }

  std::vector<Timing> timings;
  for (std::size_t c = 0; c < contenders.size(); ++c) {
    std::vector<double> halves[2];
    for (std::size_t i = 0; i < turns[c].samples.size(); ++i) halves[i % 2].push_back(turns[c].samples[i]);
    std::vector<double> sorted = turns[c].samples;
    std::sort(sorted.begin(), sorted.end());
    Timing timing;
    timing.name = contenders[c]->name();
    timing.median_ns = At(sorted, 0.5);
    timing.spread = (At(sorted, 0.75) - At(sorted, 0.25)) / timing.median_ns;
    if (!halves[1].empty()) timing.drift = std::abs(Median(halves[0]) - Median(halves[1])) / timing.median_ns;
    timing.rounds = sorted.size();
    timing.calls = turns[c].calls;
    timing.computes = contenders[c]->Computes();
    if (timing.computes) {
      problem.Poison();
      contenders[c]->Time(1);
      timing.grade = problem.GradeOutput();
    }
    timings.push_back(timing);
  }
  return timings;
}

}  // namespace supremum::bench
