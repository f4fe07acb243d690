// Eigen's array expressions: max, of arrays of at most two dimensions, and maxCoeff. Inputs of equal shapes
// are passed as one row of elements, whatever their rank.
#include <stdexcept>

// A failed assertion of Eigen is reported as its result; by default it would end the program.
#define eigen_assert(condition) \
  if (!(condition)) throw std::logic_error("Eigen asserts " #condition)

#include <Eigen/Core>
#include <algorithm>
#include <optional>
#include <type_traits>

#include "kit.h"

namespace {

template <class S>
using Array = Eigen::Array<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Rows and columns of a shape of rank 0 to 2; Eigen does not support higher ranks.
struct Extents {
  explicit Extents(const kit::Dims& shape) {
    if (shape.size() > 2) {
      throw kit::Unsupported("an Eigen::Array has two dimensions, and the shape has " +
                             std::to_string(shape.size()));
    }
    if (shape.size() == 2) rows = shape[0];
    if (!shape.empty()) columns = shape.back();
  }
  Eigen::Index rows = 1, columns = 1;
};

template <class S>
Eigen::Map<Array<S>> MapOf(const kit::Tensor& tensor, const Extents& extents) {
  return Eigen::Map<Array<S>>(tensor.As<S>(), extents.rows, extents.columns);
}

template <class S>
kit::Tensor Max(const kit::Case& problem) {
  if (problem.inputs.size() < 2) throw kit::Unsupported("max of an Eigen::Array takes a second array");
  kit::Tensor y(kit::BroadcastShape(problem), problem.width);
  bool equal = true;
  for (const kit::Tensor& input : problem.inputs) equal = equal && input.shape == y.shape;
  const kit::Dims row = {static_cast<std::int64_t>(y.count)};
  const Extents extents(equal ? row : y.shape);
  Eigen::Map<Array<S>> out = MapOf<S>(y, extents);
  for (std::size_t m = 0; m < problem.inputs.size(); ++m) {
    const kit::Tensor& input = problem.inputs[m];
    const Extents own(equal ? row : input.shape);
    const Eigen::Map<Array<S>> in = MapOf<S>(input, own);
    const Eigen::Index down = own.rows == 1 ? extents.rows : 1,
                       across = own.columns == 1 ? extents.columns : 1;
    if (m == 0) {
      out = in.replicate(down, across);
    } else if (down == 1 && across == 1) {
      out = out.max(in);
    } else {
      out = out.max(in.replicate(down, across));
    }
  }
  return y;
}

template <class S>
kit::Tensor ReduceMax(const kit::Case& problem) {
  const kit::Tensor& source = problem.inputs[0];
  std::vector<bool> reduced = kit::Reduced(problem);
  kit::Tensor y(kit::ReducedShape(problem), problem.width);
  const bool all = std::find(reduced.begin(), reduced.end(), false) == reduced.end();
  const Extents extents(all ? kit::Dims{static_cast<std::int64_t>(source.count)} : source.shape);
  const Eigen::Map<Array<S>> in = MapOf<S>(source, extents);
  if (all) {
    *y.As<S>() = in.maxCoeff();
  } else if (std::find(reduced.begin(), reduced.end(), true) == reduced.end()) {
    throw kit::Unsupported("Eigen has no reduction that reduces nothing");
  } else if (reduced[1]) {
    Eigen::Map<Eigen::Array<S, Eigen::Dynamic, 1>>(y.As<S>(), extents.rows) = in.rowwise().maxCoeff();
  } else if constexpr (std::is_same_v<S, bool>) {
    throw kit::Unsupported("colwise().maxCoeff() of bool does not compile");
  } else {
    Eigen::Map<Eigen::Array<S, 1, Eigen::Dynamic>>(y.As<S>(), extents.columns) = in.colwise().maxCoeff();
  }
  return y;
}

template <class S>
std::optional<kit::Tensor> IfOf(const char* type, const kit::Case& problem) {
  if (problem.type != type) return std::nullopt;
  return problem.op == "Max" ? Max<S>(problem) : ReduceMax<S>(problem);
}

kit::Tensor Run(const kit::Case& problem) {
  std::optional<kit::Tensor> y = IfOf<float>("float32", problem);
  if (!y) y = IfOf<double>("float64", problem);
  if (!y) y = IfOf<Eigen::half>("float16", problem);
  if (!y) y = IfOf<Eigen::bfloat16>("bfloat16", problem);
  if (!y) y = IfOf<std::int8_t>("int8", problem);
  if (!y) y = IfOf<std::int16_t>("int16", problem);
  if (!y) y = IfOf<std::int32_t>("int32", problem);
  if (!y) y = IfOf<std::int64_t>("int64", problem);
  if (!y) y = IfOf<std::uint8_t>("uint8", problem);
  if (!y) y = IfOf<std::uint16_t>("uint16", problem);
  if (!y) y = IfOf<std::uint32_t>("uint32", problem);
  if (!y) y = IfOf<std::uint64_t>("uint64", problem);
  if (!y) y = IfOf<bool>("bool", problem);
  if (!y) throw kit::Unsupported("the runner does not know " + problem.type);
  return *y;
}

}  // namespace

int main(int argc, char** argv) {
  const kit::Arguments arguments = kit::ParseArguments(argc, argv);
  const std::string version = std::to_string(EIGEN_WORLD_VERSION) + "." +
                              std::to_string(EIGEN_MAJOR_VERSION) + "." + std::to_string(EIGEN_MINOR_VERSION);
  return kit::RunCases(arguments, {"Eigen", version}, Run);
}
