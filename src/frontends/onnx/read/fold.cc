#include "frontends/onnx/read/fold.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <limits>
#include <numeric>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "frontends/onnx/read/value_info.h"
#include "io/formats/tensor_proto.h"
#include "supremum/dtype.h"

namespace supremum::onnx_front {
namespace {

using Extents = std::vector<std::int64_t>;

Extents ExtentsOf(const Tensor& tensor) { return {tensor.shape().begin(), tensor.shape().end()}; }

// Nothing if it would be too large, or an extent is below zero.
std::optional<Tensor> MakeSmall(DType dtype, const Extents& shape) {
  Result<Tensor> tensor = Tensor::Create(dtype, shape, kMostFoldedBytes);
  if (!tensor || tensor->size() > kMostFoldedElements) return std::nullopt;
  return *std::move(tensor);
}

// The same elements in another shape.
std::optional<Tensor> Reshaped(const Tensor& from, const Extents& shape) {
  std::optional<Tensor> made = MakeSmall(from.dtype(), shape);
  if (!made || made->size() != from.size()) return std::nullopt;
  std::ranges::copy(from.bytes(), made->bytes().begin());
  return made;
}

// The elements of a list of integers.
std::optional<Extents> IntegersOf(const Tensor& tensor) {
  if (tensor.shape().rank() > 1) return std::nullopt;
  if (tensor.dtype() == DType::kInt64) {
    const auto elements = tensor.Elements<std::int64_t>();
    return Extents(elements.begin(), elements.end());
  }
  if (tensor.dtype() != DType::kInt32) return std::nullopt;
  const auto elements = tensor.Elements<std::int32_t>();
  return Extents(elements.begin(), elements.end());
}

// The dimension that `axis` names, which may count from the end.
std::optional<std::size_t> DimensionAt(std::int64_t axis, std::size_t rank) {
  const auto count = static_cast<std::int64_t>(rank);
  if (axis < -count || axis >= count) return std::nullopt;
  return static_cast<std::size_t>(axis < 0 ? axis + count : axis);
}

// Which dimensions the axes name; nothing if two name the same.
std::optional<std::vector<bool>> NamedDimensions(const Extents& axes, std::size_t rank) {
  std::vector<bool> named(rank, false);
  for (const std::int64_t axis : axes) {
    const std::optional<std::size_t> d = DimensionAt(axis, rank);
    if (!d || named[*d]) return std::nullopt;
    named[*d] = true;
  }
  return named;
}

// A node whose inputs are constants.
struct ConstantNode {
  const onnx::NodeProto& proto;
  std::int64_t opset;
  std::vector<const Tensor*> inputs;  // null for one that the node leaves out

  const Tensor* Input(std::size_t i) const { return i < inputs.size() ? inputs[i] : nullptr; }

  std::optional<std::int64_t> Integer(std::string_view name, std::optional<std::int64_t> otherwise) const {
    const onnx::AttributeProto* const attribute = FindAttribute(proto, name);
    if (attribute == nullptr) return otherwise;
    if (attribute->type() != onnx::AttributeProto::INT) return std::nullopt;
    return attribute->i();
  }

