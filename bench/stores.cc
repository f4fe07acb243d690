// Cached against non-temporal stores: the measurements behind MemoryModel (src/kernels/memory_model.h).
// Prints a Markdown table: each way's time for kinds of Max that read more or less for each byte that they
// store.
//
//   build/bench/bin/supremum_stores [MOST-MIB]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "kernels/memory_model.h"
#include "supremum/max.h"
#include "supremum/target.h"

namespace supremum::bench {
namespace {

constexpr std::size_t kColumns = 1024;
constexpr double kTurnNs = 2e6;
constexpr int kRounds = 15;

struct Kind {
  const char* name;
  std::size_t full;  // inputs of the output's shape
  bool row, column;
};

double Median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

double Time(const MaxPlan& plan, std::size_t calls) {
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < calls; ++i) plan.Run();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() /
         static_cast<double>(calls);
}

// Sums of the logarithms of the times over the better of the two ways: the chosen one, and each.
struct Sums {
  double cases = 0, chosen = 0, each[2] = {0, 0};
};

void Measure(const Kind& kind, std::size_t bytes, std::size_t threads, Sums& sums) {
  const std::size_t elements = bytes / sizeof(float), rows = elements / kColumns;
  const Shape all{static_cast<std::int64_t>(rows), kColumns}, row{kColumns},
      column{static_cast<std::int64_t>(rows), 1};
  std::vector<std::vector<float>> memory;
  std::vector<TensorView> inputs;
  const auto add = [&](const Shape& shape) {
    memory.emplace_back(static_cast<std::size_t>(*ElementCount(shape)), 1.0F);
    inputs.push_back({DType::kFloat32, shape, {}, memory.back().data()});
  };
  memory.reserve(kind.full + 2);
  for (std::size_t m = 0; m < kind.full; ++m) add(all);
  if (kind.row) add(row);
  if (kind.column) add(column);
  std::vector<float> y(elements);
  const MutableTensorView output{DType::kFloat32, all, {}, y.data()};

  const MemoryModel own = ThisMemory();
  const auto prepare = [&](std::int64_t cache_bytes) {
    AssumeCaches(CacheSizes{cache_bytes, cache_bytes});
    Result<MaxPlan> plan = MaxPlan::Prepare(inputs, output, {.threads = threads});
    AssumeCaches(std::nullopt);
    if (!plan) std::abort();
    return *std::move(plan);
  };
  const MaxPlan plans[] = {prepare(std::int64_t{1} << 40), prepare(0)};  // cached, non-temporal
  std::vector<double> samples[2];
  const std::size_t calls =
      static_cast<std::size_t>(std::max(1.0, kTurnNs / std::max(1.0, Time(plans[0], 3))));
  for (int round = 0; round < kRounds; ++round) {
    for (int way = 0; way < 2; ++way) {
      Time(plans[way], 2);
      samples[way].push_back(Time(plans[way], calls));
    }
  }
  const double times[] = {Median(samples[0]), Median(samples[1])};
  double read = 0;
  for (const TensorView& input : inputs) read += 4.0 * static_cast<double>(*ElementCount(input.shape));
  const bool streams = own.PrefersStreaming(read, static_cast<double>(bytes), threads);
  const double better = std::min(times[0], times[1]);
  std::printf("| %s | %.2f | %zu | %.1f | %.1f | %.2f | %s | %.2f |\n", kind.name,
              static_cast<double>(bytes) / 1048576, threads, times[0] / 1e3, times[1] / 1e3,
              times[1] / times[0], streams ? "non-temporal" : "cached", times[streams] / better);
  ++sums.cases;
  sums.chosen += std::log(times[streams] / better);
  for (std::size_t way = 0; way < 2; ++way) sums.each[way] += std::log(times[way] / better);
}

}  // namespace
}  // namespace supremum::bench

int main(int argc, char** argv) {
  using namespace supremum;
  using namespace supremum::bench;
  const std::size_t most = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 32;
  const MemoryModel model = ThisMemory();
  std::printf("%s; a core's own cache %.1f MiB, shared %.1f MiB; cached byte %.1f, streamed byte %.1f\n\n",
              std::string(ActiveTarget()).c_str(), model.core_bytes / 1048576, model.shared_bytes / 1048576,
              model.cached_byte, model.streamed_byte);
  std::printf(
      "| inputs | output, MiB | threads | cached, us | non-temporal, us | ratio | chosen | over the better "
      "|\n");
  std::printf("| --- | ---: | ---: | ---: | ---: | ---: | --- | ---: |\n");
  const Kind kinds[] = {{"column and row", 0, true, true}, {"full and row", 1, true, false},
                        {"two full", 2, false, false},     {"three full", 3, false, false},
                        {"four full", 4, false, false},    {"sixteen full", 16, false, false}};
  Sums sums;
  for (std::size_t threads = 1; threads <= 2; ++threads) {
    for (const Kind& kind : kinds) {
      for (std::size_t octave = 256; octave <= most * 1024; octave *= 2) {
        // Four sizes an octave: what a cache keeps of data that slightly exceeds it lies between two of them.
        for (std::size_t kib = octave; kib < 2 * octave && kib <= most * 1024; kib += octave / 4) {
          if (kib * std::max<std::size_t>(1, kind.full) > 256 * 1024) continue;
          Measure(kind, kib * 1024, threads, sums);
        }
      }
    }
  }
  const auto mean = [&](double sum) { return std::exp(sum / sums.cases); };
  std::printf("\nGeometric mean over the better: chosen %.3f, always cached %.3f, always non-temporal %.3f\n",
              mean(sums.chosen), mean(sums.each[0]), mean(sums.each[1]));
}
