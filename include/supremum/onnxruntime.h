// Max and ReduceMax of ONNX Runtime's sessions, computed by supremum: one line in a program that has ONNX
// Runtime's C++ interface, 1.23 or newer. The library is libsupremum_ort.so, which ONNX Runtime loads; this
// header needs no library of supremum.
#ifndef SUPREMUM_ONNXRUNTIME_H_
#define SUPREMUM_ONNXRUNTIME_H_

#include <onnxruntime_cxx_api.h>

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace supremum {

struct OnnxRuntimeOptions {
  /// The execution provider: a path, or a name that the loader of shared libraries finds.
  std::string library = "libsupremum_ort.so";

  /// "session": the session's own threads. Or a number of threads, the calling one and oneTBB's; "0" means as
  /// many as the process may run at once. It changes no bit of any result (ORD-5).
  std::string threads = "session";

  /// True: creating a session fails, with the node and the rule, if any Max or ReduceMax of the model is of a
  /// version or type that supremum lacks. False: such nodes are left to other providers, with a warning.
  bool strict = false;

  /// ONNX Runtime computes nodes whose inputs are constants by its own kernels, before it offers nodes to
  /// providers. False: its optimizer "ConstantFolding" is disabled for the session, so that it does not.
  /// True: it may; with `strict`, creating a session then fails.
  bool fold_constants = false;
};

/// The name of the provider, as sessions and their profiles show it.
inline constexpr const char* kOnnxRuntimeProvider = "SupremumExecutionProvider";

/// Sessions that are created with `session` compute Max and ReduceMax exactly, before any other provider that
/// is appended later. Registers the library with `env` if that has not been done.
///
/// Requires: ONNX Runtime 1.23 or newer.
/// Errors: Ort::Exception if the library cannot be loaded, or ONNX Runtime is older.
/// Cost: the first call for an environment loads the library, some milliseconds.
///
///   Ort::Env env;
///   Ort::SessionOptions options;
///   supremum::AppendSupremumProvider(env, options);
///   Ort::Session session(env, "model.onnx", options);
inline void AppendSupremumProvider(Ort::Env& env, Ort::SessionOptions& session,
                                   const OnnxRuntimeOptions& options = {}) {
  const auto devices = [&env] {
    std::vector<Ort::ConstEpDevice> found;
    for (const Ort::ConstEpDevice& device : env.GetEpDevices()) {
      if (device.EpName() == std::string_view(kOnnxRuntimeProvider)) found.push_back(device);
    }
    return found;
  };
  std::vector<Ort::ConstEpDevice> found = devices();
  if (found.empty()) {
    env.RegisterExecutionProviderLibrary("supremum", options.library);
    found = devices();
  }
  found.resize(1);  // one processor, in however many devices it is shown
  if (!options.fold_constants) {
    constexpr const char* kDisabled = "optimization.disable_specified_optimizers";
    std::string disabled = session.GetConfigEntryOrDefault(kDisabled, "");
    if (!disabled.empty()) disabled += ";";
    session.AddConfigEntry(kDisabled, (disabled + "ConstantFolding").c_str());
  }
  const std::unordered_map<std::string, std::string> of_provider = {{"threads", options.threads},
                                                                    {"strict", options.strict ? "1" : "0"}};
  session.AppendExecutionProvider_V2(env, found, of_provider);
}

}  // namespace supremum

#endif  // SUPREMUM_ONNXRUNTIME_H_
