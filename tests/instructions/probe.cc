// Calls every kernel, and both operators, on the same memory with different data. Each call passes through
// SupremumMeasured, at whose end callgrind writes its count; this program prints what the calls were, in
// order. verification/evidence/instruction_counts.py runs it and compares.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "kernels/targets.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"

namespace {

using Call = void (*)(void* context);

}  // namespace

extern "C" __attribute__((noinline)) void SupremumMeasured(Call call, void* context) { call(context); }

namespace supremum {
namespace {

using kernels::RowKernels;

constexpr std::size_t kElements = 1200;

// Elements of one type, filled anew for each measurement.
struct Memory {
  alignas(64) std::byte a[kElements * 8], b[kElements * 8], y[kElements * 8];
};

struct Pattern {
  const char* name;
  std::uint64_t (*bits)(DType dtype, std::size_t i, std::uint64_t random);
};

std::uint64_t Sign(DType dtype) { return std::uint64_t{1} << (8 * ByteWidth(dtype) - 1); }

// The number 1 of a float type, 1 of another.
std::uint64_t One(DType dtype) {
  switch (dtype) {
    case DType::kFloat16:
      return 0x3C00;
    case DType::kBFloat16:
      return 0x3F80;
    case DType::kFloat32:
      return 0x3F80'0000;
    case DType::kFloat64:
      return 0x3FF0'0000'0000'0000;
    default:
      return 1;
  }
}

// Infinity of a float type, the greatest number of another.
std::uint64_t Greatest(DType dtype) {
  switch (dtype) {
    case DType::kFloat16:
      return 0x7C00;
    case DType::kBFloat16:
      return 0x7F80;
    case DType::kFloat32:
      return 0x7F80'0000;
    case DType::kFloat64:
      return 0x7FF0'0000'0000'0000;
    default:
      return Sign(dtype) - 1;
  }
}

constexpr Pattern kPatterns[] = {
    {"zeros", [](DType, std::size_t, std::uint64_t) { return std::uint64_t{0}; }},
    {"random", [](DType, std::size_t, std::uint64_t random) { return random; }},
    {"NaNs", [](DType, std::size_t, std::uint64_t) { return ~std::uint64_t{0}; }},
    {"both signs",
     [](DType dtype, std::size_t i, std::uint64_t) { return One(dtype) | (i % 2 == 0 ? Sign(dtype) : 0); }},
    {"both zeros", [](DType dtype, std::size_t i, std::uint64_t) { return i % 3 == 0 ? Sign(dtype) : 0; }},
    {"infinities", [](DType dtype, std::size_t i,
                      std::uint64_t) { return Greatest(dtype) | (i % 2 == 0 ? Sign(dtype) : 0); }},
    {"a NaN at the end", [](DType dtype, std::size_t i,
                            std::uint64_t) { return i + 1 == kElements ? ~std::uint64_t{0} : One(dtype); }},
    {"ascending", [](DType, std::size_t i, std::uint64_t) { return std::uint64_t{i}; }},
    {"descending", [](DType, std::size_t i, std::uint64_t) { return std::uint64_t{kElements} - i; }},
};

void Fill(DType dtype, const Pattern& pattern, Memory& memory) {
  std::mt19937_64 rng(1);
  const std::size_t width = ByteWidth(dtype);
  std::memset(memory.y, 0, sizeof(memory.y));
  for (std::byte* data : {memory.a, memory.b}) {
    for (std::size_t i = 0; i < kElements; ++i) {
      const std::uint64_t bits = pattern.bits(dtype, i, rng());
      std::memcpy(data + i * width, &bits, width);
    }
  }
}

// Measures call() for each pattern, and says so.
template <class Function>
void Measure(std::string_view target, DType dtype, const std::string& what, Memory& memory,
             Function function) {
  const Call call = [](void* context) { (*static_cast<Function*>(context))(); };
  function();  // what happens once, happens now
  for (const Pattern& pattern : kPatterns) {
    Fill(dtype, pattern, memory);
    SupremumMeasured(call, &function);
    std::printf("%s\t%s\t%s\t%s\n", std::string(target).c_str(), std::string(Name(dtype)).c_str(),
                what.c_str(), pattern.name);
  }
}

void MeasureKernels(const kernels::KernelTable& table, DType dtype, Memory& memory) {
  const RowKernels& row = table.For(dtype);
  const auto width = static_cast<std::ptrdiff_t>(ByteWidth(dtype));
  const auto measure = [&](const std::string& what, auto function) {
    Measure(table.target, dtype, what, memory, function);
  };
  for (std::size_t n : {std::size_t{5}, kElements - 1}) {
    const std::string many = " of " + std::to_string(n);
    measure("join" + many, [&] { row.join({memory.a, width}, {memory.b, width}, {memory.y, width}, n); });
    measure("join with one" + many, [&] {
      row.join({memory.a, width}, {memory.b, 0}, {memory.y, width}, n);
    });
    measure("copy" + many, [&] { row.copy({memory.a, width}, {memory.y, width}, n); });
  }
  measure("join, strided", [&] {
    row.join({memory.a, 2 * width}, {memory.b, width}, {memory.y, 2 * width}, kElements / 2);
  });
  for (const auto& [kept, reduced] : {std::pair<std::size_t, std::size_t>{1, 1199},
                                      {3, 399},
                                      {170, 7},
                                      {400, 3},
                                      {300, 4},
                                      {40, 30},
                                      {1200, 1},
                                      {599, 2}}) {
    const auto length = static_cast<std::ptrdiff_t>(reduced), rows = static_cast<std::ptrdiff_t>(kept);
    const std::string size = " " + std::to_string(kept) + " x " + std::to_string(reduced);
    for (bool fresh : {false, true}) {
      const std::string how = size + (fresh ? ", fresh" : "");
      measure("reduce_runs" + how, [&, kept = kept, reduced = reduced] {
        row.clear(memory.y, kept);
        row.reduce_runs({memory.a, length * width, width, kept, reduced, fresh}, memory.y);
      });
      measure("fold_rows" + how, [&, kept = kept, reduced = reduced] {
        row.clear(memory.y, kept);
        row.fold_rows({memory.a, width, rows * width, kept, reduced, fresh}, memory.y);
      });
    }
  }
}

// A plan of three inputs, one of them broadcast, and reductions along either axis.
void MeasureOperators(const kernels::KernelTable& table, DType dtype, Memory& memory) {
  kernels::UseKernels(&table);
  const Shape all{20, 30}, row{30}, column{20, 1}, rows{20};
  if (dtype != DType::kBool) {
    const TensorView inputs[] = {
        {dtype, all, {}, memory.a}, {dtype, row, {}, memory.b}, {dtype, column, {}, memory.b}};
    const Result<MaxPlan> plan = MaxPlan::Prepare(inputs, {dtype, all, {}, memory.y});
    if (plan) Measure(table.target, dtype, "Max", memory, [&] { plan->Run(); });
  }
  for (std::int64_t axis : {0, 1}) {
    ReduceMaxOptions options;
    options.axes = {axis};
    const Result<ReduceMaxPlan> plan = ReduceMaxPlan::Prepare(
        {dtype, all, {}, memory.a}, {dtype, axis == 0 ? row : rows, {}, memory.y}, options);
    if (plan) {
      Measure(table.target, dtype, "ReduceMax, axis " + std::to_string(axis), memory, [&] { plan->Run(); });
    }
  }
}

}  // namespace
}  // namespace supremum

int main() {
  static supremum::Memory memory;
  for (const supremum::kernels::KernelTable* table : supremum::kernels::RunnableTables()) {
    for (supremum::DType dtype : supremum::kAllDTypes) {
      supremum::MeasureKernels(*table, dtype, memory);
      supremum::MeasureOperators(*table, dtype, memory);
    }
  }
}
