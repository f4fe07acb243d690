// Times of a Max or ReduceMax node in ONNX Runtime, by its own kernels and by supremum's execution provider.
// Both sessions run in turn, in one process, on the same tensors.
//
//   supremum_onnxruntime_nodes [THREADS [PART]]     the threads of each session, 1 if not given; only the
//                                                   cases whose name contains PART
//
// A session's model has sixteen nodes that are alike, each with an output of its own, so that the time of a
// run's beginning and end, which has nothing to do with the nodes, is divided by sixteen. Written are the
// median times of a node, the ratio, and at the end how much longer it takes to create a session.
#define ORT_API_MANUAL_INIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>

#include "case.h"
#include "onnx_model.h"
#include "onnxruntime_library.h"
#include "supremum/onnxruntime.h"

namespace {

using namespace supremum;
using namespace supremum::bench;

constexpr std::size_t kNodes = 16;
constexpr std::size_t kRounds = 15;

double Now() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

double MedianOf(std::vector<double> times) {
  std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
  return times[times.size() / 2];
}

struct Memory {
  explicit Memory(std::size_t bytes) : data(std::aligned_alloc(64, (bytes + 63) / 64 * 64)) {}
  ~Memory() { std::free(data); }
  Memory(const Memory&) = delete;
  void* const data;
};

// The inputs and outputs of a case.
struct Tensors {
  explicit Tensors(const Case& spec) {
    std::mt19937 rng(1);
    for (const Layout& input : spec.inputs) {
      const std::size_t bytes = Count(input.shape) * ByteWidth(spec.dtype);
      inputs.push_back(std::make_unique<Memory>(bytes));
      // Ordinary numbers in any type: of a float, an exponent around that of 1.
      auto* const data = static_cast<unsigned char*>(inputs.back()->data);
      for (std::size_t i = 0; i < bytes; ++i) {
        const bool top = i % ByteWidth(spec.dtype) == ByteWidth(spec.dtype) - 1;
        data[i] = static_cast<unsigned char>(top && IsFloat(spec.dtype) ? 0x3C + rng() % 4 : rng());
      }
    }
    for (std::size_t k = 0; k < kNodes; ++k) {
      outputs.push_back(std::make_unique<Memory>(Count(spec.output) * ByteWidth(spec.dtype)));
    }
  }
  std::vector<std::unique_ptr<Memory>> inputs, outputs;
};

class Contender {
 public:
  Contender(const Ort::Env& env, const std::string& model, const Ort::SessionOptions& options)
      : session_(env, model.data(), model.size(), options), binding_(session_) {}

  void Bind(const Case& spec, const Tensors& tensors) {
    const auto memory = Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault);
    const auto type = static_cast<ONNXTensorElementDataType>(OnnxType(spec.dtype));
    const auto value = [&](const Shape& shape, void* data) {
      return Ort::Value::CreateTensor(memory, data, Count(shape) * ByteWidth(spec.dtype), shape.data(),
                                      shape.rank(), type);
    };
    for (std::size_t m = 0; m < tensors.inputs.size(); ++m) {
      binding_.BindInput(("x" + std::to_string(m)).c_str(),
                         value(spec.inputs[m].shape, tensors.inputs[m]->data));
    }
    for (std::size_t k = 0; k < kNodes; ++k) {
      const std::string name = k == 0 ? "y" : "y" + std::to_string(k);
      binding_.BindOutput(name.c_str(), value(spec.output, tensors.outputs[k]->data));
    }
  }

  double NanosecondsOfANode(std::size_t runs) {
    const double begin = Now();
    for (std::size_t i = 0; i < runs; ++i) session_.Run(Ort::RunOptions(), binding_);
    return (Now() - begin) / static_cast<double>(runs * kNodes);
  }

 private:
  Ort::Session session_;
  Ort::IoBinding binding_;
};

// Without the optimizer that would compute nodes that are alike once.
Ort::SessionOptions OptionsOf(Ort::Env& env, int threads, bool ours) {
  Ort::SessionOptions options;
  options.SetIntraOpNumThreads(threads);
  options.AddConfigEntry(
      "optimization.disable_specified_optimizers",
      ours ? "CommonSubexpressionElimination;ConstantFolding" : "CommonSubexpressionElimination");
  if (!ours) return options;
  OnnxRuntimeOptions provider;
  provider.library =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / "../lib/libsupremum_ort.so";
  AppendSupremumProvider(env, options, provider);
  options.AddConfigEntry("session.disable_cpu_ep_fallback", "1");
  return options;
}

