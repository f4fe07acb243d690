// ONNX Runtime's shared library, found where programs that are not linked with it can find it.
#ifndef SUPREMUM_KIT_RUNNERS_ONNXRUNTIME_LIBRARY_H_
#define SUPREMUM_KIT_RUNNERS_ONNXRUNTIME_LIBRARY_H_

#include <dlfcn.h>
#include <onnxruntime_c_api.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace kit {

/// Where npm has put the library of onnxruntime-node, in a folder `peers` or `build/peers` of one of the
/// folders above the program, as scripts/setup.sh makes it.
inline std::vector<std::string> OnnxRuntimeOfNpm() {
  namespace fs = std::filesystem;
  std::vector<std::string> found;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  for (fs::path folder = program.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
    for (const char* peers : {"peers", "build/peers"}) {
      const fs::path package = folder / peers / "node_modules/onnxruntime-node/bin";
      for (fs::recursive_directory_iterator entry(package, error), end; !error && entry != end;
           entry.increment(error)) {
        if (entry->path().filename().string().starts_with("libonnxruntime.so"))
          found.push_back(entry->path());
      }
    }
  }
  return found;
}

/// The interface of the first library that can be loaded: of the file that the environment variable
/// SUPREMUM_ONNXRUNTIME names, or else one that the loader finds, or else npm's. Null if there is none.
inline const OrtApiBase* LoadOnnxRuntime() {
  std::vector<std::string> names;
  if (const char* const stated = std::getenv("SUPREMUM_ONNXRUNTIME")) {
    names = {stated};
  } else {
    names = OnnxRuntimeOfNpm();
    names.insert(names.begin(), {"libonnxruntime.so.1", "libonnxruntime.so"});
  }
  for (const std::string& name : names) {
    void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    using GetBase = const OrtApiBase* (*)();
    if (const auto get = reinterpret_cast<GetBase>(dlsym(library, "OrtGetApiBase"))) return get();
  }
  return nullptr;
}

}  // namespace kit

#endif  // SUPREMUM_KIT_RUNNERS_ONNXRUNTIME_LIBRARY_H_
