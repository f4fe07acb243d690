// Addresses of the accumulators that ReduceMax passes to the primitives: multiples of the element's width
// (kernels.h), whatever the output's address is.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/axes.h"
#include "kernels/kernels.h"
#include "ops/reduce_execute.h"
#include "ops/reduce_schedule.h"
#include "rules/views.h"

namespace supremum {
namespace {

// Primitives that count calls with unaligned accumulators, and call those of `row`.
struct Counting {
  static inline kernels::RowKernels row;
  static inline std::size_t width = 1;
  static inline std::atomic<std::size_t> calls{0}, unaligned{0};  // threads share tiles

  static void Count(const std::byte* acc) {
    ++calls;
    if (reinterpret_cast<std::uintptr_t>(acc) % width != 0) ++unaligned;
  }
  static void Clear(std::byte* acc, std::size_t n) {
    Count(acc);
    row.clear(acc, n);
  }
  static void FoldRows(const kernels::Block& a, std::byte* acc) {
    Count(acc);
    row.fold_rows(a, acc);
  }
  static void ReduceRuns(const kernels::Block& a, std::byte* acc) {
    Count(acc);
    row.reduce_runs(a, acc);
  }
  static void TakePlaceOf(kernels::RowKernels& kernels, std::size_t element_bytes) {
    row = kernels;
    width = element_bytes;
    kernels.clear = Clear;
    kernels.fold_rows = FoldRows;
    kernels.reduce_runs = ReduceRuns;
  }
};

// Rules: RED-1, MEM-1
TEST(Accumulators, AreAlignedForAnOutputAtAnyAddress) {
  const struct {
    Shape shape;
    std::vector<std::size_t> axes;
  } cases[] = {
      {{37}, {0}},              // one output
      {{5, 7, 11}, {1}},        // rows, several blocks of a tile
      {{3000, 2, 3}, {1}},      // more accumulators than fit a buffer, from a source of one tile
      {{9, 33}, {1}},           // runs
      {{17, 33}, {0}},          // rows
      {{6, 5, 4, 3}, {0, 2}},   // blocks folded first
      {{4, 0, 3}, {1}},         // identity elements
      {{2, 40000}, {0}},        // several tiles of a line
      {{1024, 256}, {0}},       // threads share tiles
      {{2, 300000}, {1}},       // threads share each run
      {{65536, 2, 2}, {0, 2}},  // threads share blocks that are folded first
  };
  for (const DType dtype : {DType::kFloat16, DType::kFloat32, DType::kFloat64, DType::kInt64}) {
    const std::size_t element_bytes = ByteWidth(dtype);
    for (const auto& [shape, axes] : cases) {
      AxisSet reduced;
      for (const std::size_t d : axes) reduced.Add(d);
      const Shape kept = ReducedShape(shape, reduced, false);
      std::vector<std::byte> source(static_cast<std::size_t>(*ElementCount(shape)) * element_bytes);
      for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::byte>(i * 167 % 251);
      const std::size_t bytes = static_cast<std::size_t>(*ElementCount(kept)) * element_bytes;
      for (const std::size_t threads : {1u, 2u}) {
        ReduceSchedule schedule;
        ASSERT_TRUE(
            schedule.Init({dtype, shape, {}, nullptr}, {dtype, kept, {}, nullptr}, reduced, false, threads));
        std::vector<std::byte> expected(bytes);
        Execute(schedule, {source.data(), expected.data()});
        Counting::TakePlaceOf(schedule.row, element_bytes);
        for (std::size_t offset = 0; offset <= element_bytes; ++offset) {
          std::vector<std::byte> memory(bytes + 2 * element_bytes, std::byte{0x5A});
          Counting::calls = Counting::unaligned = 0;
          Execute(schedule, {source.data(), memory.data() + offset});
          EXPECT_EQ(std::memcmp(memory.data() + offset, expected.data(), bytes), 0)
              << ToString(shape) << " " << Name(dtype) << " offset " << offset;
          for (std::size_t i = bytes + offset; i < memory.size(); ++i)
            ASSERT_EQ(memory[i], std::byte{0x5A}) << ToString(shape) << " " << Name(dtype);
          EXPECT_GT(Counting::calls, 0u);
          EXPECT_EQ(Counting::unaligned, 0u) << ToString(shape) << " " << Name(dtype) << " offset " << offset;
        }
      }
    }
  }
}

}  // namespace
}  // namespace supremum
