#include "bare_loops.h"
#include "contender.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"

namespace supremum::bench {
namespace {

// From this many bytes moved on, the limits are measured with non-temporal stores too, and the faster form
// counts. Below, the output stays in a cache. Chosen by estimate; no benchmark line yet.
constexpr std::size_t kMinNonTemporalLimitBytes = std::size_t{4} << 20;

// The buffers of a problem that a bare loop reads.
struct Buffers {
  std::vector<const std::byte*> full;
  const std::byte* small = nullptr;
};

alignas(64) std::byte small_inputs[kSmallBytes];

Buffers BuffersOf(const Problem& problem) {
  const Case& spec = problem.spec();
  Buffers buffers;
  for (std::size_t m = 0; m < spec.inputs.size(); ++m) {
    const Layout& layout = spec.inputs[m];
    if (spec.op == Op::kMax && Count(layout.shape) != Count(spec.output)) {
      buffers.small = small_inputs;
      continue;
    }
    const std::size_t origin = static_cast<std::size_t>(layout.origin) * ByteWidth(spec.dtype);
    buffers.full.push_back(static_cast<const std::byte*>(problem.inputs()[m].data) - origin);
  }
  return buffers;
}

ContenderPtr BareLoop(const Problem& problem, std::string name, Store store) {
  const Case& spec = problem.spec();
  const Buffers buffers = BuffersOf(problem);
  std::byte* const y = problem.output_data();
  const std::size_t bytes = problem.output_bytes();
  if (spec.op == Op::kReduceMax) {
    const std::size_t source = Count(spec.inputs[0].shape) * ByteWidth(spec.dtype);
    const auto run = [=] { BareReduce(store, buffers.full[0], source, y, bytes); };
    return MakeCalls(std::move(name), run, false);
  }
  const auto run = [=] { BareMax(store, buffers.full, buffers.small, y, bytes); };
  return MakeCalls(std::move(name), run, false);
}

}  // namespace

ContenderPtr Supremum(const Problem& problem, std::size_t threads) {
  const Case& spec = problem.spec();
  if (spec.op == Op::kMax) {
    MaxOptions options;
    options.threads = threads;
    auto plan =
        std::make_shared<MaxPlan>(MaxPlan::Prepare(problem.inputs(), problem.output(), options).value());
    return MakeCalls("supremum", [plan] { plan->Run(); });
  }
  ReduceMaxOptions options;
  options.axes = spec.axes;
  options.threads = threads;
  auto plan = std::make_shared<ReduceMaxPlan>(
      std::move(ReduceMaxPlan::Prepare(problem.inputs()[0], problem.output(), options).value()));
  return MakeCalls("supremum", [plan] { plan->Run(); });
}

ContenderPtr SupremumWithoutPlan(const Problem& problem) {
  const std::string name = "supremum, no plan";
  const auto output = problem.output();
  if (problem.spec().op == Op::kMax) {
    const auto run = [&inputs = problem.inputs(), output] { static_cast<void>(Max(inputs, output)); };
    return MakeCalls(name, run);
  }
  ReduceMaxOptions options;
  options.axes = problem.spec().axes;
  const auto run = [source = problem.inputs()[0], output, options] {
    static_cast<void>(ReduceMax(source, output, options));
  };
  return MakeCalls(name, run);
}

void AddBareLoops(const Problem& problem, std::vector<ContenderPtr>& contenders) {
  contenders.push_back(BareLoop(problem, "limit", Store::kPlain));
  if (BytesMoved(problem.spec()) < kMinNonTemporalLimitBytes) return;
  contenders.push_back(BareLoop(problem, "limit, streaming", Store::kStream));
}

bool IsOwn(std::string_view contender) {
  return contender.starts_with("supremum") || contender.starts_with("limit");
}

std::vector<PeerPtr> FindPeers(std::vector<std::string>& missing) {
  std::vector<PeerPtr> peers;
  const auto add = [&](std::string name, PeerPtr peer) {
    if (peer != nullptr) return peers.push_back(std::move(peer));
    missing.push_back(std::move(name));
  };
  add("Eigen", EigenPeer());
  add("oneDNN", OneDnnPeer());
  add("XNNPACK", XnnpackPeer());
  add("ONNX Runtime", OnnxRuntimePeer());
  return peers;
}

}  // namespace supremum::bench
