// supremum through its C++ interface. --target NAME selects an instruction set, --threads N the number of
// threads. --targets alone prints the instruction sets that run here.
#include <iostream>

#include "kit.h"
#include "supremum/supremum.h"

namespace {

using namespace supremum;

template <class T>
T ValueOf(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return *std::move(result);
}

void Succeed(const Result<void>& result) {
  if (!result) throw std::runtime_error(result.error().message);
}

TensorView ViewOf(DType dtype, const kit::Tensor& tensor) {
  return {dtype, tensor.shape, {}, tensor.data.get()};
}

// A tensor for the output, of the given shape.
kit::Tensor OutputOf(const Shape& shape, std::size_t width) {
  return kit::Tensor(kit::Dims(shape.begin(), shape.end()), width);
}

kit::Tensor RunMax(const kit::Case& problem, DType dtype, std::size_t threads) {
  std::vector<TensorView> inputs;
  for (const kit::Tensor& input : problem.inputs) inputs.push_back(ViewOf(dtype, input));
  MaxOptions options;
  options.threads = threads;
  if (problem.opset > 0) options.version = MaxVersionForOpset(problem.opset).value();
  const kit::Tensor y = OutputOf(ValueOf(MaxOutputShape(inputs, options)), problem.width);
  Succeed(Max(inputs, {dtype, y.shape, {}, y.data.get()}, options));
  return y;
}

kit::Tensor RunReduceMax(const kit::Case& problem, DType dtype, std::size_t threads) {
  const TensorView source = ViewOf(dtype, problem.inputs.at(0));
  ReduceMaxOptions options;
  options.threads = threads;
  options.keepdims = problem.keepdims;
  if (problem.axes) options.axes = *problem.axes;
  if (problem.opset > 0) options.version = ReduceMaxVersionForOpset(problem.opset).value();
  const kit::Tensor y = OutputOf(ValueOf(ReduceMaxOutputShape(source, options)), problem.width);
  Succeed(ReduceMax(source, {dtype, y.shape, {}, y.data.get()}, options));
  return y;
}

std::size_t ThreadsOf(const kit::Arguments& arguments) {
  const auto given = arguments.options.find("--threads");
  if (given == arguments.options.end()) return 1;
  const std::string& text = given->second;
  if (text.empty() || text.size() > 4 || text.find_first_not_of("0123456789") != std::string::npos) {
    throw std::runtime_error("--threads takes a number from 0 (chosen by the library) to 9999, not '" + text +
                             "'");
  }
  return std::stoul(text);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--targets") {
    for (const TargetInfo& target : Targets()) {
      if (target.runs_here) std::cout << target.name << '\n';
    }
    return 0;
  }
  const kit::Arguments arguments = kit::ParseArguments(argc, argv, {"--target", "--threads"});
  std::size_t threads = 1;
  try {
    threads = ThreadsOf(arguments);
    if (const auto given = arguments.options.find("--target"); given != arguments.options.end()) {
      Succeed(UseTarget(given->second));
    }
  } catch (const std::exception& why) {
    std::cerr << "supremum-cpp: " << why.what() << '\n';
    return 2;
  }
  std::string interface = "C++, " + std::string(ActiveTarget());
  if (threads != 1) interface += ", " + std::to_string(threads) + " threads";
  return kit::RunCases(arguments, {"supremum", SUPREMUM_VERSION, interface}, [&](const kit::Case& problem) {
    const DType dtype = ParseDType(problem.type).value();
    return problem.op == "Max" ? RunMax(problem, dtype, threads) : RunReduceMax(problem, dtype, threads);
  });
}