std::vector<Case> Cases() {
  std::vector<Case> cases;
  const auto add = [&cases](const std::string& group, Op op, DType dtype, std::vector<Layout> inputs,
                            std::vector<std::int64_t> axes, Shape output, std::size_t bytes) {
    Case spec;
    spec.group = group;
    spec.name =
        (op == Op::kMax ? "max " : "reduce ") + ShortName(dtype) + " " + group + " " + SizeName(bytes);
    spec.op = op;
    spec.dtype = dtype;
    spec.inputs = std::move(inputs);
    spec.axes = std::move(axes);
    spec.output = output;
    cases.push_back(spec);
  };
  for (const DType dtype : {DType::kFloat32, DType::kFloat64, DType::kFloat16, DType::kInt8, DType::kUInt8,
                            DType::kInt32, DType::kInt64}) {
    for (const std::size_t bytes : {std::size_t{4} << 10, std::size_t{32} << 10, std::size_t{256} << 10,
                                    std::size_t{2} << 20, std::size_t{8} << 20}) {
      const auto count = static_cast<std::int64_t>(bytes / ByteWidth(dtype));
      const std::int64_t rows = count / 64;
      const Shape full = {rows, 64};
      add("equal", Op::kMax, dtype, {full, full}, {}, full, bytes);
      add("row", Op::kMax, dtype, {full, Shape{64}}, {}, full, bytes);
      add("column", Op::kMax, dtype, {full, Shape{rows, 1}}, {}, full, bytes);
      add("scalar", Op::kMax, dtype, {full, Shape{}}, {}, full, bytes);
      add("inner", Op::kReduceMax, dtype, {full}, {1}, Shape{rows}, bytes);
      add("outer", Op::kReduceMax, dtype, {full}, {0}, Shape{64}, bytes);
      add("all", Op::kReduceMax, dtype, {full}, {0, 1}, Shape{}, bytes);
    }
  }
  return cases;
}

// The milliseconds that creating a session takes.
double CreationOf(Ort::Env& env, const std::string& model, const Ort::SessionOptions& options) {
  const double begin = Now();
  Ort::Session(env, model.data(), model.size(), options);
  return (Now() - begin) / 1e6;
}

int Main(int threads, std::string_view part) {
  Ort::Env env(ORT_LOGGING_LEVEL_FATAL, "bench");
  const double begin = Now();
  const Ort::SessionOptions own = OptionsOf(env, threads, false);
  const double between = Now();
  const Ort::SessionOptions ours = OptionsOf(env, threads, true);
  std::cout << "options of a session: " << (between - begin) / 1e6
            << " ms, the first with supremum, which loads it: " << (Now() - between) / 1e6
            << " ms\n\n| case | ONNX Runtime, ns | supremum, ns | ratio |\n| --- | --: | --: | --: |\n";
  double log_sum = 0;
  std::size_t count = 0, above = 0, lacking = 0;
  for (const Case& spec : Cases()) {
    if (spec.name.find(part) == std::string::npos) continue;
    const std::string model = OnnxModel(spec, kNodes);
    Tensors tensors(spec);
    Contender exact(env, model, ours);
    exact.Bind(spec, tensors);
    std::optional<Contender> other;
    try {
      other.emplace(env, model, own);
    } catch (const Ort::Exception&) {
      ++lacking;
      continue;
    }
    other->Bind(spec, tensors);
    std::vector<double> exact_times, other_times;
    const std::size_t runs = std::max<std::size_t>(
        1, static_cast<std::size_t>(1e6 / (kNodes * std::max(50.0, std::max(exact.NanosecondsOfANode(3),
                                                                            other->NanosecondsOfANode(3))))));
    for (std::size_t round = 0; round < kRounds; ++round) {
      for (int turn = 0; turn < 2; ++turn) {
        const bool first = (turn == 0) == (round % 2 == 0);
        Contender& contender = first ? exact : *other;
        contender.NanosecondsOfANode(1);
        (first ? exact_times : other_times).push_back(contender.NanosecondsOfANode(runs));
      }
    }
    const double a = MedianOf(other_times), b = MedianOf(exact_times);
    log_sum += std::log(b / a);
    ++count;
    if (b > 1.05 * a) ++above;
    std::cout << "| " << spec.name << " | " << std::lround(a) << " | " << std::lround(b) << " | "
              << std::round(100 * b / a) / 100 << " |\n";
  }
  std::vector<double> with, without;
  const std::string model = OnnxModel(Cases().front());
  for (int i = 0; i < 21; ++i) {
    without.push_back(CreationOf(env, model, own));
    with.push_back(CreationOf(env, model, ours));
  }
  std::cout << '\n'
            << count << " cases, " << threads << " thread(s): geometric mean "
            << std::exp(log_sum / static_cast<double>(count)) << " of ONNX Runtime's time, above 1.05 in "
            << above << "; ONNX Runtime has no kernel for " << lacking << " more; creating a session takes "
            << MedianOf(with) << " ms, without supremum " << MedianOf(without) << " ms\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const OrtApiBase* const base = kit::LoadOnnxRuntime();
  const OrtApi* const api = base == nullptr ? nullptr : base->GetApi(ORT_API_VERSION);
  if (api == nullptr || argc > 3) {
    std::cerr << (argc > 3 ? "usage: supremum_onnxruntime_nodes [THREADS [PART]]"
                           : "ONNX Runtime 1.23 or newer was not found: scripts/setup.sh --onnxruntime")
              << '\n';
    return 2;
  }
  Ort::InitApi(api);
  std::cout << "ONNX Runtime " << base->GetVersionString() << '\n';
  try {
    return Main(argc > 1 ? std::atoi(argv[1]) : 1, argc > 2 ? argv[2] : "");
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
