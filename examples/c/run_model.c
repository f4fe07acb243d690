/* Describes a model of two float32 inputs, asks for the shape of its output, and runs it on memory of its
 * own. Everything that can fail is asked.
 *
 *   run_model MODEL
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "supremum/c_models.h"

static int Failed(supremum_status status) {
  if (status == SUPREMUM_OK) return 0;
  fprintf(stderr, "%s: %s\n", supremum_status_name(status), supremum_model_last_error());
  return 1;
}

/* "input x [batch,3,?]". The names of a file that is not trusted would be escaped first. */
static void Describe(const char* kind, const supremum_model_value* value) {
  int32_t d;
  printf("%s %s [", kind, value->name);
  for (d = 0; d < value->rank; ++d) {
    if (d > 0) printf(",");
    if (value->shape[d] >= 0) {
      printf("%" PRId64, value->shape[d]);
    } else {
      printf("%s", value->symbols[d][0] != '\0' ? value->symbols[d] : "?");
    }
  }
  printf("]\n");
}

static void Print(const char* what, const float* values, size_t count) {
  size_t i;
  printf("%s", what);
  for (i = 0; i < count; ++i) printf(" %g", (double)values[i]);
  printf("\n");
}

static int Run(const supremum_model* model) {
  float first[3] = {3, 2, 1}, second[3] = {1, 5, 4};
  int64_t shape[1] = {3};
  DLTensor a = {0}, b, y;
  const DLTensor* inputs[2];
  const void* from[2];
  void* to[1];
  supremum_model_plan* plan = NULL;
  size_t count = 1;
  int32_t d;
  float* result;

  a.data = first;
  a.device.device_type = kDLCPU;
  a.ndim = 1;
  a.dtype.code = kDLFloat;
  a.dtype.bits = 32;
  a.dtype.lanes = 1;
  a.shape = shape;
  b = a;
  b.data = second;
  inputs[0] = &a;
  inputs[1] = &b;

  /* Without outputs the plan has its own memory for them: it says what to allocate. */
  if (Failed(supremum_model_prepare(model, inputs, 2, NULL, 0, NULL, &plan))) return 1;
  if (Failed(supremum_model_plan_output(plan, 0, &y))) return 1;
  for (d = 0; d < y.ndim; ++d) count *= (size_t)y.shape[d];
  result = malloc(count * sizeof(float));
  if (result == NULL) return 1;
  from[0] = first;
  from[1] = second;
  to[0] = result;
  if (Failed(supremum_model_plan_rebind(plan, from, 2, to, 1))) return 1;

  supremum_model_plan_run(plan);
  Print("result:", result, count);
  first[0] = 9;
  supremum_model_plan_run(plan);
  Print("again:", result, count);

  /* An error says what is wrong, and the plan is as it was. */
  to[0] = second;
  if (supremum_model_plan_rebind(plan, from, 2, to, 1) == SUPREMUM_ERROR_OVERLAP) {
    printf("refused: %s\n", supremum_model_last_error());
  }
  supremum_model_plan_destroy(plan);
  free(result);
  return 0;
}

int main(int argc, char** argv) {
  supremum_model* model = NULL;
  size_t k;
  int failed;
  if (argc != 2) {
    fprintf(stderr, "usage: run_model MODEL\n");
    return 2;
  }
  /* 64 MiB are enough for this model, and an untrusted one cannot take more. */
  if (Failed(supremum_model_load(argv[1], 64 << 20, 0, &model))) return 1;
  for (k = 0; k < supremum_model_input_count(model); ++k) Describe("input", supremum_model_input(model, k));
  for (k = 0; k < supremum_model_output_count(model); ++k)
    Describe("output", supremum_model_output(model, k));
  if (supremum_model_input_count(model) != 2 || supremum_model_output_count(model) != 1) {
    fprintf(stderr, "the model must have two inputs and one output\n");
    supremum_model_destroy(model);
    return 1;
  }
  failed = Run(model);
  supremum_model_destroy(model);
  return failed;
}
