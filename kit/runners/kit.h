// What runners in C++ share: reading the cases of a kit, printing the lines of the protocol (README.md).
#ifndef SUPREMUM_KIT_RUNNERS_KIT_H_
#define SUPREMUM_KIT_RUNNERS_KIT_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace kit {

using Dims = std::vector<std::int64_t>;

/// A tensor, row-major, its elements in the machine's byte order. Its memory is aligned to 64 bytes, readable
/// for 64 bytes beyond the last element, and never null.
struct Tensor {
  Tensor() = default;
  /// Elements of `width` bytes, filled with a pattern, so that elements which a runtime does not write are
  /// not correct by chance.
  Tensor(Dims extents, std::size_t width);

  template <class T>
  T* As() const {
    return static_cast<T*>(data.get());
  }

  Dims shape;
  std::size_t count = 0;  ///< elements
  std::shared_ptr<void> data;
};

/// A case as a runtime sees it: without the expected output.
struct Case {
  std::string id;
  std::string op;    ///< "Max" or "ReduceMax"
  std::string type;  ///< "bfloat16", as NumPy would write it
  std::size_t width = 0;
  std::int64_t opset = 0;    ///< 0: no opset, since ONNX does not admit the type
  std::string model;         ///< the folder of its model, within the kit's; empty if there is none
  std::optional<Dims> axes;  ///< of ReduceMax: which to reduce; absent: all (RED-5 has been applied)
  bool keepdims = true;
  std::vector<Tensor> inputs;
};

/// Thrown if the runtime does not support the type or has no kernel for the case, or if its interface cannot
/// express the case.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The common shape of the inputs (BRO-1, BRO-2), for runtimes that do not compute it themselves.
Dims BroadcastShape(const Case& problem);

/// The shape of ReduceMax's source with the reduced extents set to 1 (RED-3).
Dims KeptShape(const Case& problem);

/// The same without the reduced dimensions, unless the case keeps them.
Dims ReducedShape(const Case& problem);

/// True for each dimension that is reduced.
std::vector<bool> Reduced(const Case& problem);

/// The shape with leading extents of 1 up to `rank`.
Dims WithRank(Dims shape, std::size_t rank);

/// `runner DIR [--from N]`, and options of the runner's own, each with a value.
struct Arguments {
  std::string folder;
  std::size_t from = 0;
  std::map<std::string, std::string> options;
};

/// Reads the command line; on a wrong one says so and ends the program with status 2.
Arguments ParseArguments(int argc, char** argv, const std::vector<std::string>& own_options = {});

/// The runtime that the lines report on; `interface` is the interface through which it is called.
struct Runtime {
  std::string name;
  std::string version;
  std::string interface = "C++";
};

/// Prints the runtime's line, then one for each case: what `run` returns, or why it failed. Returns the
/// program's exit status.
int RunCases(const Arguments& arguments, const Runtime& runtime,
             const std::function<Tensor(const Case&)>& run);

}  // namespace kit

#endif  // SUPREMUM_KIT_RUNNERS_KIT_H_
