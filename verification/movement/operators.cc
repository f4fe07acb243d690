#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "movement/primitives.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"

namespace supremum::test {
namespace {

using Dims = std::vector<std::int64_t>;

// An operand: extents and strides, in elements.
struct Operand {
  Dims shape, strides;
};

std::int64_t Product(const Dims& dims) {
  std::int64_t product = 1;
  for (const std::int64_t n : dims) product *= n;
  return product;
}

Operand Dense(const Dims& shape) {
  Operand operand{shape, Dims(shape.size())};
  std::int64_t step = 1;
  for (std::size_t d = shape.size(); d-- > 0; step *= shape[d]) operand.strides[d] = step;
  return operand;
}

// The dimensions in another order: the one at order[d] comes at place d.
Operand Permuted(const Operand& operand, const std::vector<std::size_t>& order) {
  Operand found;
  for (const std::size_t d : order) {
    found.shape.push_back(operand.shape[d]);
    found.strides.push_back(operand.strides[d]);
  }
  return found;
}

// Every stride times a factor.
Operand Spread(Operand operand, std::int64_t factor) {
  for (std::int64_t& stride : operand.strides) stride *= factor;
  return operand;
}

// The elements between the lowest address and the first element, and the elements of the whole range.
std::pair<std::int64_t, std::int64_t> RangeOf(const Operand& operand) {
  std::int64_t below = 0, above = 0;
  for (std::size_t d = 0; d < operand.shape.size(); ++d) {
    const std::int64_t reach = (operand.shape[d] - 1) * operand.strides[d];
    (reach < 0 ? below : above) += reach;
  }
  return {-below, above - below + 1};
}

std::string TextOf(const char* what, const std::vector<Operand>& operands) {
  std::string text = what;
  for (const Operand& operand : operands) {
    text += " [";
    for (std::size_t d = 0; d < operand.shape.size(); ++d) {
      text +=
          (d > 0 ? "," : "") + std::to_string(operand.shape[d]) + ":" + std::to_string(operand.strides[d]);
    }
    text += "]";
  }
  return text;
}

class Operators {
 public:
  Operators(DType dtype, const Visit& visit)
      : dtype_(dtype), width_(ByteWidth(dtype)), visit_(visit), layout_(width_) {}

  void Maxima(const std::vector<Operand>& inputs, const Operand& output, bool in_place = false) {
    if (dtype_ == DType::kBool) return;  // which only ReduceMax has (TYP-4)
    Begin();
    std::vector<std::byte*> data;
    for (const Operand& input : inputs) data.push_back(Input(input));
    std::byte* const y = Output(output);
    const std::size_t rank = output.shape.size();
    ForEachIndex(output.shape, [&](const Dims& index) {
      for (std::size_t m = 0; m < inputs.size(); ++m) {
        std::int64_t at = 0;
        const std::size_t missing = rank - inputs[m].shape.size();
        for (std::size_t d = missing; d < rank; ++d) {
          if (inputs[m].shape[d - missing] != 1) at += index[d] * inputs[m].strides[d - missing];
        }
        layout_.Reads(At(y, Offset(index, output)), At(data[m], at));
      }
    });
    std::vector<Operand> all = inputs;
    all.push_back(output);
    ForEachStatement(all, [&](bool all_stated, const char* how) {
      std::vector<TensorView> views;
      for (std::size_t m = 0; m < inputs.size(); ++m) {
        views.push_back(TensorView{dtype_, inputs[m].shape, Stated(inputs[m], all_stated),
                                   m == 0 && in_place ? y : data[m]});
      }
      const MutableTensorView to{dtype_, output.shape, Stated(output, all_stated), y};
      visit_(TextOf(in_place ? "Max in place" : "Max", all) + how, layout_, [&] {
        if (in_place) std::memcpy(y, data[0], static_cast<std::size_t>(Product(output.shape)) * width_);
        if (const Result<void> done = supremum::Max(views, to); !done) Fail(done.error().message);
      });
    });
  }

