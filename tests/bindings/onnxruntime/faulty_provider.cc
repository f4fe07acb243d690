// The execution provider, loaded through ONNX Runtime's interfaces with one function replaced by one that
// misbehaves: the variable SUPREMUM_FAULT says which. A library of its own, because ONNX Runtime hands its
// interfaces to the library that it loads.
#include <dlfcn.h>
#include <onnxruntime_c_api.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>
#include <thread>

namespace {

const OrtApiBase* real_base = nullptr;

// The functions of version 24, of which the headers of version 23 declare the first 390.
constexpr std::size_t kFunctions = 415, kFunctionsOf23 = 390, kTypeAndShape = 414;
static union {
  void* functions[kFunctions];
  OrtApi table;
};

const OrtApi* FaultyApi(std::uint32_t) noexcept { return &table; }

// An ONNX Runtime before the interfaces of execution providers.
const OrtApi* OldApi(std::uint32_t version) noexcept {
  return version < 22 ? real_base->GetApi(version) : nullptr;
}
const char* OldVersion() noexcept { return "1.22.0"; }

// Counters for "parts", which counts and causes no fault: the parts into which work was divided, and those
// parts that threads other than the calling one computed.
std::atomic<std::size_t> parts = 0, parts_of_others = 0;

OrtStatus* CountParts(const OrtKernelContext* context, void (*part)(void*, std::size_t), std::size_t total,
                      std::size_t batches, void* task) noexcept {
  struct Counted {
    void (*part)(void*, std::size_t);
    void* task;
    std::thread::id caller;
  } counted = {part, task, std::this_thread::get_id()};
  parts += total;
  return real_base->GetApi(23)->KernelContext_ParallelFor(
      context,
      [](void* all, std::size_t k) {
        const Counted& of = *static_cast<Counted*>(all);
        if (std::this_thread::get_id() != of.caller) ++parts_of_others;
        of.part(of.task, k);
      },
      total, batches, &counted);
}

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
    using Query =
        OrtStatus* (*)(const OrtValue*, ONNXTensorElementDataType*, const std::int64_t**, std::size_t*);
    static Query query;
    std::memcpy(&query, &functions[kTypeAndShape], sizeof query);
    const Query other = [](const OrtValue* value, ONNXTensorElementDataType* type,
                           const std::int64_t** extents, std::size_t* rank) {
      OrtStatus* const status = query(value, type, extents, rank);
      *type = ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8;
      return status;
    };
    std::memcpy(&functions[kTypeAndShape], &other, sizeof other);
    table.GetTensorElementType = [](const OrtTensorTypeAndShapeInfo*,
                                    ONNXTensorElementDataType* type) noexcept -> OrtStatus* {
      *type = running ? ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8 : ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT;
      return nullptr;
    };
  } else if (fault == "parts") {
    table.KernelContext_ParallelFor = CountParts;
  } else if (fault == "no_threads") {
    table.KernelContext_ParallelFor = [](const OrtKernelContext*, void (*)(void*, std::size_t), std::size_t,
                                         std::size_t, void*) noexcept { return Fail("no threads today"); };
  }
}

}  // namespace

extern "C" {

// The counts since the last call.
void TakeParts(std::size_t* all, std::size_t* of_others) {
  *all = parts.exchange(0);
  *of_others = parts_of_others.exchange(0);
}

OrtStatus* CreateEpFactories(const char* name, const OrtApiBase* base, const OrtLogger* logger,
                             OrtEpFactory** factories, std::size_t max_factories,
                             std::size_t* num_factories) {
  real_base = base;
  // ONNX Runtime 1.23 contains only the functions of version 23; the entries of later functions stay null.
  const bool is_old = std::string_view(base->GetVersionString()).starts_with("1.23.");
  std::memset(functions, 0, sizeof functions);
  std::memcpy(functions, base->GetApi(is_old ? 23 : 24),
              (is_old ? kFunctionsOf23 : kFunctions) * sizeof(void*));
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
