// ONNX Runtime's interfaces in C, as this room calls them: an error of ONNX Runtime is thrown, and becomes a
// status again before a function returns to it.
#ifndef SUPREMUM_SRC_BINDINGS_ONNXRUNTIME_API_H_
#define SUPREMUM_SRC_BINDINGS_ONNXRUNTIME_API_H_

#include <onnxruntime_c_api.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace supremum::onnxruntime {

/// The version of the interfaces that are called, and the oldest ONNX Runtime that has them: 1.23. Later ones
/// have them too, whatever the version of the headers.
inline constexpr std::uint32_t kApiVersion = 23;

/// The exception of this room. None leaves it: Guarded catches all.
class Failure : public std::exception {
 public:
  Failure(OrtErrorCode code, std::string text) : code_(code), text_(std::move(text)) {}
  OrtErrorCode code() const noexcept { return code_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  OrtErrorCode code_;
  std::string text_;
};

/// GetTensorElementTypeAndShapeDataReference: the type of a tensor and where its shape is, without an
/// allocation. Version 24 of the interface added it as its last function, after 414 others; the headers of
/// version 23 do not declare it.
using TypeAndShape = OrtStatus* (*)(const OrtValue* value, ONNXTensorElementDataType* type,
                                    const std::int64_t** extents, std::size_t* rank);
inline constexpr std::size_t kTypeAndShapeNumber = 414;
#if ORT_API_VERSION >= 24
static_assert(offsetof(OrtApi, GetTensorElementTypeAndShapeDataReference) ==
              kTypeAndShapeNumber * sizeof(void*));
#endif

struct Api {
  const OrtApi* ort = nullptr;
  const OrtEpApi* ep = nullptr;
  TypeAndShape type_and_shape = nullptr;  ///< null in ONNX Runtime 1.23
  /// Nodes in several graphs of a model, such as both branches of an If, can be compiled: from 1.24.4 on.
  bool compiles_several_graphs = true;

  /// Throws Failure if `status` is an error, and releases it.
  void Check(OrtStatus* status) const {
    if (status == nullptr) return;
    const OrtErrorCode code = ort->GetErrorCode(status);
    std::string text = ort->GetErrorMessage(status);
    ort->ReleaseStatus(status);
    throw Failure(code, std::move(text));
  }
};

/// Calls `function` and returns null; if it throws, returns a status with the text.
template <class Function>
OrtStatus* Guarded(const OrtApi& ort, const Function& function) noexcept {
  try {
    function();
    return nullptr;
  } catch (const Failure& failure) {
    return ort.CreateStatus(failure.code(), failure.what());
  } catch (const std::exception& error) {  // std::bad_alloc
    return ort.CreateStatus(ORT_FAIL, error.what());
  }
}

}  // namespace supremum::onnxruntime

#endif  // SUPREMUM_SRC_BINDINGS_ONNXRUNTIME_API_H_
