// A contender is what is measured: supremum, a bare loop or a peer.
#ifndef SUPREMUM_BENCH_CONTENDER_H_
#define SUPREMUM_BENCH_CONTENDER_H_

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "problem.h"

namespace supremum::bench {

/// A contender that is ready to run one problem on its buffers.
class Contender {
 public:
  explicit Contender(std::string name) : name_(std::move(name)) {}
  virtual ~Contender() = default;

  const std::string& name() const { return name_; }

  /// Runs `calls` times and returns the time of all calls in nanoseconds.
  virtual double Time(std::size_t calls) = 0;

  /// True if the contender computes the case; false for a bare loop, whose output is not a result.
  virtual bool Computes() const { return true; }

 private:
  std::string name_;
};

using ContenderPtr = std::unique_ptr<Contender>;

/// A contender whose run is a call of `run`.
template <class Run>
class Calls final : public Contender {
 public:
  Calls(std::string name, Run run, bool computes)
      : Contender(std::move(name)), run_(std::move(run)), computes_(computes) {}

  double Time(std::size_t calls) override {
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < calls; ++i) run_();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
  }
  bool Computes() const override { return computes_; }

 private:
  Run run_;
  bool computes_;
};

template <class Run>
ContenderPtr MakeCalls(std::string name, Run run, bool computes = true) {
  return std::make_unique<Calls<Run>>(std::move(name), std::move(run), computes);
}

/// A system to measure: its name, its version, and its contender for a problem. Prepare returns null for a
/// problem that the system does not support.
class Peer {
 public:
  virtual ~Peer() = default;
  virtual std::string Name() const = 0;
  virtual std::string Version() const = 0;
  virtual ContenderPtr Prepare(const Problem& problem, std::size_t threads) = 0;
};

using PeerPtr = std::unique_ptr<Peer>;

/// supremum's plan, prepared once.
ContenderPtr Supremum(const Problem& problem, std::size_t threads);

/// The one-call forms Max and ReduceMax, which check and prepare in every call.
ContenderPtr SupremumWithoutPlan(const Problem& problem);

/// The bare loop for a problem, "limit", and for large problems also the one with non-temporal stores,
/// "limit, streaming".
void AddBareLoops(const Problem& problem, std::vector<ContenderPtr>& contenders);

/// True for supremum and the bare loops; false for a peer.
bool IsOwn(std::string_view contender);

/// The peers that were found at build time or can be loaded now. Appends the names of the others to
/// `missing`.
std::vector<PeerPtr> FindPeers(std::vector<std::string>& missing);

// Each returns its peer, or null if the library is not there.
PeerPtr EigenPeer();
PeerPtr OneDnnPeer();
PeerPtr XnnpackPeer();
PeerPtr OnnxRuntimePeer(bool allocates = false);  ///< with `allocates`, runs allocate their outputs

}  // namespace supremum::bench

#endif  // SUPREMUM_BENCH_CONTENDER_H_
