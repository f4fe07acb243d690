// Eigen: array expressions on one thread, for the shapes that they support: equal shapes, a scalar, a row, a
// column; reductions of one axis of up to three.
#include <Eigen/Core>
#include <optional>
#include <type_traits>

#include "contender.h"

namespace supremum::bench {
namespace {

template <class T>
using EigenType = std::conditional_t<std::is_same_v<T, Float16>, Eigen::half,
                                     std::conditional_t<std::is_same_v<T, BFloat16>, Eigen::bfloat16, T>>;

template <class S>
using Values = Eigen::Array<S, Eigen::Dynamic, 1>;

bool Is(const Layout& layout, std::initializer_list<std::int64_t> shape) {
  return SameDims(layout.shape, Shape(shape));
}

template <class S>
ContenderPtr PrepareMax(const Problem& problem) {
  const Case& spec = problem.spec();
  std::vector<const S*> x;
  bool equal = true;
  for (const TensorView& view : problem.inputs()) {
    x.push_back(static_cast<const S*>(view.data));
    equal = equal && SameDims(view.shape, spec.output);
  }
  S* const y = static_cast<S*>(problem.output().data);
  const Eigen::Index n = static_cast<Eigen::Index>(Count(spec.output));
  using In = Eigen::Map<const Values<S>>;
  using Out = Eigen::Map<Values<S>>;
  if (equal && x.size() == 1) return MakeCalls("Eigen", [=] { Out(y, n) = In(x[0], n); });
  if (equal) {
    return MakeCalls("Eigen", [=] {
      Out out(y, n);
      out = In(x[0], n).max(In(x[1], n));
      for (std::size_t m = 2; m < x.size(); ++m) out = out.max(In(x[m], n));
    });
  }
  if (x.size() != 2) return nullptr;
  if (spec.inputs[1].shape.rank() == 0) {
    return MakeCalls("Eigen", [=] { Out(y, n) = In(x[0], n).max(*x[1]); });
  }
  if (spec.output.rank() != 2 || Count(spec.inputs[0].shape) != Count(spec.output)) return nullptr;
  const Eigen::Index rows = spec.output[0], columns = spec.output[1];
  const auto row = [columns](auto* from, Eigen::Index r) { return from + r * columns; };
  if (Is(spec.inputs[1], {columns}) || Is(spec.inputs[1], {1, columns})) {
    return MakeCalls("Eigen", [=] {
      for (Eigen::Index r = 0; r < rows; ++r) {
        Out(row(y, r), columns) = In(row(x[0], r), columns).max(In(x[1], columns));
      }
    });
  }
  if (!Is(spec.inputs[1], {rows, 1})) return nullptr;
  return MakeCalls("Eigen", [=] {
    for (Eigen::Index r = 0; r < rows; ++r) Out(row(y, r), columns) = In(row(x[0], r), columns).max(x[1][r]);
  });
}

template <class S>
ContenderPtr PrepareReduceMax(const Problem& problem) {
  const Case& spec = problem.spec();
  const Shape& shape = spec.inputs[0].shape;
  if (spec.axes.size() != 1 || shape.rank() > 3) return nullptr;
  const std::size_t axis = static_cast<std::size_t>(spec.axes[0]);
  Eigen::Index outer = 1, inner = 1;
  const Eigen::Index middle = shape[axis];
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    if (d < axis) outer *= shape[d];
    if (d > axis) inner *= shape[d];
  }
  const S* const x = static_cast<const S*>(problem.inputs()[0].data);
  S* const y = static_cast<S*>(problem.output().data);
  using In = Eigen::Map<const Values<S>>;
  using Out = Eigen::Map<Values<S>>;
  if (inner == 1) {
    return MakeCalls("Eigen", [=] {
      for (Eigen::Index o = 0; o < outer; ++o) y[o] = In(x + o * middle, middle).maxCoeff();
    });
  }
  // Row by row; Eigen's own colwise().maxCoeff() does not compile for every type.
  return MakeCalls("Eigen", [=] {
    for (Eigen::Index o = 0; o < outer; ++o) {
      const S* const block = x + o * middle * inner;
      Out out(y + o * inner, inner);
      out = In(block, inner);
      for (Eigen::Index r = 1; r < middle; ++r) out = out.max(In(block + r * inner, inner));
    }
  });
}

class EigenLibrary final : public Peer {
 public:
  std::string Name() const override { return "Eigen"; }
  std::string Version() const override {
    return std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
           std::to_string(EIGEN_MINOR_VERSION);
  }

  ContenderPtr Prepare(const Problem& problem, std::size_t threads) override {
    const Case& spec = problem.spec();
    if (threads != 1) return nullptr;
    for (const Layout& layout : spec.inputs) {
      if (!layout.strides.empty()) return nullptr;
    }
    return VisitDType(spec.dtype, [&](auto tag) -> ContenderPtr {
      using S = EigenType<typename decltype(tag)::type>;
      return spec.op == Op::kMax ? PrepareMax<S>(problem) : PrepareReduceMax<S>(problem);
    });
  }
};

}  // namespace

PeerPtr EigenPeer() { return std::make_unique<EigenLibrary>(); }

}  // namespace supremum::bench
