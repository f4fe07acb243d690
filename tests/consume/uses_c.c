#include "supremum/c_api.h"

int main(void) {
  float a[2] = {1, 4}, b[2] = {3, 2}, y[2] = {0, 0};
  int64_t shape[1] = {2};
  DLTensor x0 = {0}, x1, output;
  const DLTensor* inputs[2];
  x0.data = a;
  x0.device.device_type = kDLCPU;
  x0.ndim = 1;
  x0.dtype.code = kDLFloat;
  x0.dtype.bits = 32;
  x0.dtype.lanes = 1;
  x0.shape = shape;
  x1 = output = x0;
  x1.data = b;
  output.data = y;
  inputs[0] = &x0;
  inputs[1] = &x1;
  return supremum_max(inputs, 2, &output, NULL) == SUPREMUM_OK && y[0] == 3 && y[1] == 4 ? 0 : 1;
}
