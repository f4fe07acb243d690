// A case: an operator, a type, the shapes and strides of its operands. All contenders, in any language, have
// the same list of cases.
#ifndef SUPREMUM_BENCH_CASE_H_
#define SUPREMUM_BENCH_CASE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "supremum/dtype.h"
#include "supremum/shape.h"

namespace supremum::bench {

enum class Op { kMax, kReduceMax };

/// The layout of an input in memory. Empty strides: row-major without gaps.
struct Layout {
  Shape shape;
  Shape strides;
  std::int64_t origin = 0;  ///< the distance from the first element in memory to the one at index 0

  Layout() = default;
  Layout(Shape dense) : shape(dense) {}
  Layout(Shape any_shape, Shape any_strides, std::int64_t from)
      : shape(any_shape), strides(any_strides), origin(from) {}
};

struct Case {
  std::string group;  ///< "equal", "row", "inner", ...
  std::string name;   ///< unique: "max f32 equal 8KiB"
  Op op = Op::kMax;
  DType dtype = DType::kFloat32;
  std::vector<Layout> inputs;
  std::vector<std::int64_t> axes;  ///< of ReduceMax
  Shape output;
  bool plain = false;  ///< one of PlainCases()
};

inline std::size_t Count(DimsView shape) { return static_cast<std::size_t>(*ElementCount(shape)); }

/// The number of inputs as large as the output; the others stay in the first-level cache or in registers.
inline std::size_t FullInputs(const Case& spec) {
  std::size_t full = 0;
  for (const Layout& input : spec.inputs) {
    if (Count(input.shape) == Count(spec.output)) ++full;
  }
  return full;
}

/// The bytes that a bare loop moves: full-size inputs once, the output once.
inline std::size_t BytesMoved(const Case& spec) {
  const std::size_t read =
      spec.op == Op::kReduceMax ? Count(spec.inputs[0].shape) : FullInputs(spec) * Count(spec.output);
  return (read + Count(spec.output)) * ByteWidth(spec.dtype);
}

/// The cases of a page: what programs call most.
std::vector<Case> PlainCases();

/// The cases that thresholds were chosen by.
std::vector<Case> ScheduleCases();

/// Adds a case whose name lists its group, shapes and axes.
void AddCase(std::vector<Case>& cases, Op op, std::string group, DType dtype, std::vector<Layout> inputs,
             std::vector<std::int64_t> axes, Shape output);

/// The same for ReduceMax, without the reduced dimensions in the output.
void AddReduction(std::vector<Case>& cases, std::string group, DType dtype, Layout source,
                  std::vector<std::int64_t> axes);

}  // namespace supremum::bench

#endif  // SUPREMUM_BENCH_CASE_H_
