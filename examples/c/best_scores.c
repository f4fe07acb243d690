/* Two score maps and a floor, combined; then the best score of each row. Everything that can fail is asked.
 */
#include <stdio.h>
#include <stdlib.h>

#include "supremum/c_api.h"

/* A float32 tensor on the CPU, row-major. */
static DLTensor Tensor(float* data, int64_t* shape, int rank) {
  DLTensor tensor = {0};
  tensor.data = data;
  tensor.device.device_type = kDLCPU;
  tensor.ndim = rank;
  tensor.dtype.code = kDLFloat;
  tensor.dtype.bits = 32;
  tensor.dtype.lanes = 1;
  tensor.shape = shape;
  return tensor;
}

static int Failed(supremum_status status) {
  if (status == SUPREMUM_OK) return 0;
  fprintf(stderr, "%s: %s\n", supremum_status_name(status), supremum_last_error());
  return 1;
}

static void Print(const char* what, const float* values, int count) {
  int i;
  printf("%s", what);
  for (i = 0; i < count; ++i) printf(" %g", (double)values[i]);
  printf("\n");
}

int main(void) {
  float first[6] = {0.1f, 0.7f, 0.9f, 0.4f, 0.2f, 0.3f};
  float second[6] = {0.6f, 0.2f, 0.1f, 0.0f, 0.8f, 0.1f};
  float floor_values[3] = {0.2f, 0.2f, 0.5f};
  int64_t shape[2] = {2, 3}, row[1] = {3}, rows[1] = {2}, wrong[1] = {4};
  const DLTensor a = Tensor(first, shape, 2), b = Tensor(second, shape, 2), c = Tensor(floor_values, row, 1);
  const DLTensor* const inputs[3] = {&a, &b, &c};

  /* What the output must be: here [2,3]. */
  const int64_t* const shapes[3] = {shape, shape, row};
  const int32_t ranks[3] = {2, 2, 1};
  int64_t common[SUPREMUM_MAX_RANK];
  int32_t rank = 0;
  size_t count = 1;
  float *fused = NULL, best[2];
  DLTensor y, highest, misfit;
  supremum_options options = SUPREMUM_OPTIONS_INIT;
  supremum_max_plan* plan = NULL;
  const int64_t last_axis[1] = {-1};
  int32_t d;

  if (Failed(supremum_broadcast_shapes(shapes, ranks, 3, common, &rank))) return 1;
  for (d = 0; d < rank; ++d) count *= (size_t)common[d];
  fused = malloc(count * sizeof(float));
  if (fused == NULL) return 1;
  y = Tensor(fused, common, rank);

  /* A plan is checked once; then it runs as often as there is something new in the inputs. */
  options.threads = 0; /* as many as pay */
  if (Failed(supremum_max_prepare(inputs, 3, &y, &options, &plan))) {
    free(fused);
    return 1;
  }
  supremum_max_run(plan);
  Print("fused:", fused, (int)count);
  second[3] = 0.95f;
  supremum_max_run(plan);
  Print("again:", fused, (int)count);
  supremum_max_destroy(plan);

  highest = Tensor(best, rows, 1);
  if (Failed(supremum_reduce_max(&y, last_axis, 1, 0, &highest, NULL))) {
    free(fused);
    return 1;
  }
  Print("best of each row:", best, 2);

  /* An error says what is wrong, and nothing has been written. */
  misfit = Tensor(best, wrong, 1);
  if (supremum_reduce_max(&y, last_axis, 1, 0, &misfit, NULL) == SUPREMUM_ERROR_OUTPUT_SHAPE_MISMATCH) {
    printf("refused: %s\n", supremum_last_error());
  }
  free(fused);
  return 0;
}
