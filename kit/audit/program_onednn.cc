// Programs in C++ for oneDNN and XNNPACK, called as in kit/runners/onednn.cc and kit/runners/xnnpack.cc.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <utility>

#include "audit/program_parts.h"
#include "supremum/shape.h"

namespace supremum::cli {
namespace {

using Dims = std::vector<std::int64_t>;

/// The number at the beginning of a text; 0 if there is none.
int NumberAt(std::string_view text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// The shape with leading extents of 1 up to `rank`.
Dims WithRank(const Dims& shape, std::size_t rank) {
  Dims padded(rank - std::min(rank, shape.size()), 1);
  padded.insert(padded.end(), shape.begin(), shape.end());
  return padded;
}

/// oneDNN's name of a type; "" if it has none.
std::string_view OneDnnType(DType dtype, int version) {
  switch (dtype) {
    case DType::kFloat64:
      return version >= 3 ? "f64" : "";
    case DType::kFloat32:
      return "f32";
    case DType::kFloat16:
      return "f16";
    case DType::kBFloat16:
      return "bf16";
    case DType::kInt8:
      return "s8";
    case DType::kUInt8:
      return "u8";
    case DType::kInt32:
      return "s32";
    default:
      return "";
  }
}

/// A line that describes a row-major tensor.
std::string Description(std::string_view name, const Dims& shape) {
  Dims strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * std::max<std::int64_t>(1, shape[d]);
  return fmt::format("  const dnnl::memory::desc {}(Dims{{{}}}, type, Dims{{{}}});\n", name, ListOf(shape),
                     ListOf(strides));
}

/// A scalar is one element of rank 1; the first input of the result's shape comes first.
std::optional<std::string> OneDnnMax(const AuditCase& one, int version) {
  const Dims broadcast = *BroadcastOf(one.inputs);
  const Dims shape = WithRank(broadcast, std::max<std::size_t>(1, broadcast.size()));
  if (one.inputs.size() < 2) return std::nullopt;
  std::vector<std::size_t> order(one.inputs.size());
  std::string text;
  for (std::size_t m = 0; m < order.size(); ++m) {
    order[m] = m;
    text += Description(fmt::format("d{}", m), WithRank(one.inputs[m].shape, shape.size()));
  }
  const auto first = std::ranges::find_if(
      order, [&](std::size_t m) { return WithRank(one.inputs[m].shape, shape.size()) == shape; });
  if (first != order.end()) std::rotate(order.begin(), first, first + 1);
  text += Description("dy", shape) + "  dnnl::post_ops more;\n";
  std::string arguments = fmt::format(
      "{{DNNL_ARG_SRC_0, dnnl::memory(d{0}, engine, x{0})}},\n      {{DNNL_ARG_SRC_1, dnnl::memory(d{1}, "
      "engine, "
      "x{1})}},\n      {{DNNL_ARG_DST, dnnl::memory(dy, engine, y)}}",
      order[0], order[1]);
  for (std::size_t m = 2; m < order.size(); ++m) {
    text += fmt::format("  more.append_binary(dnnl::algorithm::binary_max, d{});\n", order[m]);
    arguments += fmt::format(
        ",\n      {{DNNL_ARG_ATTR_MULTIPLE_POST_OP({0}) | DNNL_ARG_SRC_1, dnnl::memory(d{1}, engine, x{1})}}",
        m - 2, order[m]);
  }
  const std::string primitive =
      version >= 3
          ? fmt::format("(engine, dnnl::algorithm::binary_max, d{}, d{}, dy, attributes)", order[0], order[1])
          : fmt::format(
                "(\n      dnnl::binary::desc(dnnl::algorithm::binary_max, d{}, d{}, dy), attributes, engine)",
                order[0], order[1]);
  return text + fmt::format(
                    "  dnnl::primitive_attr attributes;\n  attributes.set_post_ops(more);\n"
                    "  const dnnl::binary::primitive_desc primitive{};\n"
                    "  dnnl::binary(primitive).execute(stream, {{\n      {}}});\n",
                    primitive, arguments);
}

std::optional<std::string> OneDnnReduceMax(const AuditCase& one, int version) {
  const Dims source = WithRank(one.inputs[0].shape, std::max<std::size_t>(1, one.inputs[0].shape.size()));
  const std::vector<bool> reduced = *ReducedOf(one);
  Dims kept = source;
  for (std::size_t d = 0; d < reduced.size(); ++d) {
    if (reduced[d]) kept[d] = 1;
  }
  return Description("d0", source) + Description("dy", kept) +
         fmt::format("  const dnnl::reduction::primitive_desc primitive{};\n",
                     version >= 3
                         ? "(engine, dnnl::algorithm::reduction_max, d0, dy, 0, 0)"
                         : "(\n      dnnl::reduction::desc(dnnl::algorithm::reduction_max, d0, dy, 0, "
                           "0), engine)") +
         "  dnnl::reduction(primitive).execute(stream, {\n      {DNNL_ARG_SRC, dnnl::memory(d0, engine, "
         "x0)},\n"
         "      {DNNL_ARG_DST, dnnl::memory(dy, engine, y)}});\n";
}

/// The interface of all binary operators, which the runner of XNNPACK uses since the versions of September
/// 2024; "0.0~git20220216.ae108ef-2" has a date.
bool HasBinaryOperators(std::string_view version) {
  constexpr int kFirst = 20240901;
  const std::size_t at = version.find("git");
  return at == std::string_view::npos || NumberAt(version.substr(at + 3)) >= kFirst;
}

/// XNNPACK's name of a type; "" if it has none.
std::string_view XnnpackType(DType dtype, bool binary) {
  if (dtype == DType::kFloat32) return "fp32";
  if (!binary) return "";
  return dtype == DType::kFloat16    ? "fp16"
         : dtype == DType::kBFloat16 ? "bf16"
         : dtype == DType::kInt32    ? "int32"
                                     : "";
}

/// The function that computes the maximum of two tensors.
std::string MaximumOfTwo(std::string_view type, bool binary) {
  constexpr std::string_view kBegin = R"(
void Check(xnn_status status) {
  if (status == xnn_status_success) return;
  std::printf("status %d\n", int(status));
  std::exit(2);
}

using Dims = std::vector<std::size_t>;

void Maximum(const Element* a, const Dims& a_shape, const Element* b, const Dims& b_shape, Element* y) {
  xnn_operator_t op = nullptr;
)";
  constexpr std::string_view kOld = R"(  Check(xnn_create_maximum_nd_f32(0, &op));
  Check(xnn_setup_maximum_nd_f32(op, a_shape.size(), a_shape.data(), b_shape.size(), b_shape.data(), a, b, y,
                                 nullptr));
)";
  constexpr std::string_view kNew = R"(, nullptr, nullptr, nullptr, 0, &op));
  Check(xnn_reshape_binary_elementwise_nd(op, a_shape.size(), a_shape.data(), b_shape.size(), b_shape.data(),
                                          nullptr));
  Check(xnn_setup_binary_elementwise_nd(op, a, b, y));
)";
  constexpr std::string_view kEnd = R"(  Check(xnn_run_operator(op, nullptr));
  xnn_delete_operator(op);
}
)";
  const std::string made =
      binary ? fmt::format("  Check(xnn_create_binary_elementwise_nd(xnn_binary_maximum, xnn_datatype_{}",
                           type) +
                   std::string(kNew)
             : std::string(kOld);
  return std::string(kBegin) + made + std::string(kEnd);
}

}  // namespace

