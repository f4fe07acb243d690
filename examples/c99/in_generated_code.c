/* The exact maximum in programs of other generators: functions that have the interface of theirs and call the
   one that `supremum emit-c` wrote for y = Max(a, b), float32[2,3] (docs/c99.md). */
#include <stdio.h>

#include "fuse.h"

/* As onnx2c declares the function of a node: arrays with all their dimensions. */
static void node_Max_0(const float tensor_a[2][3], const float tensor_b[2][3], float tensor_y[2][3]) {
  fuse(&tensor_a[0][0], &tensor_b[0][0], &tensor_y[0][0]);
}

/* As emx-onnx-cgen declares it: these arrays do not overlap. */
static inline void node0_max(const float input0[restrict 2][3], const float input1[restrict 2][3],
                             float output[restrict 2][3]) {
  fuse(&input0[0][0], &input1[0][0], &output[0][0]);
}

int main(void) {
  const float a[2][3] = {{0.0f, -1.0f, 3.0f}, {-0.0f, 5.0f, -2.0f}};
  const float b[2][3] = {{-0.0f, -2.0f, 4.0f}, {0.0f, -5.0f, -2.0f}};
  float first[2][3], second[2][3];
  node_Max_0(a, b, first);
  node0_max(a, b, second);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) printf("%g %g\n", (double)first[i][j], (double)second[i][j]);
  }
  return 0;
}
