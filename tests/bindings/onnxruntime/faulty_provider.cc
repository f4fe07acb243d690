// The execution provider, loaded through ONNX Runtime's interfaces with one function replaced by one that
// misbehaves: the variable SUPREMUM_FAULT says which. A library of its own, because ONNX Runtime hands its
// interfaces to the library that it loads.
#include <dlfcn.h>
#include <onnxruntime_c_api.h>

#include <cstdlib>
#include <new>
#include <string_view>

namespace {

const OrtApiBase* real_base = nullptr;
OrtApi table;

const OrtApi* FaultyApi(std::uint32_t) noexcept { return &table; }

// An ONNX Runtime before the interfaces of execution providers.
const OrtApi* OldApi(std::uint32_t version) noexcept {
  return version < 22 ? real_base->GetApi(version) : nullptr;
}
const char* OldVersion() noexcept { return "1.22.0"; }

OrtStatus* Fail(const char* text) { return table.CreateStatus(ORT_RUNTIME_EXCEPTION, text); }

void Break(std::string_view fault) {
  if (fault == "newer_version") {
    table.Node_GetSinceVersion = [](const OrtNode*, int* version) noexcept -> OrtStatus* {
      *version = 99;
      return nullptr;
    };
  } else if (fault == "input") {
    table.KernelContext_GetInput = [](const OrtKernelContext*, std::size_t, const OrtValue**) noexcept {
      return Fail("no input today");
    };
  } else if (fault == "absent_input") {
    table.KernelContext_GetInput = [](const OrtKernelContext*, std::size_t,
                                      const OrtValue** value) noexcept -> OrtStatus* {
      *value = nullptr;
      return nullptr;
    };
  } else if (fault == "output") {
    table.KernelContext_GetOutput = [](OrtKernelContext*, std::size_t, const std::int64_t*, std::size_t,
                                       OrtValue**) noexcept { return Fail("no output today"); };
  } else if (fault == "other_type") {  // than the model states, once a run has begun
    static bool running;
    running = false;
    table.KernelContext_GetInput = [](const OrtKernelContext* context, std::size_t i,
                                      const OrtValue** value) noexcept {
      running = true;
      return real_base->GetApi(23)->KernelContext_GetInput(context, i, value);
    };
    table.GetTensorElementType = [](const OrtTensorTypeAndShapeInfo*,
                                    ONNXTensorElementDataType* type) noexcept -> OrtStatus* {
      *type = running ? ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8 : ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT;
      return nullptr;
    };
  } else if (fault == "no_threads") {
    table.KernelContext_ParallelFor = [](const OrtKernelContext*, void (*)(void*, std::size_t), std::size_t,
                                         std::size_t, void*) noexcept { return Fail("no threads today"); };
  }
}

}  // namespace

extern "C" {

OrtStatus* CreateEpFactories(const char* name, const OrtApiBase* base, const OrtLogger* logger,
                             OrtEpFactory** factories, std::size_t max_factories,
                             std::size_t* num_factories) {
  real_base = base;
  table = *base->GetApi(23);
  const std::string_view fault = std::getenv("SUPREMUM_FAULT");
  Break(fault);
  static OrtApiBase faulty;
  faulty = {FaultyApi, base->GetVersionString};
  if (fault == "old") faulty = {OldApi, OldVersion};
  if (fault.find('.') != std::string_view::npos) {  // another version, which behaves like this one
    faulty.GetVersionString = []() noexcept -> const char* { return std::getenv("SUPREMUM_FAULT"); };
  }
  if (fault == "no_room") max_factories = 0;
  void* const library = dlopen(std::getenv("SUPREMUM_PROVIDER"), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return Fail(dlerror());
  const auto create = reinterpret_cast<decltype(&CreateEpFactories)>(dlsym(library, "CreateEpFactories"));
  return create(name, &faulty, logger, factories, max_factories, num_factories);
}

OrtStatus* ReleaseEpFactory(OrtEpFactory* factory) {
  void* const library = dlopen(std::getenv("SUPREMUM_PROVIDER"), RTLD_NOW | RTLD_LOCAL);
  return reinterpret_cast<decltype(&ReleaseEpFactory)>(dlsym(library, "ReleaseEpFactory"))(factory);
}

}  // extern "C"