  void Reduction(const Operand& input, const Dims& axes, std::optional<Operand> to = std::nullopt) {
    Dims kept;
    const auto is_reduced = [&](std::size_t d) {
      for (const std::int64_t axis : axes) {
        if (static_cast<std::size_t>(axis) == d) return true;
      }
      return false;
    };
    for (std::size_t d = 0; d < input.shape.size(); ++d) {
      if (!is_reduced(d)) kept.push_back(input.shape[d]);
    }
    const Operand output = to.value_or(Dense(kept));
    Begin();
    std::byte* const x = Input(input);
    std::byte* const y = Output(output);
    ForEachIndex(input.shape, [&](const Dims& index) {
      Dims of;
      for (std::size_t d = 0; d < index.size(); ++d) {
        if (!is_reduced(d)) of.push_back(index[d]);
      }
      layout_.Reads(At(y, Offset(of, output)), At(x, Offset(index, input)));
    });
    std::string text = TextOf("ReduceMax", {input, output}) + " axes";
    for (const std::int64_t axis : axes) text += " " + std::to_string(axis);
    ForEachStatement({input, output}, [&](bool all_stated, const char* how) {
      const TensorView from{dtype_, input.shape, Stated(input, all_stated), x};
      visit_(text + how, layout_, [&] {
        const ReduceMaxOptions options{.axes = std::span<const std::int64_t>(axes), .keepdims = false};
        const MutableTensorView into{dtype_, output.shape, Stated(output, all_stated), y};
        if (const Result<void> done = supremum::ReduceMax(from, into, options); !done)
          Fail(done.error().message);
      });
    });
  }

 private:
  static bool IsRowMajor(const Operand& operand) { return operand.strides == Dense(operand.shape).strides; }
  static DimsView Stated(const Operand& operand, bool all_stated) {
    return !all_stated && IsRowMajor(operand) ? DimsView() : DimsView(operand.strides);
  }
  // Calls visit with all strides stated, and with those of row-major operands left out, as most callers do:
  // such calls may need no plan.
  template <class VisitBoth>
  static void ForEachStatement(const std::vector<Operand>& operands, VisitBoth visit) {
    visit(true, "");
    if (std::ranges::any_of(operands, IsRowMajor)) visit(false, ", row-major strides not stated");
  }
  void Begin() { layout_.Begin(width_, width_ * 3); }
  std::byte* At(std::byte* base, std::int64_t elements) const {
    return base + elements * static_cast<std::int64_t>(width_);
  }
  static std::int64_t Offset(const Dims& index, const Operand& operand) {
    std::int64_t at = 0;
    for (std::size_t d = 0; d < index.size(); ++d) at += index[d] * operand.strides[d];
    return at;
  }
  std::byte* Input(const Operand& operand) {
    const auto [before, all] = RangeOf(operand);
    return At(layout_.Input(static_cast<std::size_t>(all)), before);
  }
  std::byte* Output(const Operand& operand) {
    const auto [before, all] = RangeOf(operand);
    return At(layout_.Output(static_cast<std::size_t>(all)), before);
  }
  template <class Each>
  static void ForEachIndex(const Dims& shape, Each each) {
    Dims index(shape.size());
    for (std::int64_t left = Product(shape); left > 0; --left) {
      each(index);
      for (std::size_t d = shape.size(); d-- > 0;) {
        if (++index[d] < shape[d]) break;
        index[d] = 0;
      }
    }
  }
  static void Fail(const std::string& text) {
    std::fprintf(stderr, "operators.cc: %s\n", text.c_str());
    std::abort();
  }

