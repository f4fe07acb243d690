// Max and ReduceMax of ONNX Runtime's sessions, computed by supremum: one line in a program that has ONNX
// Runtime's C++ interface, 1.23 or newer. The library is libsupremum_ort.so, which ONNX Runtime loads; this
// header needs no library of supremum.
#ifndef SUPREMUM_ONNXRUNTIME_H_
#define SUPREMUM_ONNXRUNTIME_H_

#include <dlfcn.h>
#include <onnxruntime_cxx_api.h>

#if ORT_API_VERSION < 23
#error "supremum/onnxruntime.h needs the headers of ONNX Runtime 1.23 or newer; these are older"
#endif

#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace supremum {

struct OnnxRuntimeOptions {
  /// The execution provider: a path, or a name without "/" that the loader of shared libraries finds.
  std::string library = "libsupremum_ort.so";

  /// "session": the session's own threads. Or a number of threads, the calling one and oneTBB's; "0" means as
  /// many as the process may run at once. It changes no bit of any result (ORD-5). For a session of one
  /// thread say "1": ONNX Runtime does not tell a provider what SetIntraOpNumThreads was given, and "session"
  /// then divides the work into parts, which the one thread computes in turn.
  std::string threads = "session";

  /// True: creating a session fails, with the node and the reason, if any Max or ReduceMax of the model is
  /// not computed by supremum. Each run fails if a provider that was appended before has taken such a node.
  /// False: such nodes are left to other providers, with a warning.
  bool strict = false;

  /// ONNX Runtime computes nodes whose inputs are constants by its own kernels, before it offers nodes to
  /// providers. False: its optimizer "ConstantFolding" is disabled for the session, so that it does not.
  /// True: it may; with `strict`, creating a session then fails.
  bool fold_constants = false;
};

/// The name of the provider, as sessions and their profiles show it.
inline constexpr const char* kOnnxRuntimeProvider = "SupremumExecutionProvider";

/// Errors: Ort::Exception if the library of ONNX Runtime that was loaded is older than the headers that this
/// program was compiled with. Ort::Env would then read a null pointer: call this first. Does nothing if
/// ORT_API_MANUAL_INIT is defined.
inline void CheckOnnxRuntime() {
#ifndef ORT_API_MANUAL_INIT
  const OrtApiBase* const base = OrtGetApiBase();
  if (base->GetApi(ORT_API_VERSION) != nullptr) return;
  throw Ort::Exception("supremum: the program was compiled with the headers of ONNX Runtime 1." +
                           std::to_string(ORT_API_VERSION) + ", and the library that was loaded is older: " +
                           base->GetVersionString() + "; run it with a newer library",
                       ORT_NOT_IMPLEMENTED);
#endif
}

namespace internal {
// The absolute path of a library that the loader finds: ONNX Runtime looks for others in its own folder.
inline std::string PathOfLibrary(const std::string& library) {
  if (library.find('/') != std::string::npos) return std::filesystem::absolute(library);
  void* const loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const function = loaded == nullptr ? nullptr : dlsym(loaded, "CreateEpFactories");
  Dl_info found = {};
  if (function == nullptr || dladdr(function, &found) == 0) {
    const char* const reason = dlerror();
    throw Ort::Exception("supremum: the execution provider cannot be loaded: " +
                             std::string(reason == nullptr ? library.c_str() : reason) +
                             "; set OnnxRuntimeOptions::library to its path",
                         ORT_NO_SUCHFILE);
  }
  return std::filesystem::absolute(found.dli_fname);
}

// The device by which a session asks for the provider: one, in however many the processor is shown.
inline std::vector<Ort::ConstEpDevice> DeviceOfSupremum(Ort::Env& env, const std::string& library) {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  for (int attempt = 0; attempt < 2; ++attempt) {
    for (const Ort::ConstEpDevice& device : env.GetEpDevices()) {
      if (device.EpName() == std::string_view(kOnnxRuntimeProvider)) return {device};
    }
    if (attempt == 0) env.RegisterExecutionProviderLibrary("supremum", PathOfLibrary(library));
  }
  throw Ort::Exception("supremum: ONNX Runtime shows no processor", ORT_FAIL);
}
}  // namespace internal

/// Sessions that are created with `session` compute Max and ReduceMax exactly, before any other provider that
/// is appended later; a provider that was appended before has the first choice. Registers the library with
/// `env` if that has not been done. The last call for a `session` determines its options.
///
/// Requires: ONNX Runtime 1.23 or newer. Threads may call it at once, each for its own `session`.
/// Errors: Ort::Exception if the library cannot be loaded, or ONNX Runtime is older.
/// Cost: the first call for an environment loads the library, some milliseconds.
///
///   supremum::CheckOnnxRuntime();
///   Ort::Env env;
///   Ort::SessionOptions options;
///   supremum::AppendSupremumProvider(env, options);
///   Ort::Session session(env, "model.onnx", options);
inline void AppendSupremumProvider(Ort::Env& env, Ort::SessionOptions& session,
                                   const OnnxRuntimeOptions& options = {}) {
  constexpr const char* kDisabled = "optimization.disable_specified_optimizers";
  const std::string prefix = "ep.supremumexecutionprovider.", strict = options.strict ? "1" : "0";
  const std::vector<Ort::ConstEpDevice> device = internal::DeviceOfSupremum(env, options.library);
  if (!options.fold_constants) {
    const std::string before = session.GetConfigEntryOrDefault(kDisabled, "");
    if ((";" + before + ";").find(";ConstantFolding;") == std::string::npos) {
      session.AddConfigEntry(kDisabled, (before + (before.empty() ? "" : ";") + "ConstantFolding").c_str());
    }
  }
  if (session.HasConfigEntry((prefix + "strict").c_str())) {  // it is appended already
    const auto set = [&](const std::string& key, const std::string& value) {
      if (session.GetConfigEntry(key.c_str()) != value) session.AddConfigEntry(key.c_str(), value.c_str());
    };
    set(prefix + "strict", strict);
    set(prefix + "threads", options.threads);
  } else {
    const std::unordered_map<std::string, std::string> of_provider = {{"threads", options.threads},
                                                                      {"strict", strict}};
    session.AppendExecutionProvider_V2(env, device, of_provider);
  }
}

}  // namespace supremum

#endif  // SUPREMUM_ONNXRUNTIME_H_
