// Programs in C++: what they share, and Eigen, called as in kit/runners/eigen.cc.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "audit/program_parts.h"

namespace supremum::cli {
namespace {

/// Rows and columns of a shape of at most two dimensions.
struct Extents {
  explicit Extents(std::span<const std::int64_t> shape)
      : rows(shape.size() == 2 ? shape[0] : 1), columns(shape.empty() ? 1 : shape.back()) {}
  std::int64_t rows, columns;
};

std::int64_t CountOf(const AuditCase& one, const TensorBits& tensor) {
  return static_cast<std::int64_t>(tensor.bits.size() / (2 * ByteWidth(one.dtype)));
}

/// "Map(x0, 2, 3)"
std::string MapOf(std::string_view name, const Extents& extents) {
  return fmt::format("Map({}, {}, {})", name, extents.rows, extents.columns);
}

/// The lines that compute Max; nothing if Eigen cannot express it.
std::optional<std::string> EigenMax(const AuditCase& one) {
  const std::vector<std::int64_t> shape = *BroadcastOf(one.inputs);
  const bool equal = std::ranges::all_of(one.inputs, [&](const TensorBits& x) { return x.shape == shape; });
  if (one.inputs.size() < 2 || (!equal && shape.size() > 2)) return std::nullopt;
  // Inputs of equal shapes are one row of elements, whatever their rank.
  const std::array<std::int64_t, 1> row = {CountOf(one, one.inputs[0])};
  const Extents extents(equal ? std::span<const std::int64_t>(row) : shape);
  std::string text = fmt::format("  Map result = {};\n", MapOf("y", extents));
  for (std::size_t m = 0; m < one.inputs.size(); ++m) {
    const Extents own(equal ? std::span<const std::int64_t>(row) : one.inputs[m].shape);
    const std::int64_t down = own.rows == 1 ? extents.rows : 1,
                       across = own.columns == 1 ? extents.columns : 1;
    std::string input = MapOf(fmt::format("x{}", m), own);
    if (m == 0 || down != 1 || across != 1) input += fmt::format(".replicate({}, {})", down, across);
    text += fmt::format("  result = {};\n", m == 0 ? input : "result.max(" + input + ")");
  }
  return text;
}

/// The same for ReduceMax.
std::optional<std::string> EigenReduceMax(const AuditCase& one) {
  const std::vector<bool> reduced = *ReducedOf(one);
  const TensorBits& x = one.inputs[0];
  if (std::ranges::find(reduced, false) == reduced.end()) {
    const std::array<std::int64_t, 1> row = {CountOf(one, x)};
    return fmt::format("  *y = {}.maxCoeff();\n", MapOf("x0", Extents(row)));
  }
  if (reduced.size() != 2 || std::ranges::find(reduced, true) == reduced.end()) return std::nullopt;
  const Extents extents(x.shape);
  const std::string map = MapOf("x0", extents);
  if (reduced[1]) {
    return fmt::format(
        "  Eigen::Map<Eigen::Array<Element, Eigen::Dynamic, 1>>(y, {}) = {}.rowwise().maxCoeff();\n",
        extents.rows, map);
  }
  if (one.dtype == DType::kBool) return std::nullopt;  // it does not compile
  return fmt::format(
      "  Eigen::Map<Eigen::Array<Element, 1, Eigen::Dynamic>>(y, {}) = {}.colwise().maxCoeff();\n",
      extents.columns, map);
}

}  // namespace

std::string CppBegin(const Exhibit& exhibit, std::string_view includes, std::string_view type) {
  constexpr std::string_view kShared = R"(
// Memory with these elements, aligned to 64 bytes; 64 bytes behind them may be read, too.
Element* New(const std::vector<Bits>& bits) {
  const std::size_t size = (sizeof(Bits) * bits.size() / 64 + 2) * 64;
  void* const memory = std::memset(std::aligned_alloc(64, size), 0xA5, size);
  if (!bits.empty()) std::memcpy(memory, bits.data(), sizeof(Bits) * bits.size());
  return static_cast<Element*>(memory);
}

// Prints both; 0, the exit status, if the elements of y are the expected ones.
int Compare(const void* y, const std::vector<Bits>& expected) {
  bool equal = true;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    Bits bits;
    std::memcpy(&bits, static_cast<const Bits*>(y) + i, sizeof bits);
    std::printf("expected 0x%llx, result 0x%llx\n", (unsigned long long)expected[i], (unsigned long long)bits);
    equal = equal && bits == expected[i];
  }
  return equal ? 0 : 1;
}
)";
  return fmt::format(
      "// Exit status 0 if the result has the expected bits.\n{}{}"
      "#include <cstdint>\n#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <vector>\n\n"
      "using Element = {};\nusing Bits = std::uint{}_t;\n{}",
      RemarkOf(exhibit, "// "), includes, type, 8 * ByteWidth(exhibit.one.dtype), kShared);
}

std::string CppTensors(const AuditCase& one) {
  constexpr std::string_view kIndent = "      ";
  std::string text;
  for (std::size_t i = 0; i < one.inputs.size(); ++i) {
    text += fmt::format("  Element* const x{} = New({{{}}});  // {}\n", i,
                        NumbersOf(one.dtype, one.inputs[i], kIndent), ValuesOf(one.dtype, one.inputs[i]));
  }
  return text +
         fmt::format(
             "  const std::vector<Bits> expected = {{{}}};  // {}\n"
             "  Element* const y = New(std::vector<Bits>(expected.size(), Bits(0xA5A5A5A5A5A5A5A5)));\n",
             NumbersOf(one.dtype, one.output, kIndent), ValuesOf(one.dtype, one.output));
}

std::optional<Program> EigenProgram(const Exhibit& exhibit) {
  const AuditCase& one = exhibit.one;
  if (exhibit.head.runtime != "Eigen" || exhibit.head.interface != "C++" || one.invalid) return std::nullopt;
  constexpr std::array<std::string_view, 13> kTypes = {
      "Eigen::bfloat16", "Eigen::half",   "float",        "double",       "std::int8_t",
      "std::int16_t",    "std::int32_t",  "std::int64_t", "std::uint8_t", "std::uint16_t",
      "std::uint32_t",   "std::uint64_t", "bool"};
  const std::optional<std::string> call = one.op == "Max" ? EigenMax(one) : EigenReduceMax(one);
  if (!call) return std::nullopt;
  return Program{".cc", "cpp",
                 fmt::format("g++ -O2 -I/usr/include/eigen3 {0}.cc -o {0} && ./{0}", exhibit.name),
                 CppBegin(exhibit, "#include <Eigen/Core>\n", kTypes[static_cast<std::size_t>(one.dtype)]) +
                     "\nusing Map = Eigen::Map<Eigen::Array<Element, Eigen::Dynamic, Eigen::Dynamic, "
                     "Eigen::RowMajor>>;\n\n"
                     "int main() {\n" +
                     CppTensors(one) + *call + "  return Compare(y, expected);\n}\n"};
}

}  // namespace supremum::cli