  const DType dtype_;
  const std::size_t width_;
  const Visit& visit_;
  Layout layout_;
};

}  // namespace

void VisitOperators(DType dtype, Extent extent, const Visit& visit) {
  Operators ops(dtype, visit);
  // Several tiles: where an input is expanded into a temporary buffer, and of accumulators.
  const std::int64_t width = static_cast<std::int64_t>(ByteWidth(dtype));
  if (extent == Extent::kAll || width == 8) {
    const std::int64_t columns = 2 * 16384 / width / 24 + 7;
    const Operand dense = Dense({24, columns});
    ops.Maxima({Permuted(Dense({columns, 24}), {1, 0}), dense}, dense);
    ops.Maxima({Dense({3, 8, columns}), Spread(Dense({8, 1}), 2)}, Dense({3, 8, columns}));
    ops.Reduction(Dense({2, 2 * 8192 / width + 5}), {0});
  }
  const std::vector<std::int64_t> lengths =
      extent == Extent::kSample ? std::vector<std::int64_t>{37} : std::vector<std::int64_t>{5, 37, 70, 131};
  for (const std::int64_t n : lengths) {
    const Dims square{9, n};
    const Operand dense = Dense(square), row = Dense({n}), column = Dense({9, 1}), one = Dense({1});
    // One line; a row, a column and an element that are broadcast; both operands are.
    ops.Maxima({dense, dense}, dense);
    ops.Maxima({dense}, dense);
    ops.Maxima({dense, row}, dense);
    ops.Maxima({row, dense}, dense);
    ops.Maxima({dense, column}, dense);
    ops.Maxima({dense, one}, dense);
    ops.Maxima({column, Dense({1, n})}, dense);
    ops.Maxima({Dense({3, 1, n}), Dense({1, 5, n})}, Dense({3, 5, n}));
    ops.Maxima({Dense({3, 1, 7}), Dense({1, n, 1})}, Dense({3, n, 7}));
    // In place; transposed, strided and backwards inputs and outputs.
    ops.Maxima({dense, row}, dense, true);
    const Operand turned = Permuted(Dense({n, 9}), {1, 0});
    ops.Maxima({dense, turned}, dense);
    ops.Maxima({turned, turned}, dense);
    ops.Maxima({dense, dense}, turned);
    ops.Maxima({Spread(dense, 2), dense}, dense);
    ops.Maxima({Spread(dense, 2), Spread(dense, 2)}, dense);
    ops.Maxima({Spread(dense, 3), Spread(row, 3)}, dense);
    ops.Maxima({Spread(dense, -1), dense}, dense);
    ops.Maxima({Operand{square, {n, -1}}, dense}, dense);
    ops.Maxima({dense, dense}, Spread(dense, 3));
    ops.Maxima({Spread(dense, 2), Spread(row, -3)}, Spread(dense, -2));
    ops.Maxima({Permuted(Dense({n, 3, 4}), {2, 1, 0}), Dense({4, 3, n})}, Dense({4, 3, n}));
    // Short lines: repeated, periodic, and both.
    for (const std::int64_t m : {2, 3, 4, 7}) {
      ops.Maxima({Dense({n, m}), Dense({m})}, Dense({n, m}));
      ops.Maxima({Dense({n, m}), Dense({n, 1})}, Dense({n, m}));
      ops.Maxima({Dense({n, 1}), Dense({1, m})}, Dense({n, m}));
      ops.Maxima({Dense({3, n, m}), Dense({3, 1, m})}, Dense({3, n, m}));
    }
    // Many inputs: equal, and of different layouts.
    ops.Maxima(std::vector<Operand>(5, dense), dense);
    ops.Maxima(std::vector<Operand>(19, Dense({n})), Dense({n}));
    ops.Maxima({dense, turned, row, column, Spread(dense, 2), dense}, dense);
    ops.Maxima({turned, column, row, Operand{square, {n, -1}}, turned}, dense);

    // Reductions: rows, columns, blocks, the middle, all, nothing; sources in other orders of memory.
    ops.Reduction(dense, {1});
    ops.Reduction(dense, {0});
    ops.Reduction(dense, {0, 1});
    ops.Reduction(dense, {});
    const Operand cube = Dense({4, 6, n}), tail = Dense({n, 6, 3});
    for (const Dims& axes : {Dims{0}, Dims{1}, Dims{2}, Dims{0, 2}, Dims{0, 1}, Dims{1, 2}, Dims{0, 1, 2}}) {
      ops.Reduction(cube, axes);
      ops.Reduction(tail, axes);
      ops.Reduction(Permuted(Dense({6, n, 4}), {2, 0, 1}), axes);
      ops.Reduction(Spread(cube, 2), axes);
    }
    ops.Reduction(Operand{square, {-n, 1}}, {0});
    ops.Reduction(Operand{square, {n, -1}}, {1});
    ops.Reduction(Operand{square, {0, 1}}, {0});
    ops.Reduction(turned, {1});
    ops.Reduction(cube, {1}, Permuted(Dense({n, 4}), {1, 0}));
    ops.Reduction(cube, {1}, Spread(Dense({4, n}), -2));
    for (const std::int64_t m : {2, 3, 5, 8, 12, 16, 31}) {
      ops.Reduction(Dense({n, m}), {1});
      ops.Reduction(Dense({m, n}), {0});
      ops.Reduction(Dense({5, m, 7}), {1});
    }
  }
}

}  // namespace supremum::test
