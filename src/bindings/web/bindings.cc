// The functions that JavaScript calls. Tensors are objects {dtype, shape, data} with the elements' bytes as
// data; an error is returned as {error: {code, message}}, since exceptions are disabled. index.js wraps them
// as index.d.ts declares.
#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/element.h"
#include "parse.h"
#include "supremum/explain.h"
#include "supremum/supremum.h"
#include "supremum/target.h"

namespace supremum::web {
namespace {

using emscripten::val;

val ToJs(const Error& error) {
  val inner = val::object();
  inner.set("code", std::string(InfoOf(error.code).name));
  inner.set("message", error.message);
  val outer = val::object();
  outer.set("error", inner);
  return outer;
}

val ToJs(const std::vector<std::uint8_t>& bytes) {
  return val::global("Uint8Array").new_(val(emscripten::typed_memory_view(bytes.size(), bytes.data())));
}

// Whole numbers that a double represents exactly.
Result<std::vector<std::int64_t>> Integers(const val& list, const std::string& what) {
  std::vector<std::int64_t> integers;
  for (const double number : emscripten::convertJSArrayToNumberVector<double>(list)) {
    if (!(std::fabs(number) <= 0x1p53) || number != std::trunc(number)) {
      return MakeError(ErrorCode::kInvalidArgument, what + " has a number that is not a whole number");
    }
    integers.push_back(static_cast<std::int64_t>(number));
  }
  return integers;
}

Result<DType> TypeOf(const val& name, const std::string& what) {
  const std::string text = name.isString() ? name.as<std::string>() : std::string("nothing");
  if (const std::optional<DType> dtype = ParseDType(text)) return *dtype;
  return MakeError(ErrorCode::kTypeNotAdmitted, "the dtype of " + what + " is '" + text +
                                                    "'; expected one of the thirteen types, such as float32");
}

// A copy of a tensor from JavaScript.
struct Operand {
  DType dtype = DType::kFloat32;
  std::vector<std::int64_t> shape;
  std::vector<std::uint64_t> storage;  // aligned for every type

  TensorView View() const { return {dtype, shape, {}, storage.data()}; }
};

Result<Operand> OperandOf(const val& object, const std::string& what) {
  Operand operand;
  const Result<DType> dtype = TypeOf(object["dtype"], what);
  if (!dtype) return dtype.error();
  Result<std::vector<std::int64_t>> shape = Integers(object["shape"], "the shape of " + what);
  if (!shape) return shape.error();
  operand.dtype = *dtype;
  operand.shape = *std::move(shape);
  for (const std::int64_t extent : operand.shape) {
    if (extent < 0) return MakeError(ErrorCode::kInvalidShape, what + " has a negative extent");
  }
  const std::vector<std::uint8_t> bytes =
      emscripten::convertJSArrayToNumberVector<std::uint8_t>(object["data"]);
  const std::optional<std::int64_t> count = ElementCount(operand.shape);
  const std::int64_t width = static_cast<std::int64_t>(ByteWidth(operand.dtype));
  const std::int64_t given = static_cast<std::int64_t>(bytes.size());
  if (!count || given % width != 0 || *count != given / width) {
    return MakeError(ErrorCode::kInvalidArgument,
                     what + " of shape " + ToString(operand.shape) + " has " +
                         (count ? std::to_string(*count) : std::string("too many")) +
                         " elements, and its data " + std::to_string(given / width) +
                         "; give as many elements as the shape has");
  }
  operand.storage.assign(bytes.size() / sizeof(std::uint64_t) + 1, 0);
  std::memcpy(operand.storage.data(), bytes.data(), bytes.size());
  return operand;
}

// The arguments of a call.
struct Request {
  std::vector<Operand> inputs;
  std::vector<TensorView> views;
  MaxOptions max;
  std::optional<std::vector<std::int64_t>> axes;
  ReduceMaxOptions reduce_max;
};

Result<Request> RequestOf(const val& inputs, const val& options) {
  Request request;
  const unsigned count = inputs["length"].as<unsigned>();
  for (unsigned m = 0; m < count; ++m) {
    Result<Operand> operand = OperandOf(inputs[m], "input " + std::to_string(m));
    if (!operand) return operand.error();
    request.inputs.push_back(*std::move(operand));
  }
  for (const Operand& input : request.inputs) request.views.push_back(input.View());
  if (options["opset"].isNumber()) {
    const int opset = options["opset"].as<int>();
    const auto max = MaxVersionForOpset(opset);
    const auto reduce_max = ReduceMaxVersionForOpset(opset);
    if (!max || !reduce_max) {
      return MakeError(ErrorCode::kInvalidArgument, "there is no opset " + std::to_string(opset));
    }
    request.max.version = *max;
    request.reduce_max.version = *reduce_max;
  }
  request.max.identical_shapes_only = options["identicalShapesOnly"].isTrue();
  request.reduce_max.keepdims = options["keepdims"].isTrue();
  if (options["axes"].isArray()) {
    Result<std::vector<std::int64_t>> axes = Integers(options["axes"], "axes");
    if (!axes) return axes.error();
    request.axes = *std::move(axes);
  }
  return request;
}

// Sets the options that point into `request`, which must not be moved afterwards.
void Bind(Request& request) {
  if (request.axes) request.reduce_max.axes = *request.axes;
}

template <class ShapeOf, class Compute>
val Computed(DType dtype, ShapeOf shape_of, Compute compute) {
  const Result<Shape> shape = shape_of();
  if (!shape) return ToJs(shape.error());
  Result<Tensor> y = Tensor::Create(dtype, *shape);
  if (!y) return ToJs(y.error());
  const Result<void> done = compute(y->MutableView());
  if (!done) return ToJs(done.error());
  val object = val::object();
  object.set("dtype", std::string(Name(dtype)));
  val extents = val::array();
  for (std::size_t d = 0; d < shape->size(); ++d) extents.set(d, static_cast<double>((*shape)[d]));
  object.set("shape", extents);
  object.set("data", val::global("Uint8Array")
                         .new_(val(emscripten::typed_memory_view(
                             y->byte_size(), static_cast<const std::uint8_t*>(y->data())))));
  return object;
}

val Max(const val& inputs, const val& options) {
  Result<Request> request = RequestOf(inputs, options);
  if (!request) return ToJs(request.error());
  const DType dtype = request->views.empty() ? DType::kFloat32 : request->views[0].dtype;
  return Computed(
      dtype, [&] { return MaxOutputShape(request->views, request->max); },
      [&](const MutableTensorView& y) { return supremum::Max(request->views, y, request->max); });
}

val ReduceMax(const val& source, const val& options) {
  val inputs = val::array();
  inputs.set(0, source);
  Result<Request> request = RequestOf(inputs, options);
  if (!request) return ToJs(request.error());
  Bind(*request);
  return Computed(
      request->views[0].dtype, [&] { return ReduceMaxOutputShape(request->views[0], request->reduce_max); },
      [&](const MutableTensorView& y) {
        return supremum::ReduceMax(request->views[0], y, request->reduce_max);
      });
}

// An element as decimal and as bits.
val ElementToJs(DType dtype, std::uint64_t bits) {
  return VisitDType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T value;
    std::memcpy(&value, &bits, sizeof(T));
    val object = val::object();
    object.set("value", cli::Text(value));
    object.set("bits", cli::HexText(value));
    return object;
  });
}

