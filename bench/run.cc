#include "run.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "measure.h"
#include "supremum/target.h"

namespace supremum::bench {
namespace {

using Json = nlohmann::ordered_json;

#if defined(__clang__)
constexpr const char* kCompiler = __VERSION__;
#else
constexpr const char* kCompiler = "GCC " __VERSION__;
#endif

// Cases that move at least this number of bytes are measured with two threads too.
constexpr std::size_t kMinTwoThreadBytes = std::size_t{1} << 16;

Json ToJson(const Case& spec, Memory memory) {
  Json shapes = Json::array();
  for (const Layout& input : spec.inputs) {
    if (shapes.size() < 3) shapes.push_back(ToString(input.shape));
  }
  return {{"name", spec.name},
          {"group", spec.group},
          {"op", spec.op == Op::kMax ? "Max" : "ReduceMax"},
          {"dtype", Name(spec.dtype)},
          {"inputs", spec.inputs.size()},
          {"shapes", shapes},
          {"axes", spec.axes},
          {"plain", spec.plain},
          {"memory", Name(memory)},
          {"bytes", BytesMoved(spec)}};
}

double TimeOf(const std::vector<Timing>& timings, const std::string& name) {
  double best = 0;
  for (const Timing& timing : timings) {
    if (timing.name != name && timing.name != name + ", streaming") continue;
    if (best == 0 || timing.median_ns < best) best = timing.median_ns;
  }
  return best;
}

void PrintLine(const Case& spec, std::size_t threads, Memory memory, const std::vector<Timing>& timings) {
  const double own = TimeOf(timings, "supremum"), limit = TimeOf(timings, "limit");
  const Timing* best = nullptr;
  std::string wrong;
  for (const Timing& timing : timings) {
    const bool ours = IsOwn(timing.name);
    if (ours && timing.grade != Grade::kExact)
      wrong += " !" + timing.name + " " + std::string(Name(timing.grade));
    if (!ours && (best == nullptr || timing.median_ns < best->median_ns)) best = &timing;
  }
  std::printf("%-46s %zu %-6s %10.3f us  limit %6.2f", spec.name.substr(0, 46).c_str(), threads,
              memory == Memory::kMalloc ? "malloc" : "huge", own / 1e3, own / limit);
  if (best != nullptr) std::printf("  %s %6.2f", best->name.c_str(), own / best->median_ns);
  std::printf("%s\n", wrong.c_str());
  std::fflush(stdout);
}

class Session {
 public:
  Session(const RunOptions& options, std::vector<PeerPtr> guests) : options_(options) {
    if (options.peers) peers_ = FindPeers(missing_);
    for (PeerPtr& guest : guests) peers_.push_back(std::move(guest));
  }

  void Measure(const std::vector<Case>& cases, std::size_t threads, Memory memory) {
    Effort effort;
    if (!options_.all) effort = {0.4, 21, 5};
    if (options_.seconds > 0) effort.seconds = options_.seconds;
    if (threads > 1) {
      effort.settle_seconds = 60e-3;  // as long as other systems' threads spin after their work
      effort.turns_together = 5;
      effort.turn_ns = 4e6;  // waking a thread takes up to some milliseconds
      effort.seconds *= 2;
    }
    std::size_t most = 0;
    for (const Case& spec : cases) most = std::max(most, ArenaBytes(spec));
    const Arena arena(most, memory);
    for (const Case& spec : cases) {
      const Problem problem(spec, arena);
      std::vector<ContenderPtr> contenders;
      contenders.push_back(Supremum(problem, threads));
      AddBareLoops(problem, contenders);
      for (const PeerPtr& peer : peers_) {
        if (ContenderPtr contender = peer->Prepare(problem, threads))
          contenders.push_back(std::move(contender));
      }
      Record(spec, threads, memory, supremum::bench::Measure(problem, contenders, effort));
    }
  }

  Json Results() {
    Json peers = Json::array();
    for (const PeerPtr& peer : peers_)
      peers.push_back({{"name", peer->Name()}, {"version", peer->Version()}});
    const CacheSizes caches = AssumedCaches();
    return {{"target", ActiveTarget()},
            {"core_bytes", caches.core_bytes},
            {"shared_bytes", caches.shared_bytes},
            {"compiler", kCompiler},
            {"peers", peers},
            {"missing", missing_},
            {"results", results_}};
  }

