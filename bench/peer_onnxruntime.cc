// ONNX Runtime, through the C interface of the library in npm's onnxruntime-node, with inputs and outputs
// bound beforehand. The package has no header; the positions in the interface's table of functions never
// change.
#include <dlfcn.h>

#include <cstdlib>
#include <iterator>

#include "contender.h"
#include "onnx_model.h"

namespace supremum::bench {
namespace {

using Status = void*;

struct ApiBase {
  void* const* (*get_api)(std::uint32_t version);
  const char* (*version)();
};

// Positions in OrtApi.
enum Function : std::size_t {
  kCreateEnv = 3,
  kCreateSessionFromArray = 8,
  kRun = 9,
  kCreateSessionOptions = 10,
  kSetIntraOpNumThreads = 24,
  kCreateTensorWithDataAsOrtValue = 49,
  kCreateCpuMemoryInfo = 69,
  kReleaseStatus = 93,
  kReleaseSession = 95,
  kReleaseValue = 96,
  kReleaseSessionOptions = 100,
  kAddSessionConfigEntry = 130,
  kRunWithBinding = 133,
  kCreateIoBinding = 134,
  kReleaseIoBinding = 135,
  kBindInput = 136,
  kBindOutput = 137,
};

class Api {
 public:
  explicit Api(void* const* table) : table_(table) {}

  // Calls a function that returns a status; false if that is an error.
  template <class... Arguments>
  bool Call(Function function, Arguments... arguments) const {
    const Status status = reinterpret_cast<Status (*)(Arguments...)>(table_[function])(arguments...);
    if (status != nullptr) Release(kReleaseStatus, status);
    return status == nullptr;
  }

  void Release(Function function, void* object) const {
    if (object != nullptr) reinterpret_cast<void (*)(void*)>(table_[function])(object);
  }

 private:
  void* const* table_;
};

struct Bound {
  explicit Bound(const Api& with) : api(with) {}
  ~Bound() {
    api.Release(kReleaseIoBinding, binding);
    for (void* value : values) api.Release(kReleaseValue, value);
    api.Release(kReleaseSession, session);
    api.Release(kReleaseSessionOptions, options);
  }
  Bound(const Bound&) = delete;
  Bound& operator=(const Bound&) = delete;

  const Api& api;
  void* options = nullptr;
  void* session = nullptr;
  void* binding = nullptr;
  std::vector<void*> values;
};

class OnnxRuntime final : public Peer {
 public:
  OnnxRuntime(Api api, std::string version, bool allocates)
      : api_(api), version_(std::move(version)), allocates_(allocates) {
    constexpr int kErrors = 3, kDeviceAllocator = 0, kDefaultMemory = 0;
    ready_ = api_.Call(kCreateEnv, kErrors + 1, "bench", &env_) &&
             api_.Call(kCreateCpuMemoryInfo, kDeviceAllocator, kDefaultMemory, &memory_);
  }

  bool ready() const { return ready_; }
  std::string Name() const override { return allocates_ ? "ONNX Runtime, allocating" : "ONNX Runtime"; }
  std::string Version() const override { return version_; }

  ContenderPtr Prepare(const Problem& problem, std::size_t threads) override {
    const Case& spec = problem.spec();
    for (const Layout& layout : spec.inputs) {
      if (!layout.strides.empty()) return nullptr;
    }
    const std::string model = OnnxModel(spec);
    auto bound = std::make_shared<Bound>(api_);
    // Worker threads stop spinning after a run, since other contenders run next.
    if (!api_.Call(kCreateSessionOptions, &bound->options) ||
        !api_.Call(kSetIntraOpNumThreads, bound->options, static_cast<int>(threads)) ||
        !api_.Call(kAddSessionConfigEntry, bound->options, "session.force_spinning_stop", "1") ||
        !api_.Call(kCreateSessionFromArray, env_, model.data(), model.size(), bound->options,
                   &bound->session) ||
        !api_.Call(kCreateIoBinding, bound->session, &bound->binding)) {
      return nullptr;
    }
    for (std::size_t m = 0; m < spec.inputs.size(); ++m) {
      const std::string name = "x" + std::to_string(m);
      if (!Bind(*bound, kBindInput, name, problem.inputs()[m])) return nullptr;
    }
    if (allocates_) return RunsThatAllocate(bound);
    if (!Bind(*bound, kBindOutput, "y", problem.output())) return nullptr;
    const auto run = [this, bound] {
      return api_.Call(kRunWithBinding, bound->session, static_cast<void*>(nullptr), bound->binding);
    };
    if (!run()) return nullptr;  // a type that its kernels do not support
    return MakeCalls(Name(), run);
  }

 private:
  // The output is each run's own, so that it is not compared.
  ContenderPtr RunsThatAllocate(const std::shared_ptr<Bound>& bound) {
    static constexpr const char* kInputs[] = {"x0", "x1"};
    static constexpr const char* kOutput = "y";
    const auto run = [this, bound] {
      void* output = nullptr;
      api_.Call(kRun, bound->session, static_cast<void*>(nullptr), &kInputs[0], bound->values.data(),
                bound->values.size(), &kOutput, std::size_t{1}, &output);
      api_.Release(kReleaseValue, output);
    };
    return bound->values.size() <= std::size(kInputs) ? MakeCalls(Name(), run, false) : nullptr;
  }

  bool Bind(Bound& bound, Function bind, const std::string& name, const TensorView& view) {
    void* value = nullptr;
    const std::size_t bytes = Count(view.shape) * ByteWidth(view.dtype);
    if (!api_.Call(kCreateTensorWithDataAsOrtValue, memory_, const_cast<void*>(view.data), bytes,
                   view.shape.data(), view.shape.size(), OnnxType(view.dtype), &value)) {
      return false;
    }
    bound.values.push_back(value);
    return api_.Call(bind, bound.binding, name.c_str(), value);
  }

  Api api_;
  std::string version_;
  void* env_ = nullptr;
  void* memory_ = nullptr;
  bool allocates_ = false;
  bool ready_ = false;
};

}  // namespace

PeerPtr OnnxRuntimePeer(bool allocates) {
  const char* path = std::getenv("SUPREMUM_BENCH_ONNXRUNTIME");
  void* library = path == nullptr ? nullptr : dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  const auto get_base = reinterpret_cast<const ApiBase* (*)()>(dlsym(library, "OrtGetApiBase"));
  if (get_base == nullptr) return nullptr;
  constexpr std::uint32_t kApiVersion = 16;
  void* const* table = get_base()->get_api(kApiVersion);
  if (table == nullptr) return nullptr;
  auto peer = std::make_unique<OnnxRuntime>(Api(table), get_base()->version(), allocates);
  return peer->ready() ? std::move(peer) : nullptr;
}

}  // namespace supremum::bench
