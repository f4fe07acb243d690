// Exports of libsupremum_ort.so: the two functions by which ONNX Runtime gets execution providers from a
// library.
#include <array>
#include <charconv>
#include <cstring>
#include <memory>
#include <string>

#include "bindings/onnxruntime/api.h"
#include "bindings/onnxruntime/provider.h"

namespace supremum::onnxruntime {
namespace {

using Version = std::array<int, 3>;

// "1.24.4" as {1, 24, 4}; what is no number is 0.
Version VersionOf(const char* version) {
  Version numbers = {};
  for (int& number : numbers) {
    const char* const end = version + std::strlen(version);
    version = std::from_chars(version, end, number).ptr;
    if (*version == '.') ++version;
  }
  return numbers;
}

Api ApiOf(const OrtApiBase& base, const OrtApi& ort) {
  const Version version = VersionOf(base.GetVersionString());
  Api api = {&ort, ort.GetEpApi()};
  api.compiles_several_graphs = version >= Version{1, 24, 4};
  // Asked for a version that it lacks, ONNX Runtime prints a message.
  const OrtApi* const newer = version >= Version{1, 24, 0} ? base.GetApi(24) : nullptr;
  if (newer != nullptr) {
    const std::byte* const table = reinterpret_cast<const std::byte*>(newer);
    std::memcpy(&api.type_and_shape, table + kTypeAndShapeNumber * sizeof(void*), sizeof(void*));
  }
  return api;
}

class Factory : public OrtEpFactory {
 public:
  explicit Factory(const Api& of) : OrtEpFactory{}, api_(of) {
    ort_version_supported = kApiVersion;
    GetName = [](const OrtEpFactory*) noexcept { return kProviderName; };
    GetVendor = [](const OrtEpFactory*) noexcept { return "supremum"; };
    GetVendorId = [](const OrtEpFactory*) noexcept -> std::uint32_t { return 0; };
    GetVersion = [](const OrtEpFactory*) noexcept { return SUPREMUM_VERSION; };
    GetSupportedDevices = [](OrtEpFactory* self, const OrtHardwareDevice* const* devices, std::size_t count,
                             OrtEpDevice** found, std::size_t max_found, std::size_t* num_found) noexcept {
      const Api& api = static_cast<Factory*>(self)->api_;
      return Guarded(*api.ort, [&] {
        *num_found = 0;
        for (std::size_t i = 0; i < count && *num_found < max_found; ++i) {
          if (api.ort->HardwareDevice_Type(devices[i]) != OrtHardwareDeviceType_CPU) continue;
          api.Check(api.ep->CreateEpDevice(self, devices[i], nullptr, nullptr, found + *num_found));
          ++*num_found;
        }
      });
    };
    CreateEp = [](OrtEpFactory* self, const OrtHardwareDevice* const*, const OrtKeyValuePairs* const*,
                  std::size_t, const OrtSessionOptions* session, const OrtLogger* logger,
                  OrtEp** provider) noexcept {
      const Api& api = static_cast<Factory*>(self)->api_;
      return Guarded(*api.ort, [&] {
        *provider = std::make_unique<Provider>(api, ReadOptions(api, session), logger).release();
      });
    };
    ReleaseEp = [](OrtEpFactory*, OrtEp* provider) noexcept { delete static_cast<Provider*>(provider); };
    // Tensors are in the processor's memory, which ONNX Runtime allocates, and no stream is needed.
    CreateAllocator = [](OrtEpFactory*, const OrtMemoryInfo*, const OrtKeyValuePairs*,
                         OrtAllocator** allocator) noexcept -> OrtStatus* {
      *allocator = nullptr;
      return nullptr;
    };
    ReleaseAllocator = [](OrtEpFactory*, OrtAllocator*) noexcept {};
    CreateDataTransfer = [](OrtEpFactory*, OrtDataTransferImpl** transfer) noexcept -> OrtStatus* {
      *transfer = nullptr;
      return nullptr;
    };
    IsStreamAware = [](const OrtEpFactory*) noexcept { return false; };
  }

 private:
  const Api api_;
};

}  // namespace
}  // namespace supremum::onnxruntime

extern "C" {

// NOLINTBEGIN(readability-identifier-naming): the names are ONNX Runtime's
OrtStatus* CreateEpFactories(const char*, const OrtApiBase* base, const OrtLogger*, OrtEpFactory** factories,
                             std::size_t max_factories, std::size_t* num_factories) {
  using namespace supremum::onnxruntime;
  const OrtApi* const ort = base->GetApi(kApiVersion);
  if (ort == nullptr) {
    // CreateStatus is among the functions of every version.
    const OrtApi* const old = base->GetApi(1);
    const std::string text =
        std::string("supremum: the execution provider needs ONNX Runtime 1.23 or newer, and this is ") +
        base->GetVersionString();
    return old == nullptr ? nullptr : old->CreateStatus(ORT_NOT_IMPLEMENTED, text.c_str());
  }
  return Guarded(*ort, [&] {
    if (max_factories < 1) throw Failure(ORT_INVALID_ARGUMENT, "supremum: there is no room for its factory");
    factories[0] = std::make_unique<Factory>(ApiOf(*base, *ort)).release();
    *num_factories = 1;
  });
}

OrtStatus* ReleaseEpFactory(OrtEpFactory* factory) {
  delete static_cast<supremum::onnxruntime::Factory*>(factory);
  return nullptr;
}
// NOLINTEND(readability-identifier-naming)

}  // extern "C"
