// The plain cases: what programs call most, from the first-level cache to memory.
#include "case.h"

namespace supremum::bench {
namespace {

constexpr DType kF32 = DType::kFloat32, kF64 = DType::kFloat64, kBF16 = DType::kBFloat16, kU8 = DType::kUInt8;

// Every third element of a row-major image of pixels, as a plane of colours is.
Layout Plane(std::int64_t rows, std::int64_t columns, std::int64_t channel) {
  return {{rows, columns}, {3 * columns, 3}, channel};
}

}  // namespace

std::vector<Case> PlainCases() {
  std::vector<Case> cases;
  const auto add = [&](Op op, std::string group, DType dtype, std::vector<Layout> inputs,
                       std::vector<std::int64_t> axes, Shape output) {
    std::string name = (op == Op::kMax ? "max " : "reduce ") + ShortName(dtype) + " " + group;
    for (const Layout& input : inputs) name += " " + ToString(input.shape);
    cases.push_back({std::move(group), std::move(name), op, dtype, std::move(inputs), std::move(axes), output,
                     false, true});
  };
  const auto max = [&](std::string group, DType dtype, Shape a, Shape b, Shape output) {
    add(Op::kMax, std::move(group), dtype, {a, b}, {}, output);
  };
  const auto reduce = [&](std::string group, DType dtype, Shape x, std::int64_t axis) {
    Shape output;
    for (std::size_t d = 0; d < x.rank(); ++d) {
      if (static_cast<std::int64_t>(d) != axis) output.PushBack(x[d]);
    }
    add(Op::kReduceMax, std::move(group), dtype, {x}, {axis}, output);
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
  add(Op::kMax, "planes", kF32, {Plane(1024, 1024, 0), Plane(1024, 1024, 1)}, {}, {1024, 1024});
  reduce("whole", kF32, {1024}, 0);
  reduce("whole", kBF16, {2097152}, 0);
  reduce("whole", kF32, {33554432}, 0);
  reduce("last axis", kF32, {8, 1024, 1024}, 2);
  reduce("last axis", kF32, {5000, 3300}, 1);
  reduce("last axis", kF64, {5000, 390}, 1);
  reduce("first axis", kF32, {1024, 1024}, 0);
  reduce("first axis", kU8, {256, 1000}, 0);
  reduce("middle axis", kF32, {64, 128, 128}, 1);
  add(Op::kReduceMax, "plane", kF32, {Plane(1024, 1024, 0)}, {1}, {1024});
  for (Case& spec : cases) spec.quick = BytesMoved(spec) < std::size_t{16} << 20;
  return cases;
}

}  // namespace supremum::bench
