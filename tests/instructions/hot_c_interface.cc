// The C interface, through libsupremum.so, which has its own copy of the library.
#include "instructions/hot_cases.h"
#include "supremum/c_api.h"

namespace supremum {
namespace {

DLTensor Tensor(void* data, std::int64_t* shape, int rank) {
  DLTensor tensor{};
  tensor.data = data;
  tensor.device.device_type = kDLCPU;
  tensor.ndim = rank;
  tensor.dtype = {kDLFloat, 32, 1};
  tensor.shape = shape;
  return tensor;
}

}  // namespace

bool MeasureCInterface(Memory& memory, const char* target) {
  if (supremum_use_target(target) != SUPREMUM_OK) return false;
  std::int64_t shape[] = {32, 10}, row_shape[] = {10}, kept_shape[] = {32};
  const DLTensor a = Tensor(memory.x[0], shape, 2), b = Tensor(memory.x[1], shape, 2);
  const DLTensor row = Tensor(memory.x[2], row_shape, 1);
  const DLTensor y = Tensor(memory.y, shape, 2), kept = Tensor(memory.y, kept_shape, 1);
  const DLTensor *const equal[] = {&a, &b}, *const broadcast[] = {&a, &row};
  bool done = true;
  Measure("supremum_max, [32,10] [32,10]",
          [&] { done = done && supremum_max(equal, 2, &y, nullptr) == SUPREMUM_OK; });
  Measure("supremum_max, [32,10] [10]",
          [&] { done = done && supremum_max(broadcast, 2, &y, nullptr) == SUPREMUM_OK; });
  const std::int64_t axis = 1;
  Measure("supremum_reduce_max, [32,10] over {1}",
          [&] { done = done && supremum_reduce_max(&a, &axis, 1, 0, &kept, nullptr) == SUPREMUM_OK; });
  supremum_max_plan* plan = nullptr;
  if (supremum_max_prepare(equal, 2, &y, nullptr, &plan) != SUPREMUM_OK) return false;
  Measure("supremum_max_run, [32,10] [32,10]", [&] { done = done && supremum_max_run(plan) == SUPREMUM_OK; });
  supremum_max_destroy(plan);
  return done;
}

}  // namespace supremum
