#include <algorithm>
#include <array>
#include <utility>

#include "core/messages.h"
#include "frontends/onednn/fields.h"
#include "frontends/onednn/read_graph.h"

namespace supremum::onednn_front {
namespace {

// oneDNN's value for an unknown extent or stride.
constexpr std::int64_t kOneDnnUnknown = INT64_MIN;

std::optional<DType> DTypeOf(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, DType>, 9> kNames = {{{"f32", DType::kFloat32},
                                                                         {"bf16", DType::kBFloat16},
                                                                         {"f16", DType::kFloat16},
                                                                         {"f64", DType::kFloat64},
                                                                         {"s8", DType::kInt8},
                                                                         {"u8", DType::kUInt8},
                                                                         {"s32", DType::kInt32},
                                                                         {"s64", DType::kInt64},
                                                                         {"boolean", DType::kBool}}};
  for (const auto& [known, dtype] : kNames) {
    if (name == known) return dtype;
  }
  return std::nullopt;
}

Result<void> ReadShape(const Fields& fields, OneDnnTensor* tensor) {
  Result<std::vector<std::int64_t>> shape = fields.Integers("shape");
  if (!shape) return std::move(shape).error();
  for (std::size_t d = 0; d < shape->size(); ++d) {
    std::int64_t& extent = (*shape)[d];
    if (extent == kOneDnnUnknown) extent = kUnknownExtent;
    if (extent < kUnknownExtent) {
      return fields.WrongType("shape[" + std::to_string(d) + "]", fields.Find("shape")->items[d],
                              "an extent, or -1 for one that is not known");
    }
  }
  // oneDNN writes [-1] for a shape of unknown rank.
  if (shape->size() != 1 || shape->front() != kUnknownExtent) tensor->shape = *std::move(shape);
  return {};
}

Result<void> ReadStrides(const Fields& fields, const std::string& layout, OneDnnTensor* tensor) {
  if (fields.Find("stride") == nullptr) return {};
  Result<std::vector<std::int64_t>> strides = fields.Integers("stride");
  if (!strides) return std::move(strides).error();
  if (layout != "strided" || !tensor->shape || strides->empty()) return {};
  if (std::ranges::find(*strides, kOneDnnUnknown) != strides->end()) return {};
  if (strides->size() != tensor->shape->size()) {
    return fields.WrongType("stride", *fields.Find("stride"), "a list of one stride for each extent");
  }
  tensor->strides = *std::move(strides);
  return {};
}

Error Contradiction(const std::string& where, const std::string& one, const std::string& other) {
  return ErrorAt(ErrorCode::kMalformedFile, where,
                 "it has " + one + " here and " + other +
                     " at an earlier place; one tensor has one description: correct the file");
}

}  // namespace

Result<OneDnnTensor> ReadTensor(const JsonValue& json, const std::string& where) {
  Result<Fields> fields = Fields::Of(json, where);
  if (!fields) return fields.error();
  OneDnnTensor tensor;
  Result<void> ok = Store(fields->Id("id"), &tensor.id);
  if (!ok) return std::move(ok).error();
  fields->set_where(where + ", tensor " + std::to_string(tensor.id));
  ok = fields->Only({"id", "dtype", "shape", "stride", "layout_type", "property_type"});
  if (ok) ok = Store(fields->Text("dtype"), &tensor.dtype_name);
  if (!ok) return std::move(ok).error();
  tensor.dtype = DTypeOf(tensor.dtype_name);

  const Result<std::string> layout = fields->Text("layout_type", "strided");
  if (!layout) return layout.error();
  if (*layout == "opaque") {
    return ErrorAt(ErrorCode::kUnsupportedFormat, fields->where(),
                   "its layout is opaque, known to oneDNN alone; dump the graph before it is compiled, or "
                   "reorder the tensor to a strided layout");
  }
  if (*layout != "strided" && *layout != "any" && *layout != "undef") {
    return fields->WrongType("layout_type", *fields->Find("layout_type"),
                             "'strided', 'any', 'undef' or 'opaque'");
  }
  ok = ReadShape(*fields, &tensor);
  if (ok) ok = ReadStrides(*fields, *layout, &tensor);
  if (ok) ok = Store(fields->Text("property_type", "undef"), &tensor.property_type);
  if (!ok) return std::move(ok).error();
  const std::string& property = tensor.property_type;
  if (property != "undef" && property != "variable" && property != "constant" && property != "host_scalar") {
    return fields->WrongType("property_type", *fields->Find("property_type"),
                             "'undef', 'variable', 'constant' or 'host_scalar'");
  }
  return tensor;
}

Result<void> Merge(const OneDnnTensor& again, const std::string& where, OneDnnTensor* known) {
  if (again.dtype_name != known->dtype_name) {
    return Contradiction(where, "dtype " + Quote(again.dtype_name), "dtype " + Quote(known->dtype_name));
  }
  if (known->shape && again.shape) {
    std::vector<std::int64_t>& shape = *known->shape;
    bool agree = shape.size() == again.shape->size();
    for (std::size_t d = 0; agree && d < shape.size(); ++d) {
      const std::int64_t extent = (*again.shape)[d];
      agree = extent == shape[d] || extent == kUnknownExtent || shape[d] == kUnknownExtent;
    }
    if (!agree) {
      return Contradiction(where, "shape " + ToString(DimsView(*again.shape)),
                           "shape " + ToString(DimsView(shape)));
    }
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (shape[d] == kUnknownExtent) shape[d] = (*again.shape)[d];
    }
  } else if (again.shape) {
    known->shape = again.shape;
  }
  if (!known->strides) known->strides = again.strides;
  return {};
}

}  // namespace supremum::onednn_front
