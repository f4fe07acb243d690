// ONNX Runtime where supremum computes Max and ReduceMax: sessions on the kit's models with the execution
// provider, and without the nodes that ONNX Runtime would otherwise compute on the processor itself.
// --provider FILE names libsupremum_ort.so, --threads what the provider's option takes.
#define ORT_API_MANUAL_INIT
#include <filesystem>
#include <iostream>

#include "kit.h"
#include "onnxruntime_library.h"
#include "supremum/onnxruntime.h"

namespace {

constexpr int kNotInstalled = 77;

ONNXTensorElementDataType TypeOf(const std::string& type) {
  static const std::map<std::string, ONNXTensorElementDataType> types = {
      {"bfloat16", ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16},
      {"float16", ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16},
      {"float32", ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT},
      {"float64", ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE},
      {"int8", ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8},
      {"int16", ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16},
      {"int32", ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32},
      {"int64", ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64},
      {"uint8", ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8},
      {"uint16", ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16},
      {"uint32", ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32},
      {"uint64", ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64},
      {"bool", ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL},
  };
  return types.at(type);
}

class OnnxRuntime {
 public:
  explicit OnnxRuntime(const supremum::OnnxRuntimeOptions& options) : env_(ORT_LOGGING_LEVEL_FATAL, "kit") {
    session_options_.SetIntraOpNumThreads(2);
    session_options_.AddConfigEntry("session.disable_cpu_ep_fallback", "1");
    supremum::AppendSupremumProvider(env_, session_options_, options);
  }

  // The axes are the model's last input if it has one more than the case.
  kit::Tensor Run(const std::string& folder, const kit::Case& problem) {
    if (problem.model.empty()) throw kit::Unsupported("ONNX has no such node: the case has no model");
    Ort::Session session(env_, (folder + "/" + problem.model + "/model.onnx").c_str(), session_options_);
    std::vector<Ort::Value> inputs;
    for (const kit::Tensor& input : problem.inputs)
      inputs.push_back(ValueOf(TypeOf(problem.type), input, problem.width));
    kit::Tensor axes(kit::Dims{static_cast<std::int64_t>(problem.axes ? problem.axes->size() : 0)},
                     sizeof(std::int64_t));
    if (problem.axes) std::copy(problem.axes->begin(), problem.axes->end(), axes.As<std::int64_t>());
    const std::vector<std::string> names = session.GetInputNames();
    if (names.size() == inputs.size() + 1) {
      inputs.push_back(ValueOf(ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, axes, sizeof(std::int64_t)));
    }
    std::vector<const char*> feeds;
    for (const std::string& name : names) feeds.push_back(name.c_str());
    const std::string output = session.GetOutputNames().at(0);
    const char* const fetches[] = {output.c_str()};
    const std::vector<Ort::Value> results =
        session.Run(Ort::RunOptions(), feeds.data(), inputs.data(), inputs.size(), fetches, 1);
    const Ort::TensorTypeAndShapeInfo info = results[0].GetTensorTypeAndShapeInfo();
    if (info.GetElementType() != TypeOf(problem.type))
      throw std::runtime_error("the result is of another type");
    const kit::Tensor y(info.GetShape(), problem.width);
    std::copy_n(static_cast<const std::byte*>(results[0].GetTensorRawData()), y.count * problem.width,
                y.As<std::byte>());
    return y;
  }

 private:
  Ort::Value ValueOf(ONNXTensorElementDataType type, const kit::Tensor& tensor, std::size_t width) const {
    return Ort::Value::CreateTensor(memory_, tensor.data.get(), tensor.count * width, tensor.shape.data(),
                                    tensor.shape.size(), type);
  }

  Ort::Env env_;
  Ort::SessionOptions session_options_;
  const Ort::MemoryInfo memory_ = Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault);
};

// Of the same build folder, or the same installation.
std::string ProviderBesideThis() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path prefix = (program.parent_path() / "../../..").lexically_normal();
  const std::filesystem::path built = prefix / "lib/libsupremum_ort.so";
  return std::filesystem::exists(built, error) ? built : prefix / SUPREMUM_LIBRARY_DIR / "libsupremum_ort.so";
}

}  // namespace

int main(int argc, char** argv) {
  const kit::Arguments arguments = kit::ParseArguments(argc, argv, {"--provider", "--threads"});
  const auto option = [&arguments](const char* name, const std::string& otherwise) {
    const auto given = arguments.options.find(name);
    return given == arguments.options.end() ? otherwise : given->second;
  };
  const OrtApiBase* const base = kit::LoadOnnxRuntime();
  const OrtApi* const api = base == nullptr ? nullptr : base->GetApi(ORT_API_VERSION);
  if (api == nullptr) {
    std::cerr << (base == nullptr ? "libonnxruntime.so was not found" : "ONNX Runtime is too old") << '\n';
    return kNotInstalled;
  }
  Ort::InitApi(api);
  try {
    supremum::OnnxRuntimeOptions options;
    options.library = option("--provider", ProviderBesideThis());
    options.threads = option("--threads", "1");
    options.strict = true;
    OnnxRuntime runtime(options);
    return kit::RunCases(arguments, {"ONNX Runtime with supremum", base->GetVersionString()},
                         [&](const kit::Case& problem) { return runtime.Run(arguments.folder, problem); });
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
