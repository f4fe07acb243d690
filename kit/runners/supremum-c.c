/* supremum through its C interface, libsupremum.so. --threads N selects the number of threads. */
#include <stdlib.h>
#include <string.h>

#include "kit_c.h"
#include "supremum/c_api.h"

enum { MOST_INPUTS = 4096 };

typedef struct named_type {
  const char* name;
  uint8_t code, bits;
} named_type;

static const named_type kTypes[] = {
    {"bfloat16", kDLBfloat, 16},   {"float16", kDLFloat, 16}, {"float32", kDLFloat, 32},
    {"float64", kDLFloat, 64},     {"int8", kDLInt, 8},       {"int16", kDLInt, 16},
    {"int32", kDLInt, 32},         {"int64", kDLInt, 64},     {"uint8", kDLUInt, 8},
    {"uint16", kDLUInt, 16},       {"uint32", kDLUInt, 32},   {"uint64", kDLUInt, 64},
    {"bool", SUPREMUM_DL_BOOL, 8},
};

static uint32_t threads = 1;

static DLTensor Describe(const named_type* type, size_t rank, const int64_t* shape, void* data) {
  DLTensor tensor;
  memset(&tensor, 0, sizeof tensor);
  tensor.data = data;
  tensor.device.device_type = kDLCPU;
  tensor.ndim = (int32_t)rank;
  tensor.dtype.code = type->code;
  tensor.dtype.bits = type->bits;
  tensor.dtype.lanes = 1;
  tensor.shape = (int64_t*)shape;
  return tensor;
}

static int Failed(kit_answer* answer, supremum_status status) {
  if (status == SUPREMUM_OK) return 0;
  kit_failed(answer, supremum_last_error());
  return 1;
}

static void RunMax(const kit_case* problem, const named_type* type, const supremum_options* options,
                   kit_answer* answer) {
  static DLTensor tensors[MOST_INPUTS];
  static const DLTensor* inputs[MOST_INPUTS];
  static const int64_t* shapes[MOST_INPUTS];
  static int32_t ranks[MOST_INPUTS];
  int64_t shape[SUPREMUM_MAX_RANK];
  int32_t rank = 0;
  DLTensor y;
  void* elements;
  size_t m;
  if (problem->input_count > MOST_INPUTS) {
    kit_failed(answer, "the case has more inputs than the runner supports: raise MOST_INPUTS");
    return;
  }
  for (m = 0; m < problem->input_count; ++m) {
    const kit_tensor* input = &problem->inputs[m];
    tensors[m] = Describe(type, input->rank, input->shape, input->data);
    inputs[m] = &tensors[m];
    shapes[m] = input->shape;
    ranks[m] = (int32_t)input->rank;
  }
  if (Failed(answer, supremum_broadcast_shapes(shapes, ranks, problem->input_count, shape, &rank))) return;
  elements = kit_result(answer, (size_t)rank, shape);
  if (elements == NULL) return;
  y = Describe(type, (size_t)rank, shape, elements);
  Failed(answer, supremum_max(inputs, problem->input_count, &y, options));
}

static void RunReduceMax(const kit_case* problem, const named_type* type, const supremum_options* options,
                         kit_answer* answer) {
  const kit_tensor* input = problem->inputs;
  const DLTensor source = Describe(type, input->rank, input->shape, input->data);
  const size_t axis_count = problem->all_axes ? SUPREMUM_ALL_AXES : problem->axis_count;
  int64_t shape[SUPREMUM_MAX_RANK];
  int32_t rank = 0;
  DLTensor y;
  void* elements;
  if (Failed(answer, supremum_reduce_max_shape(&source, problem->axes, axis_count, problem->keepdims, options,
                                               shape, &rank))) {
    return;
  }
  elements = kit_result(answer, (size_t)rank, shape);
  if (elements == NULL) return;
  y = Describe(type, (size_t)rank, shape, elements);
  Failed(answer, supremum_reduce_max(&source, problem->axes, axis_count, problem->keepdims, &y, options));
}

static void Run(const kit_case* problem, kit_answer* answer) {
  const size_t type_count = sizeof kTypes / sizeof kTypes[0];
  supremum_options options = SUPREMUM_OPTIONS_INIT;
  size_t t;
  options.opset = problem->opset;
  options.threads = threads;
  for (t = 0; t < type_count; ++t) {
    if (strcmp(problem->type, kTypes[t].name) != 0) continue;
    if (strcmp(problem->op, "Max") == 0) {
      RunMax(problem, &kTypes[t], &options, answer);
    } else {
      RunReduceMax(problem, &kTypes[t], &options, answer);
    }
    return;
  }
  kit_failed(answer, "the runner does not know the type");
}

int main(int argc, char** argv) {
  const char* const given = kit_option(&argc, argv, "--threads");
  if (given != NULL) threads = (uint32_t)strtoul(given, NULL, 10);
  return kit_main(argc, argv, "supremum", supremum_version(), "C", Run);
}