std::optional<Program> OneDnnProgram(const Exhibit& exhibit) {
  const AuditCase& one = exhibit.one;
  if (exhibit.head.runtime != "oneDNN" || exhibit.head.interface != "C++" || one.invalid) return std::nullopt;
  const int version = NumberAt(exhibit.head.version);
  const std::string_view type = OneDnnType(one.dtype, version);
  const std::optional<std::string> call =
      one.op == "Max" ? OneDnnMax(one, version) : OneDnnReduceMax(one, version);
  if (!call || type.empty() || version < 2) return std::nullopt;
  return Program{".cc", "cpp", fmt::format("g++ -O2 {0}.cc -ldnnl -o {0} && ./{0}", exhibit.name),
                 CppBegin(exhibit, "#include <oneapi/dnnl/dnnl.hpp>\n", "void") +
                     "\nint main() {\n"
                     "  using Dims = dnnl::memory::dims;\n"
                     "  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);\n"
                     "  dnnl::stream stream(engine);\n" +
                     fmt::format("  const auto type = dnnl::memory::data_type::{};\n", type) +
                     CppTensors(one) + *call + "  stream.wait();\n  return Compare(y, expected);\n}\n"};
}

std::optional<Program> XnnpackProgram(const Exhibit& exhibit) {
  const AuditCase& one = exhibit.one;
  const bool binary = HasBinaryOperators(exhibit.head.version);
  const std::string_view type = XnnpackType(one.dtype, binary);
  if (exhibit.head.runtime != "XNNPACK" || exhibit.head.interface != "C++" || one.invalid ||
      one.op != "Max" || one.inputs.size() < 2 || type.empty())
    return std::nullopt;
  const auto dims = [](const Dims& shape) { return "Dims{" + ListOf(shape) + "}"; };
  std::string calls, last = "x0";
  Dims shape = one.inputs[0].shape;
  for (std::size_t m = 1; m < one.inputs.size(); ++m) {
    const std::vector<TensorBits> pair = {{shape, ""}, one.inputs[m]};
    const Dims both = *BroadcastOf(pair);
    const bool end = m + 1 == one.inputs.size();
    const std::string result = end ? "y" : fmt::format("y{}", m);
    if (!end) {
      const std::optional<std::int64_t> count = ElementCount(both);
      if (!count) return std::nullopt;
      calls += fmt::format("  Element* const {} = New(std::vector<Bits>({}));\n", result, *count);
    }
    calls += fmt::format("  Maximum({}, {}, x{}, {}, {});\n", last, dims(shape), m, dims(one.inputs[m].shape),
                         result);
    last = result;
    shape = both;
  }
  return Program{
      ".cc", "cpp", fmt::format("g++ -O2 {0}.cc -lXNNPACK -lpthreadpool -o {0} && ./{0}", exhibit.name),
      CppBegin(exhibit, "#include <xnnpack.h>\n", one.dtype == DType::kFloat32 ? "float" : "void") +
          MaximumOfTwo(type, binary) + "\nint main() {\n  Check(xnn_initialize(nullptr));\n" +
          CppTensors(one) + calls + "  return Compare(y, expected);\n}\n"};
}

}  // namespace supremum::cli