  // A list that is an attribute before opset `since`, and input `i` from then on.
  bool HasList(std::size_t i, std::int64_t since, std::string_view name) const {
    return opset < since ? FindAttribute(proto, name) != nullptr : Input(i) != nullptr;
  }
  std::optional<Extents> List(std::size_t i, std::int64_t since, std::string_view name) const {
    if (opset >= since) return Input(i) == nullptr ? std::nullopt : IntegersOf(*Input(i));
    const onnx::AttributeProto* const attribute = FindAttribute(proto, name);
    if (attribute == nullptr || attribute->type() != onnx::AttributeProto::INTS) return std::nullopt;
    return Extents(attribute->ints().begin(), attribute->ints().end());
  }
};

std::optional<Tensor> FoldReshape(const ConstantNode& node) {
  const Tensor& from = *node.inputs[0];
  std::optional<Extents> shape = node.List(1, 5, "shape");
  const std::optional<std::int64_t> allow_zero = node.Integer("allowzero", 0);
  if (!shape || !allow_zero) return std::nullopt;
  std::optional<std::size_t> open;
  for (std::size_t d = 0; d < shape->size(); ++d) {
    std::int64_t& extent = (*shape)[d];
    if (extent == 0 && *allow_zero == 0) {
      if (d >= from.shape().rank()) return std::nullopt;
      extent = from.shape()[d];
    } else if (extent == -1) {
      if (open) return std::nullopt;
      open = d;
      extent = 1;
    }
  }
  if (!open) return Reshaped(from, *shape);
  const std::optional<Tensor> others = MakeSmall(from.dtype(), *shape);
  if (!others || others->size() == 0) return std::nullopt;
  (*shape)[*open] = from.size() / others->size();
  return Reshaped(from, *shape);
}

std::optional<Tensor> FoldUnsqueeze(const ConstantNode& node) {
  const Tensor& from = *node.inputs[0];
  const std::optional<Extents> axes = node.List(1, 13, "axes");
  if (!axes) return std::nullopt;
  const auto is_new = NamedDimensions(*axes, from.shape().rank() + axes->size());
  if (!is_new) return std::nullopt;
  Extents shape;
  std::size_t old = 0;
  for (const bool added : *is_new) shape.push_back(added ? 1 : from.shape()[old++]);
  return Reshaped(from, shape);
}

std::optional<Tensor> FoldSqueeze(const ConstantNode& node) {
  const Tensor& from = *node.inputs[0];
  const bool every = !node.HasList(1, 13, "axes");
  const std::optional<Extents> axes = every ? Extents() : node.List(1, 13, "axes");
  const auto named = axes ? NamedDimensions(*axes, from.shape().rank()) : std::nullopt;
  if (!named) return std::nullopt;
  Extents shape;
  for (std::size_t d = 0; d < named->size(); ++d) {
    const bool one = from.shape()[d] == 1;
    if ((*named)[d] && !one) return std::nullopt;
    if (!(*named)[d] && !(every && one)) shape.push_back(from.shape()[d]);
  }
  return Reshaped(from, shape);
}

std::optional<Tensor> FoldConcat(const ConstantNode& node) {
  const std::optional<std::int64_t> axis =
      node.Integer("axis", node.opset < 4 ? std::optional<std::int64_t>(1) : std::nullopt);
  if (!axis || std::ranges::count(node.inputs, nullptr) > 0) return std::nullopt;
  const Tensor& first = *node.inputs[0];
  const std::optional<std::size_t> d = DimensionAt(*axis, first.shape().rank());
  if (!d) return std::nullopt;
  Extents shape = ExtentsOf(first);
  shape[*d] = 0;
  for (const Tensor* input : node.inputs) {
    Extents same = ExtentsOf(*input);
    const std::int64_t extent = same.size() == shape.size() ? same[*d] : -1;
    if (extent < 0 || extent > std::numeric_limits<std::int64_t>::max() - shape[*d]) return std::nullopt;
    shape[*d] += extent;
    same[*d] = shape[*d];
    if (same != shape || input->dtype() != first.dtype()) return std::nullopt;
  }
  std::optional<Tensor> made = MakeSmall(first.dtype(), shape);
  if (!made || made->size() == 0) return made;
  const std::int64_t rows =
      std::accumulate(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(*d), std::int64_t{1},
                      std::multiplies<>());  // at most the number of elements
  auto to = made->bytes().begin();
  for (std::int64_t row = 0; row < rows; ++row) {
    for (const Tensor* input : node.inputs) {
      const std::size_t bytes = input->byte_size() / static_cast<std::size_t>(rows);
      to = std::ranges::copy(input->bytes().subspan(static_cast<std::size_t>(row) * bytes, bytes), to).out;
    }
  }
  return made;
}

std::optional<Tensor> FoldCast(const ConstantNode& node) {
  const Tensor& from = *node.inputs[0];
  const std::optional<std::int64_t> to = node.Integer("to", std::nullopt);
  if (!to || *to < 0 || *to > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
  const std::optional<DType> dtype = io::DTypeFromOnnx(static_cast<std::int32_t>(*to));
  if (!dtype) return std::nullopt;
  std::optional<Tensor> made = MakeSmall(*dtype, ExtentsOf(from));
  if (!made) return std::nullopt;
  const bool exact = VisitDType(from.dtype(), [&](auto from_tag) {
    using From = typename decltype(from_tag)::type;
    return VisitDType(*dtype, [&](auto to_tag) {
      using To = typename decltype(to_tag)::type;
      if constexpr (std::is_integral_v<From> && std::is_integral_v<To> && !std::is_same_v<From, bool> &&
                    !std::is_same_v<To, bool>) {
        const auto elements = from.Elements<From>();
        if (!std::ranges::all_of(elements, [](From value) { return std::in_range<To>(value); })) return false;
        std::ranges::transform(elements, made->template Elements<To>().begin(),
                               [](From value) { return static_cast<To>(value); });
        return true;
      } else {
        return false;
      }
    });
  });
  return exact ? std::move(made) : std::nullopt;
}

// The elements at every combination of `picks`, which has a list of indices for each dimension.
std::optional<Tensor> Select(const Tensor& from, const std::vector<Extents>& picks, const Extents& shape) {
  std::optional<Tensor> made = MakeSmall(from.dtype(), shape);
  if (!made || made->size() == 0) return made;
  Extents offsets = {0};
  for (std::size_t d = 0; d < picks.size(); ++d) {
    Extents next;
    for (const std::int64_t offset : offsets) {
      for (const std::int64_t pick : picks[d]) next.push_back(offset * from.shape()[d] + pick);
    }
    offsets = std::move(next);
  }
  const std::size_t width = ByteWidth(from.dtype());
  auto to = made->bytes().begin();
  for (const std::int64_t offset : offsets) {
    to = std::ranges::copy(from.bytes().subspan(static_cast<std::size_t>(offset) * width, width), to).out;
  }
  return made;
}

// Every index of every dimension, of a tensor that has elements.
std::vector<Extents> PickAll(const Tensor& from) {
  std::vector<Extents> picks;
  for (const std::int64_t extent : from.shape()) {
    picks.emplace_back(static_cast<std::size_t>(extent));
    std::iota(picks.back().begin(), picks.back().end(), std::int64_t{0});
  }
  return picks;
}

// The indices of a dimension from `start` to before `end`, as Slice counts them.
Extents IndicesOf(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t extent) {
  const auto at = [&](std::int64_t bound, std::int64_t least, std::int64_t most) {
    return std::clamp(bound < 0 ? bound + extent : bound, least, most);
  };
  step = std::clamp(step, -extent, extent);  // a longer step leaves the dimension as well
  Extents indices;
  if (step > 0) {
    for (std::int64_t i = at(start, 0, extent); i < at(end, 0, extent); i += step) indices.push_back(i);
  } else {
    for (std::int64_t i = at(start, 0, extent - 1); i > at(end, -1, extent - 1); i += step)
      indices.push_back(i);
  }
  return indices;
}

std::optional<Tensor> FoldSlice(const ConstantNode& node) {
  const Tensor& from = *node.inputs[0];
  if (from.size() == 0) return std::nullopt;
  const auto starts = node.List(1, 10, "starts"), ends = node.List(2, 10, "ends");
  if (!starts || !ends || starts->size() != ends->size()) return std::nullopt;
  std::optional<Extents> axes, steps = Extents(starts->size(), 1);
  if (node.HasList(3, 10, "axes")) {
    axes = node.List(3, 10, "axes");
  } else {
    axes.emplace(starts->size());
    std::iota(axes->begin(), axes->end(), std::int64_t{0});
  }
  if (node.opset >= 10 && node.Input(4) != nullptr) steps = IntegersOf(*node.Input(4));
  if (!axes || !steps || axes->size() != starts->size() || steps->size() != starts->size() ||
      std::ranges::count(*steps, 0) > 0 || !NamedDimensions(*axes, from.shape().rank())) {
    return std::nullopt;
  }
  std::vector<Extents> picks = PickAll(from);
  for (std::size_t i = 0; i < axes->size(); ++i) {
    const std::size_t d = *DimensionAt((*axes)[i], picks.size());
    picks[d] = IndicesOf((*starts)[i], (*ends)[i], (*steps)[i], from.shape()[d]);
  }
  Extents shape;
  for (const Extents& indices : picks) shape.push_back(static_cast<std::int64_t>(indices.size()));
  return Select(from, picks, shape);
}

std::optional<Tensor> FoldGather(const ConstantNode& node) {
  const Tensor& from = *node.inputs[0];
  const Tensor* const indices = node.Input(1);
  const std::optional<std::int64_t> axis = node.Integer("axis", 0);
  if (from.size() == 0 || indices == nullptr || !axis) return std::nullopt;
  const std::optional<std::size_t> d = DimensionAt(*axis, from.shape().rank());
  const auto flat = Reshaped(*indices, {indices->size()});
  std::optional<Extents> list = flat ? IntegersOf(*flat) : std::nullopt;
  if (!d || !list) return std::nullopt;
  for (std::int64_t& index : *list) {
    const auto at = DimensionAt(index, static_cast<std::size_t>(from.shape()[*d]));
    if (!at) return std::nullopt;
    index = static_cast<std::int64_t>(*at);
  }
  std::vector<Extents> picks = PickAll(from);
  picks[*d] = *std::move(list);
  Extents shape = ExtentsOf(from);
  const auto place = shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(*d));
  shape.insert(place, indices->shape().begin(), indices->shape().end());
  return Select(from, picks, shape);
}

struct Folding {
  std::string_view name;
  std::optional<Tensor> (*fold)(const ConstantNode& node);
};
constexpr std::array<Folding, 7> kFoldings = {{{"Reshape", FoldReshape},
                                               {"Unsqueeze", FoldUnsqueeze},
                                               {"Squeeze", FoldSqueeze},
                                               {"Concat", FoldConcat},
                                               {"Cast", FoldCast},
                                               {"Slice", FoldSlice},
                                               {"Gather", FoldGather}}};

}  // namespace

std::optional<Tensor> Fold(const onnx::NodeProto& node, std::int64_t opset, const ConstantNamed& constant) {
  const auto folding = std::ranges::find(kFoldings, node.op_type(), &Folding::name);
  if (folding == kFoldings.end() || !IsOnnxDomain(node.domain()) || node.output_size() != 1 ||
      node.output(0).empty() || node.input_size() == 0 || node.input(0).empty() ||
      std::ranges::any_of(node.attribute(), [](const auto& a) { return !a.ref_attr_name().empty(); })) {
    return std::nullopt;
  }
  ConstantNode read{node, opset, {}};
  for (const std::string& name : node.input()) {
    const Tensor* const known = name.empty() ? nullptr : constant(name);
    if (!name.empty() && (known == nullptr || known->size() > kMostFoldedElements)) return std::nullopt;
    read.inputs.push_back(known);
  }
  return folding->fold(read);
}

}  // namespace supremum::onnx_front
