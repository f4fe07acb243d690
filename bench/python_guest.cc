// The interface for peers in Python in this process: NumPy and PyTorch, which bench/peers.py passes in.
#include <nlohmann/json.hpp>

#include "run.h"

namespace supremum::bench {
namespace {

using Json = nlohmann::ordered_json;

// The same structure as in bench/peers.py.
struct Guest {
  const char* name;
  const char* version;
  // Returns a number for the problem, or 0 if the guest does not support it.
  int (*prepare)(const char* problem, int threads);
  double (*time)(int number, unsigned long long calls);
  void (*release)(int number);
};

Json Describe(DimsView shape, DimsView strides, const void* data) {
  Json operand;
  operand["shape"] = std::vector<std::int64_t>(shape.begin(), shape.end());
  operand["strides"] = std::vector<std::int64_t>(strides.begin(), strides.end());
  operand["address"] = reinterpret_cast<std::uintptr_t>(data);
  return operand;
}

std::string Describe(const Problem& problem) {
  const Case& spec = problem.spec();
  Json inputs = Json::array();
  for (std::size_t m = 0; m < spec.inputs.size(); ++m) {
    const TensorView& view = problem.inputs()[m];
    const Shape dense = RowMajorStrides(view.shape);
    inputs.push_back(
        Describe(view.shape, view.strides.empty() ? DimsView(dense) : DimsView(view.strides), view.data));
  }
  const Shape dense = RowMajorStrides(spec.output);
  const Json description = {{"op", spec.op == Op::kMax ? "Max" : "ReduceMax"},
                            {"dtype", Name(spec.dtype)},
                            {"inputs", inputs},
                            {"axes", spec.axes},
                            {"output", Describe(spec.output, dense, problem.output_data())}};
  return description.dump();
}

class GuestContender final : public Contender {
 public:
  GuestContender(const Guest& guest, int number) : Contender(guest.name), guest_(guest), number_(number) {}
  ~GuestContender() override { guest_.release(number_); }
  GuestContender(const GuestContender&) = delete;
  GuestContender& operator=(const GuestContender&) = delete;

  double Time(std::size_t calls) override { return guest_.time(number_, calls); }

 private:
  const Guest& guest_;
  int number_;
};

class GuestPeer final : public Peer {
 public:
  explicit GuestPeer(const Guest& guest) : guest_(guest) {}
  std::string Name() const override { return guest_.name; }
  std::string Version() const override { return guest_.version; }
  ContenderPtr Prepare(const Problem& problem, std::size_t threads) override {
    const int number = guest_.prepare(Describe(problem).c_str(), static_cast<int>(threads));
    return number == 0 ? nullptr : std::make_unique<GuestContender>(guest_, number);
  }

 private:
  const Guest& guest_;
};

}  // namespace
}  // namespace supremum::bench

extern "C" int supremum_bench_run(int argc, const char* const* argv, const supremum::bench::Guest* guests,
                                  std::size_t count);

int supremum_bench_run(int argc, const char* const* argv, const supremum::bench::Guest* guests,
                       std::size_t count) {
  std::vector<supremum::bench::PeerPtr> peers;
  for (std::size_t i = 0; i < count; ++i) {
    peers.push_back(std::make_unique<supremum::bench::GuestPeer>(guests[i]));
  }
  return supremum::bench::Run(supremum::bench::ParseArguments(argc, argv), std::move(peers));
}
