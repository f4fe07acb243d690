#include "kit_c.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "kit.h"

struct kit_answer {
  std::size_t width = 0;
  kit::Tensor result;
  std::string unsupported;
  std::string failed = "the runner returned no answer";
};

void* kit_result(kit_answer* answer, size_t rank, const int64_t* shape) {
  try {
    answer->result = kit::Tensor(kit::Dims(shape, shape + rank), answer->width);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  answer->failed.clear();
  return answer->result.data.get();
}

void kit_unsupported(kit_answer* answer, const char* why) { answer->unsupported = why; }

void kit_failed(kit_answer* answer, const char* text) { answer->failed = text; }

const char* kit_option(int* argc, char** argv, const char* name) {
  for (int i = 1; i + 1 < *argc; ++i) {
    if (std::strcmp(argv[i], name) != 0) continue;
    const char* const value = argv[i + 1];
    std::copy(argv + i + 2, argv + *argc, argv + i);
    *argc -= 2;
    return value;
  }
  return nullptr;
}

int kit_main(int argc, char** argv, const char* runtime, const char* version, const char* interface,
             void (*run)(const kit_case* problem, kit_answer* answer)) {
  const kit::Arguments arguments = kit::ParseArguments(argc, argv);
  return kit::RunCases(arguments, {runtime, version, interface}, [&](const kit::Case& given) {
    std::vector<kit_tensor> inputs;
    for (const kit::Tensor& input : given.inputs) {
      inputs.push_back({input.shape.size(), input.shape.data(), input.data.get()});
    }
    kit_case problem = {};
    problem.id = given.id.c_str();
    problem.op = given.op.c_str();
    problem.type = given.type.c_str();
    problem.width = given.width;
    problem.opset = given.opset;
    problem.all_axes = given.axes ? 0 : 1;
    if (given.axes) {
      problem.axes = given.axes->data();
      problem.axis_count = given.axes->size();
    }
    problem.keepdims = given.keepdims ? 1 : 0;
    problem.input_count = inputs.size();
    problem.inputs = inputs.data();
    kit_answer answer;
    answer.width = given.width;
    run(&problem, &answer);
    if (!answer.unsupported.empty()) throw kit::Unsupported(answer.unsupported);
    if (!answer.failed.empty()) throw std::runtime_error(answer.failed);
    return answer.result;
  });
}