  int failures() const { return failures_; }

 private:
  void Record(const Case& spec, std::size_t threads, Memory memory, const std::vector<Timing>& timings) {
    Json entry = ToJson(spec, memory);
    entry["threads"] = threads;
    Json times = Json::object();
    for (const Timing& timing : timings) {
      Json one = {{"ns", timing.median_ns},
                  {"spread", timing.spread},
                  {"drift", timing.drift},
                  {"rounds", timing.rounds},
                  {"calls", timing.calls}};
      if (timing.computes) one["grade"] = Name(timing.grade);
      times[timing.name] = one;
      if (IsOwn(timing.name) && timing.computes && timing.grade != Grade::kExact) ++failures_;
    }
    entry["times"] = times;
    results_.push_back(entry);
    PrintLine(spec, threads, memory, timings);
  }

  const RunOptions& options_;
  std::vector<PeerPtr> peers_;
  std::vector<std::string> missing_;
  Json results_ = Json::array();
  int failures_ = 0;
};

[[noreturn]] void Usage(const std::string& problem) {
  std::fprintf(stderr,
               "%s\nusage: supremum_bench [--all] [--only PART-OF-NAME] [--threads 1|2] [--target NAME]\n"
               "         [--seconds FOR-A-CASE] [--no-peers] [--output FILE.json]\n",
               problem.c_str());
  std::exit(2);
}

}  // namespace

RunOptions ParseArguments(int argc, const char* const* argv) {
  RunOptions options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 == argc) Usage(argument + " needs a value");
      return argv[++i];
    };
    if (argument == "--all") {
      options.all = true;
    } else if (argument == "--no-peers") {
      options.peers = false;
    } else if (argument == "--only") {
      options.only = value();
    } else if (argument == "--target") {
      options.target = value();
    } else if (argument == "--output") {
      options.output = value();
    } else if (argument == "--threads") {
      options.threads = static_cast<std::size_t>(std::strtoull(value().c_str(), nullptr, 10));
    } else if (argument == "--seconds") {
      options.seconds = std::strtod(value().c_str(), nullptr);
    } else {
      Usage("unknown argument '" + argument + "'");
    }
  }
  return options;
}

int Run(const RunOptions& options, std::vector<PeerPtr> guests) {
  if (!__builtin_cpu_supports("avx2")) Usage("the bare loops need a processor with AVX2");
  if (!options.target.empty()) {
    const Result<void> used = UseTarget(options.target);
    if (!used) Usage(used.error().message);
  }
  const auto chosen = [&](std::vector<Case> all, std::size_t threads) {
    std::erase_if(all, [&](const Case& spec) {
      const bool other_type = spec.dtype != DType::kFloat32 && spec.dtype != DType::kFloat16;
      return spec.name.find(options.only) == std::string::npos ||
             (threads > 1 && (BytesMoved(spec) < kMinTwoThreadBytes || (!spec.plain && other_type)));
    });
    return all;
  };
  Session session(options, std::move(guests));
  std::size_t measured = 0;
  for (std::size_t threads = 1; threads <= 2; ++threads) {
    if (options.threads != 0 && options.threads != threads) continue;
    const auto measure = [&](std::vector<Case> all, Memory memory) {
      const std::vector<Case> cases = chosen(std::move(all), threads);
      measured += cases.size();
      if (!cases.empty()) session.Measure(cases, threads, memory);
    };
    measure(PlainCases(), Memory::kMalloc);
    measure(PlainCases(), Memory::kHugePages);
    if (options.all) measure(ScheduleCases(), Memory::kMalloc);
  }
  if (measured == 0) Usage("no case has '" + options.only + "' in its name");
  if (!options.output.empty()) {
    std::ofstream file(options.output);
    file << session.Results().dump(1) << "\n";
    if (!file.flush()) Usage("cannot write '" + options.output + "'");
  }
  return session.failures() == 0 ? 0 : 1;
}

}  // namespace supremum::bench
