// The primitives of the active target's table.
#include "instructions/hot_cases.h"
#include "kernels/kernels.h"

namespace supremum {

bool MeasurePrimitives(Memory& memory) {
  const auto row = [](DType dtype) { return kernels::ActiveKernels().For(dtype); };
  const kernels::RowKernels f32 = row(DType::kFloat32), f16 = row(DType::kFloat16);
  const kernels::RowKernels bf16 = row(DType::kBFloat16), f64 = row(DType::kFloat64);
  const kernels::RowKernels i8 = row(DType::kInt8), i32 = row(DType::kInt32);
  std::byte *const a = memory.x[0], *const b = memory.x[1], *const y = memory.y;

  Measure("join, f32, 4096", [=] { f32.join({a, 4}, {b, 4}, {y, 4}, 4096); });
  Measure("join, f64, 4096", [=] { f64.join({a, 8}, {b, 8}, {y, 8}, 4096); });
  Measure("join, bf16, 4096", [=] { bf16.join({a, 2}, {b, 2}, {y, 2}, 4096); });
  Measure("join with one element, f16, 4096", [=] { f16.join({a, 2}, {b, 0}, {y, 2}, 4096); });
  Measure("copy, f32, 4096", [=] { f32.copy({a, 4}, {y, 4}, 4096); });
  Measure("join_lines, f32, 64 rows of 64 with one row", [=] {
    f32.join_lines({a, 0, 256, 1, false}, {b, 0, 0, 1, false}, {y, 0, 256, 1, 64, 64, false});
  });
  Measure("join_lines, f32, 4095 with 1365 that repeat 3 times", [=] {
    f32.join_lines({a, 0, 0, 1, false}, {b, 0, 0, 3, false}, {y, 0, 0, 1, 1, 4095, false});
  });
  Measure("join_lines, i8, 64 rows of 64 with a column", [=] {
    i8.join_lines({a, 0, 64, 1, false}, {b, 0, 1, 64, false}, {y, 0, 64, 1, 64, 64, false});
  });
  Measure("join_lines, f32, 4096, non-temporal", [=] {
    f32.join_lines({a, 0, 0, 1, false}, {b, 0, 0, 1, false}, {y, 0, 0, 1, 1, 4096, true});
  });
  const std::byte* from[kInputs];
  for (std::size_t m = 0; m < kInputs; ++m) from[m] = memory.x[m];
  std::byte* const acc = memory.y + 2 * kInputBytes;
  Measure("join_many, f32, 3 inputs of 1024", [&] { f32.join_many({from, 3, 0}, acc, y, 1024, false); });
  Measure("join_many, f32, 16 inputs of 1024", [&] { f32.join_many({from, 16, 0}, acc, y, 1024, false); });
  Measure("repeat, f32, 512 elements 5 times", [=] { f32.repeat({a, 4}, 512, 5, y); });
  Measure("transpose, f32, 64 x 64", [=] { f32.transpose(a, 256, 64, 64, y); });
  Measure("clear, f32, 4096", [=] { f32.clear(y, 4096); });
  Measure("fold_rows, f32, 64 rows of 64", [=] { f32.fold_rows({a, 4, 256, 64, 64, true}, y); });
  Measure("fold_rows, f16, 512 rows of 3", [=] { f16.fold_rows({a, 2, 6, 3, 512, true}, y); });
  Measure("fold_rows, f16, 64 blocks of 7 rows of 5", [=] {
    f16.fold_rows({a, 2, 10, 5, 7, true, 64, 70}, y);
  });
  Measure("reduce_runs, f32, 1 of 4096", [=] { f32.reduce_runs({a, 16384, 4, 1, 4096, true}, y); });
  Measure("reduce_runs, bf16, 8 of 1024", [=] { bf16.reduce_runs({a, 2048, 2, 8, 1024, true}, y); });
  Measure("reduce_runs, f32, 1024 of 3", [=] { f32.reduce_runs({a, 12, 4, 1024, 3, true}, y); });
  Measure("reduce_runs, f16, 512 of 7", [=] { f16.reduce_runs({a, 14, 2, 512, 7, true}, y); });
  Measure("reduce_runs, f32, 256 of 17", [=] { f32.reduce_runs({a, 68, 4, 256, 17, true}, y); });
  Measure("reduce_runs, f64, 512 of 7", [=] { f64.reduce_runs({a, 56, 8, 512, 7, true}, y); });
  Measure("reduce_runs, i32, 64 of 64", [=] { i32.reduce_runs({a, 256, 4, 64, 64, true}, y); });
  return true;
}

}  // namespace supremum