val ExplanationsToJs(DType dtype, const reference::Tensor<reference::Explanation>& all) {
  val shape = val::array(), elements = val::array();
  for (std::size_t d = 0; d < all.shape.size(); ++d) shape.set(d, static_cast<double>(all.shape[d]));
  for (std::size_t i = 0; i < all.values.size(); ++i) {
    const reference::Explanation& why = all.values[i];
    val element = ElementToJs(dtype, why.bits), rules = val::array(), operands = val::array();
    for (std::size_t r = 0; r < why.rules.size(); ++r) rules.set(r, std::string(why.rules[r]));
    for (std::size_t k = 0; k < why.operands.size(); ++k) {
      val operand = ElementToJs(dtype, why.operands[k].bits);
      operand.set("input", static_cast<double>(why.operands[k].input));
      operand.set("position", static_cast<double>(why.operands[k].position));
      operands.set(k, operand);
    }
    element.set("rules", rules);
    element.set("reason", std::string(why.reason));
    element.set("operands", operands);
    element.set("won", why.won ? val(static_cast<double>(*why.won)) : val::null());
    elements.set(i, element);
  }
  val object = val::object();
  object.set("shape", shape);
  object.set("elements", elements);
  return object;
}

// The operator's own checks come first, so that only a call that the operator accepts is explained.
val ExplainMax(const val& inputs, const val& options) {
  Result<Request> request = RequestOf(inputs, options);
  if (!request) return ToJs(request.error());
  const Result<Shape> shape = MaxOutputShape(request->views, request->max);
  if (!shape) return ToJs(shape.error());
  const auto why = reference::ExplainMax(request->views);
  if (!why) return ToJs(why.error());
  return ExplanationsToJs(request->views[0].dtype, *why);
}

val ExplainReduceMax(const val& source, const val& options) {
  val inputs = val::array();
  inputs.set(0, source);
  Result<Request> request = RequestOf(inputs, options);
  if (!request) return ToJs(request.error());
  Bind(*request);
  const Result<Shape> shape = ReduceMaxOutputShape(request->views[0], request->reduce_max);
  if (!shape) return ToJs(shape.error());
  const auto why = reference::ExplainReduceMax(request->views[0], request->reduce_max.axes.list(),
                                               request->reduce_max.keepdims);
  if (!why) return ToJs(why.error());
  return ExplanationsToJs(request->views[0].dtype, *why);
}

val Parse(const std::string& dtype, const std::string& text) {
  const Result<DType> type = TypeOf(val(dtype), "the text");
  if (!type) return ToJs(type.error());
  const auto bytes = ParseElements(*type, text);
  if (!bytes) return ToJs(bytes.error());
  return ToJs(*bytes);
}

val Elements(const val& tensor) {
  const Result<Operand> operand = OperandOf(tensor, "the tensor");
  if (!operand) return ToJs(operand.error());
  const std::size_t width = ByteWidth(operand->dtype);
  const std::int64_t count = *ElementCount(operand->shape);
  val elements = val::array();
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, reinterpret_cast<const std::byte*>(operand->storage.data()) + i * width, width);
    elements.set(i, ElementToJs(operand->dtype, bits));
  }
  return elements;
}

std::string Version() { return SUPREMUM_VERSION; }
std::string Target() { return std::string(ActiveTarget()); }

}  // namespace

EMSCRIPTEN_BINDINGS(supremum) {
  emscripten::function("version", &Version);
  emscripten::function("target", &Target);
  emscripten::function("max", &Max);
  emscripten::function("reduceMax", &ReduceMax);
  emscripten::function("explainMax", &ExplainMax);
  emscripten::function("explainReduceMax", &ExplainReduceMax);
  emscripten::function("parse", &Parse);
  emscripten::function("elements", &Elements);
}

}  // namespace supremum::web
