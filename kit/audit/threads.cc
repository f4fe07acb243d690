#include "audit/threads.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace supremum::cli {
namespace {

constexpr std::string_view kArrayApi =
    "the array API standard leaves open which zero is the maximum of +0 and -0";

constexpr std::array<Thread, 7> kThreads = {{
    {"ONNX Runtime", "ORD-3", "Max", "microsoft/onnxruntime#21455",
     "Max and Min lose a NaN of the first input if the second has one element",
     "closed by microsoft/onnxruntime#21492"},
    {"ONNX Runtime", "ORD-3", "ReduceMax", "microsoft/onnxruntime#10514",
     "whether ReduceMax returns NaN depends on how many elements are NaN", "open"},
    {"PyTorch", "ORD-2", "", "pytorch/pytorch#193781",
     "the sign of the zero that torch.maximum returns depends on the tensor's length", "open"},
    {"PyTorch", "ORD-2", "", "data-apis/array-api#707", kArrayApi, "closed by data-apis/array-api#751"},
    {"NumPy", "ORD-2", "", "numpy/numpy#26746",
     "the sign of the zero that fmin returns depends on the system; also on minimum", "open"},
    {"NumPy", "ORD-2", "", "numpy/numpy#32341", "a change that orders the zeros in maximum and minimum",
     "closed, not merged"},
    {"NumPy", "ORD-2", "", "data-apis/array-api#707", kArrayApi, "closed by data-apis/array-api#751"},
}};

}  // namespace

std::vector<Thread> ThreadsOn(std::string_view runtime, std::string_view rule, std::string_view op) {
  std::vector<Thread> found;
  std::ranges::copy_if(kThreads, std::back_inserter(found), [&](const Thread& thread) {
    return thread.runtime == runtime && thread.rule == rule && (thread.op.empty() || thread.op == op);
  });
  return found;
}

}  // namespace supremum::cli
