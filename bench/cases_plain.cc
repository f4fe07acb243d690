// The plain cases: what programs call most, from the first-level cache to memory.
#include <algorithm>
#include <array>
#include <utility>

#include "case.h"

namespace supremum::bench {
namespace {

constexpr DType kF32 = DType::kFloat32, kF64 = DType::kFloat64, kBF16 = DType::kBFloat16, kU8 = DType::kUInt8;

// Every third element of a row-major image of pixels, as a plane of colours is.
Layout Plane(std::int64_t rows, std::int64_t columns, std::int64_t channel) {
  return {{rows, columns}, {3 * columns, 3}, channel};
}

}  // namespace

void AddCase(std::vector<Case>& cases, Op op, std::string group, DType dtype, std::vector<Layout> inputs,
             std::vector<std::int64_t> axes, Shape output) {
  constexpr std::array<const char*, 13> kTypes = {"bf16", "f16", "f32", "f64", "i8",  "i16", "i32",
                                                  "i64",  "u8",  "u16", "u32", "u64", "bool"};
  std::string name = op == Op::kMax ? "max " : "reduce ";
  name.append(kTypes[static_cast<std::size_t>(dtype)]).append(" ").append(group);
  for (const Layout& input : inputs) name += " " + ToString(input.shape);
  if (axes.size() > 1 || group == "transposed") name += " over " + ToString(axes);
  cases.push_back(
      {std::move(group), std::move(name), op, dtype, std::move(inputs), std::move(axes), output, false});
}

void AddReduction(std::vector<Case>& cases, std::string group, DType dtype, Layout source,
                  std::vector<std::int64_t> axes) {
  Shape output;
  for (std::size_t d = 0; d < source.shape.rank(); ++d) {
    if (std::ranges::find(axes, static_cast<std::int64_t>(d)) == axes.end()) output.PushBack(source.shape[d]);
  }
  AddCase(cases, Op::kReduceMax, std::move(group), dtype, {source}, std::move(axes), output);
}

std::vector<Case> PlainCases() {
  std::vector<Case> cases;
  const auto max = [&](std::string group, DType dtype, Shape a, Shape b, Shape output) {
    AddCase(cases, Op::kMax, std::move(group), dtype, {a, b}, {}, output);
  };
  const auto reduce = [&](std::string group, DType dtype, Shape x, std::int64_t axis) {
    AddReduction(cases, std::move(group), dtype, x, {axis});
  };
  max("equal", kF32, {341}, {341}, {341});
  max("equal", kBF16, {48, 1024}, {48, 1024}, {48, 1024});
  max("equal", kF64, {1024, 256}, {1024, 256}, {1024, 256});
  max("equal", kF32, {11, 1024, 1024}, {11, 1024, 1024}, {11, 1024, 1024});
  max("scalar", kU8, {4096}, {}, {4096});
  max("scalar", kF32, {1024, 1024}, {}, {1024, 1024});
  max("row", kF32, {200, 96}, {96}, {200, 96});
  max("row", kF32, {1024, 1024}, {1024}, {1024, 1024});
  max("row", kBF16, {32768, 1024}, {1024}, {32768, 1024});
  max("column", kF32, {1024, 1024}, {1024, 1}, {1024, 1024});
  max("column", kF64, {128, 128}, {128, 1}, {128, 128});
  max("bias", kF32, {8, 64, 56, 56}, {64, 1, 1}, {8, 64, 56, 56});
  max("outer", kF32, {1024, 1}, {1024}, {1024, 1024});
  AddCase(cases, Op::kMax, "planes", kF32, {Plane(1024, 1024, 0), Plane(1024, 1024, 1)}, {}, {1024, 1024});
  reduce("whole", kF32, {1024}, 0);
  reduce("whole", kBF16, {2097152}, 0);
  reduce("whole", kF32, {33554432}, 0);
  reduce("last axis", kF32, {8, 1024, 1024}, 2);
  reduce("last axis", kF32, {5000, 3300}, 1);
  reduce("last axis", kF64, {5000, 390}, 1);
  reduce("first axis", kF32, {1024, 1024}, 0);
  reduce("first axis", kU8, {256, 1000}, 0);
  reduce("middle axis", kF32, {64, 128, 128}, 1);
  AddReduction(cases, "plane", kF32, Plane(1024, 1024, 0), {1});
  for (Case& spec : cases) spec.plain = true;
  return cases;
}

}  // namespace supremum::bench
