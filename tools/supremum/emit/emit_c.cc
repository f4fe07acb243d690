#include "emit/emit_c.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/output.h"
#include "core/quote.h"
#include "emit/c_text.h"
#include "emit/lanes.h"

namespace supremum::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostParameters = 127;  // of a function, in every C99 compiler (5.2.4.1)

// The array of a value.
struct Array {
  enum class Kind : std::uint8_t { kNone, kInput, kOutput, kWorkspace, kConstant };
  Kind kind = Kind::kNone;
  std::string name;
};

// One element of the program's interface.
struct Parameter {
  std::string name;
  std::size_t value;  // of the graph
  bool is_output;
};

std::string TypeOfValue(const StaticValue& value) {
  return fmt::format("{}{}", supremum::Name(value.dtype), ToString(value.shape));
}

std::string UpperCase(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

// How many elements are joined for each element of the output.
std::int64_t JoinedBy(const StaticNode& node) {
  if (node.of_nothing) return 0;
  auto joined = static_cast<std::int64_t>(node.inputs.size());
  for (const StaticLoop& loop : node.reduced_loops) joined *= loop.extent;
  return joined;
}

// The number of functions that are active at once, the entry included: entry, node, join_of, from_key,
// turn_back, select.
int CallDepth(DType dtype) { return IsFloat(dtype) ? 6 : 4; }

class Emitter {
 public:
  Emitter(const StaticGraph& graph, const EmitOptions& options)
      : graph_(graph),
        options_(options),
        arrays_(graph.values.size()),
        roots_(graph.values.size()),
        is_read_(graph.values.size()) {}

  Result<EmittedC> Emit() {
    ChooseArrays();
    if (auto ok = CheckSizes(); !ok) return std::move(ok).error();
    EmittedC emitted;
    emitted.header = Header();
    AddHead();
    AddConstants();
    AddElementFunctions();
    for (std::size_t k = 0; k < graph_.nodes.size(); ++k) AddNode(k);
    for (std::size_t k = 0; k < copies_.size(); ++k) AddCopy(k);
    AddEntry();
    emitted.source = source_.text();
    emitted.facts = Facts();
    return emitted;
  }

 private:
  const StaticValue& ValueOf(std::size_t number) const { return graph_.values[number]; }

  // Inputs, constants and outputs have arrays of their own; what an Identity makes is the array of its input;
  // all else is in the workspace.
  void ChooseArrays() {
    for (std::size_t value = 0; value < roots_.size(); ++value) roots_[value] = value;
    for (const StaticNode& node : graph_.nodes) {
      if (node.operation == StaticNode::Operation::kCopy) roots_[node.output] = roots_[node.inputs[0]];
    }
    for (std::size_t value : graph_.inputs) {
      arrays_[value] = {Array::Kind::kInput, Identifier("in_", ValueOf(value).name, &names_)};
      parameters_.push_back({arrays_[value].name, value, false});
    }
    for (std::size_t value = 0; value < arrays_.size(); ++value) {
      if (ValueOf(value).constant == nullptr || arrays_[value].kind != Array::Kind::kNone) continue;
      arrays_[value] = {Array::Kind::kConstant,
                        Identifier(options_.entry + "_constant_", ValueOf(value).name, &names_)};
    }
    for (std::size_t value : graph_.outputs) {
      Array& array = arrays_[roots_[value]];
      const std::string name = Identifier("out_", ValueOf(value).name, &names_);
      parameters_.push_back({name, value, true});
      if (array.kind == Array::Kind::kNone) {
        array = {Array::Kind::kOutput, name};
      } else if (ValueOf(value).elements > 0) {
        copies_.push_back({roots_[value], parameters_.size() - 1});
      }
    }
    for (const StaticNode& node : graph_.nodes) {
      Array& array = arrays_[node.output];
      if (array.kind != Array::Kind::kNone || roots_[node.output] != node.output) continue;
      array = {Array::Kind::kWorkspace, Identifier("work_", ValueOf(node.output).name, &names_)};
      if (ValueOf(node.output).elements > 0) workspace_.push_back(node.output);
    }
    // Axes are constants too, but no arrays of the program.
    for (const auto& [from, to] : copies_) is_read_[from] = true;
    for (const StaticNode& node : graph_.nodes) {
      if (!IsComputed(node)) continue;
      const DType dtype = ValueOf(node.output).dtype;
      computed_.insert(dtype);
      if (node.of_nothing) continue;
      joined_.insert(dtype);
      for (std::size_t input : node.inputs) {
        is_read_[roots_[input]] = true;
        if (arrays_[roots_[input]].kind != Array::Kind::kConstant) loaded_.insert(dtype);
      }
    }
  }

  Result<void> CheckSizes() {
    const std::size_t parameters = parameters_.size() + (workspace_.empty() ? 0 : 1);
    if (parameters > kMostParameters) {
      return MakeError(
          ErrorCode::kLimitExceeded,
          fmt::format("the function would have {} parameters, and C99 promises {}; make constants of "
                      "inputs, or emit nodes that `supremum extract` writes",
                      parameters, kMostParameters));
    }
    const auto refuse = [&](const std::string& who) {
      return MakeError(ErrorCode::kLimitExceeded, fmt::format("{}; no array exceeds 2^63 - 1 bytes", who));
    };
    const auto add = [&](std::size_t value, std::uint64_t* bytes) {
      constexpr std::uint64_t kMost = INT64_MAX;
      const std::uint64_t width = ByteWidth(ValueOf(value).dtype);
      const auto elements = static_cast<std::uint64_t>(ValueOf(value).elements);
      if (elements > kMost / width || *bytes > kMost - elements * width) return false;
      *bytes += elements * width;
      return true;
    };
    for (std::size_t value = 0; value < arrays_.size(); ++value) {
      if (arrays_[value].kind == Array::Kind::kNone) continue;
      std::uint64_t bytes = 0;
      if (!add(value, &bytes)) {
        return refuse(fmt::format("{} is {}", Quote(ValueOf(value).name), TypeOfValue(ValueOf(value))));
      }
      largest_bytes_ = std::max(largest_bytes_, bytes);
      if (arrays_[value].kind == Array::Kind::kConstant && is_read_[value]) constant_bytes_ += bytes;
    }
    for (std::size_t value : workspace_) {
      if (!add(value, &workspace_bytes_))
        return refuse("the workspace, of all values that are no outputs, is too large");
    }
    largest_bytes_ = std::max(largest_bytes_, workspace_bytes_);
    for (const StaticNode& node : graph_.nodes) {
      const std::int64_t elements = ValueOf(node.output).elements, joined = JoinedBy(node);
      if (joined <= 1 || elements <= INT64_MAX / joined) continue;
      return MakeError(ErrorCode::kLimitExceeded,
                       fmt::format("{} joins {} elements for each of {}, 2^63 or more", Describe(node.info),
                                   joined, elements));
    }
    return {};
  }

  std::string WorkspaceType() const { return options_.entry + "_workspace"; }

  // "const float in_a[6]"; an array without elements is never read or written.
  std::string Declared(const StaticValue& value, const std::string& name, bool is_const) const {
    const std::string_view type = TypesOf(value.dtype).array;
    if (value.elements == 0) return fmt::format("{}{} *{}", is_const ? "const " : "", type, name);
    return fmt::format("{}{} {}[{}]", is_const ? "const " : "", type, name, value.elements);
  }

  std::vector<std::string> EntryParameters() const {
    std::vector<std::string> declared;
    for (const Parameter& parameter : parameters_) {
      declared.push_back(Declared(ValueOf(parameter.value), parameter.name, !parameter.is_output));
    }
    if (!workspace_.empty()) declared.push_back(fmt::format("{} *workspace", WorkspaceType()));
    if (declared.empty()) declared.emplace_back("void");
    return declared;
  }

  // "void f(A,\n       B)".
  static std::string Signature(const std::string& head, const std::vector<std::string>& parameters) {
    const std::string indent(head.size() + 1, ' ');
    return fmt::format("{}({})", head, fmt::join(parameters, ",\n" + indent));
  }

  std::string Head(std::string_view file) const {
    return fmt::format(
        "/* {}: {}.\n"
        "   Written by supremum {} (emit-c); SHA-256 of the model:\n"
        "   {}\n"
        "   SPDX-License-Identifier: Apache-2.0 */\n",
        file, CommentText(options_.model), Version(), options_.sha256);
  }

  std::string Header() const {
    CText text;
    const std::string guard = UpperCase(options_.entry) + "_H";
    text.Add(Head(options_.entry + ".h"));
    text.Add(fmt::format("#ifndef {0}\n#define {0}\n\n#include <stdint.h>\n", guard));
    text.Add("#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    if (!workspace_.empty()) {
      text.Add("/* Values between nodes. Its content before and after a call has no meaning. */");
      text.Add(fmt::format("typedef struct {} {{", WorkspaceType()));
      for (std::size_t value : workspace_) {
        text.Add(fmt::format("  {};  /* {} */", Declared(ValueOf(value), arrays_[value].name, false),
                             CommentText(ValueOf(value).name)));
      }
      text.Add(fmt::format("}} {};\n", WorkspaceType()));
    }
    text.Add("/* Computes the outputs from the inputs. Every tensor is dense and row-major:");
    for (const Parameter& parameter : parameters_) {
      const StaticValue& value = ValueOf(parameter.value);
      text.Add(fmt::format("     {}: {} {}, {} {}", parameter.name, TypeOfValue(value),
                           CommentText(value.name), value.elements,
                           value.elements == 1 ? "element" : "elements"));
    }
    text.Add(
        "\n   A float is IEEE 754 in the byte order of integers; float16 and bfloat16 are their bits; a bool "
        "is a\n"
        "   byte, 0 or 1. The maximum is that of ONNX with the rules of supremum: a NaN absorbs and is "
        "written as\n"
        "   the canonical one, +0 is greater than -0, and the maximum of no elements is the least value\n"
        "   of the type, -inf for floats.\n\n"
        "   Requires: each pointer is to an array of that many elements (any pointer for none), aligned for "
        "its\n"
        "   type; no output and no workspace overlaps another array.\n"
        "   Ensures: every element of every output is written, once; nothing else is but the workspace. The\n"
        "   function has no state: calls with other outputs and workspaces may run at the same time. */");
    text.Add(Signature("void " + options_.entry, EntryParameters()) + ";\n");
    text.Add(fmt::format("#ifdef __cplusplus\n}}\n#endif\n\n#endif /* {} */", guard));
    return text.text();
  }

  bool IsComputed(const StaticNode& node) const {
    return node.operation != StaticNode::Operation::kCopy && ValueOf(node.output).elements > 0;
  }

  void AddHead() {
    source_.Add(Head(options_.entry + ".c"));
    source_.Add(
        "/* C99, and of its library <stddef.h> and <stdint.h> alone: no allocation, no recursion, no\n"
        "   division, and no branch but those of loops with constant bounds. The functions on elements are\n"
        "   extracted from the proofs of supremum: what is proved of them, what is assumed, and which lines\n"
        "   they are, is in");
    source_.Add(fmt::format("   {}.json, with the flow facts. The loops are made from the shapes.\n",
                            options_.entry));
    source_.Add(
        "   MISRA C:2012, deviations: Rule 8.9 (constants at file scope); in functions on elements Rule\n"
        "   10.1 (bit operations on signed integers), Rule 10.3 (a comparison is passed as an int) and Rule\n"
        "   12.3 (two variables in one declaration); Rule 19.2 (a union gives the bits of a float); Dir 4.6\n"
        "   (float and double are types of the interface). */\n");
    source_.Add(fmt::format("#include \"{}.h\"\n\n#include <stddef.h>\n", options_.entry));
    // Half of the address space is the limit of most compilers, and keeps all sums exact.
    source_.Add(fmt::format(
        "#if SIZE_MAX < {}U\n#error \"no array of this target has the bytes of the largest one\"\n#endif\n",
        2 * std::max<std::uint64_t>(largest_bytes_, 1)));
  }

  void AddConstants() {
    for (std::size_t value = 0; value < arrays_.size(); ++value) {
      if (arrays_[value].kind != Array::Kind::kConstant || !is_read_[value]) continue;
      const StaticValue& constant = ValueOf(value);
      source_.Add(fmt::format("/* {} {} */", TypeOfValue(constant), CommentText(constant.name)));
      source_.Add(fmt::format("static const {} {}[{}] = {{", TypesOf(constant.dtype).bits,
                              arrays_[value].name, constant.elements));
      const std::span<const std::byte> bytes = constant.constant->bytes();
      const std::size_t width = ByteWidth(constant.dtype);
      std::string line;
      for (std::size_t at = 0; at < bytes.size(); at += width) {
        const std::string literal = Literal(constant.dtype, bytes.data() + at);
        if (line.size() + literal.size() > 100) {
          source_.Add(line + ",");
          line.clear();
        }
        line += (line.empty() ? "  " : ", ") + literal;
      }
      source_.Add(line + "};\n");
    }
  }

  void AddElementFunctions() {
    for (const DType dtype : computed_) {
      const CTypes& types = TypesOf(dtype);
      const Lanes lanes = LanesOf(dtype);
      source_.Add(
          fmt::format("/* {}: extracted from the proofs, {}. */", supremum::Name(dtype), lanes.source));
      for (const Lanes::Function& function : lanes.functions) {
        if (!joined_.contains(dtype) && function.name != lanes.identity) continue;
        const int first = source_.lines() + 1;
        source_.Add(function.text);
        proofs_.push_back({{"function", function.name},
                           {"first_line", first},
                           {"last_line", source_.lines() - 1},
                           {function.is_assumed ? "assumption" : "theorem", function.specification},
                           {"source", lanes.source}});
      }
      if (!types.by_bits()) continue;
      source_.Add(
          fmt::format("/* A {0} as its bits. */\n"
                      "union bits_and_{0} {{\n  {0} value;\n  {1} bits;\n}};\n\n"
                      "typedef char {2}_{0}_has_{3}_bytes[(sizeof({0}) == {3}U) ? 1 : -1];\n",
                      types.array, types.bits, options_.entry, ByteWidth(dtype)));
      if (loaded_.contains(dtype)) {
        source_.Add(
            fmt::format("static inline {1} bits_of_{0}({0} value) {{\n"
                        "  union bits_and_{0} both;\n  both.value = value;\n  return both.bits;\n}}\n",
                        types.array, types.bits));
      }
      source_.Add(
          fmt::format("static inline {0} value_of_{0}({1} bits) {{\n"
                      "  union bits_and_{0} both;\n  both.bits = bits;\n  return both.value;\n}}\n",
                      types.array, types.bits));
    }
  }

  // The sum of the loops' indices times their steps: "(3U * i0) + i1".
  static std::string Index(std::span<const StaticLoop> loops, std::span<const StaticLoop> reduced,
                           std::optional<std::size_t> input) {
    std::string sum;
    const auto add = [&](std::int64_t step, char letter, std::size_t d) {
      if (step == 0) return;
      if (!sum.empty()) sum += " + ";
      sum += step == 1 ? fmt::format("{}{}", letter, d) : fmt::format("({} * {}{})", Size(step), letter, d);
    };
    const auto step_of = [&](const StaticLoop& loop) {
      return input ? loop.input_steps[*input] : loop.output_step;
    };
    for (std::size_t d = 0; d < loops.size(); ++d) add(step_of(loops[d]), 'i', d);
    for (std::size_t d = 0; d < reduced.size(); ++d) add(step_of(reduced[d]), 'j', d);
    return sum.empty() ? "0U" : sum;
  }

  // An element of a value, as its bits.
  std::string Load(std::size_t value, const std::string& index) const {
    const Array& array = arrays_[roots_[value]];
    const CTypes& types = TypesOf(ValueOf(value).dtype);
    const std::string element = fmt::format(
        "{}{}[{}]", array.kind == Array::Kind::kWorkspace ? "workspace->" : "", array.name, index);
    return types.by_bits() && array.kind != Array::Kind::kConstant
               ? fmt::format("bits_of_{}({})", types.array, element)
               : element;
  }

  std::string Store(std::size_t value, const std::string& index, const std::string& bits) const {
    const Array& array = arrays_[value];
    const CTypes& types = TypesOf(ValueOf(value).dtype);
    return fmt::format("{}{}[{}] = {};", array.kind == Array::Kind::kWorkspace ? "workspace->" : "",
                       array.name, index,
                       types.by_bits() ? fmt::format("value_of_{}({})", types.array, bits) : bits);
  }

  // The parameters of a node's function: the arrays that it uses, each once.
  struct Used {
    std::vector<std::string> declared, passed;
  };
  Used ArraysOf(const StaticNode& node) const {
    Used used;
    bool workspace = false;
    std::set<std::size_t> seen;
    const auto add = [&](std::size_t value, bool is_const) {
      if (!seen.insert(value).second) return;
      const Array& array = arrays_[value];
      if (array.kind == Array::Kind::kWorkspace) {
        workspace = true;
      } else if (array.kind != Array::Kind::kConstant) {
        used.declared.push_back(Declared(ValueOf(value), array.name, is_const));
        used.passed.push_back(array.name);
      }
    };
    if (!node.of_nothing) {
      for (std::size_t input : node.inputs) add(roots_[input], true);
    }
    add(node.output, false);
    if (workspace) {
      const bool writes = arrays_[node.output].kind == Array::Kind::kWorkspace;
      used.declared.push_back(fmt::format("{}{} *workspace", writes ? "" : "const ", WorkspaceType()));
      used.passed.emplace_back("workspace");
    }
    return used;
  }

  void AddCall(const std::string& function, const std::vector<std::string>& passed) {
    calls_.push_back(fmt::format("{}({});", function, fmt::join(passed, ", ")));
    passed_.insert(passed.begin(), passed.end());
  }

  // The facts of one function of the program; `node` is null if it computes none.
  void AddFacts(const std::string& name, Json node, int first_line, int last_line, Json loops,
                std::int64_t written, std::int64_t read, std::int64_t joins) {
    functions_.push_back({{"name", name},
                          {"node", std::move(node)},
                          {"first_line", first_line},
                          {"last_line", last_line},
                          {"loops", std::move(loops)},
                          {"elements_written", written},
                          {"elements_read", read},
                          {"calls_of_join", joins}});
  }

  void AddNode(std::size_t k) {
    const StaticNode& node = graph_.nodes[k];
    if (!IsComputed(node)) return;
    const std::string name = fmt::format("{}_node_{}", options_.entry, k);
    const StaticValue& output = ValueOf(node.output);
    const Lanes lanes = LanesOf(output.dtype);
    const std::int64_t joined = JoinedBy(node);

    std::vector<std::string> inputs;
    for (std::size_t input : node.inputs)
      inputs.push_back(
          fmt::format("{} {}", TypeOfValue(ValueOf(input)), CommentText(ValueOf(input).name, 40)));
    if (inputs.size() > 8) {
      inputs.resize(8);
      inputs.emplace_back(fmt::format("and {} more", node.inputs.size() - 8));
    }
    source_.Add(
        fmt::format("/* {}, {}:\n   {} {} = {}({})\n   Elements written: {}; joined for each of them: {}. */",
                    name, CommentText(Describe(node.info)), TypeOfValue(output), CommentText(output.name, 40),
                    node.info.op_type, fmt::join(inputs, ", "), output.elements, joined));
    const Used used = ArraysOf(node);
    const int first = source_.lines() + 1;
    Json stated = Json::array();
    source_.Add(Signature("static void " + name, used.declared) + " {");
    AddCall(name, used.passed);

    std::string indent = "  ";
    const auto open = [&](const StaticLoop& loop, char letter, std::size_t d) {
      source_.Add(fmt::format("{0}for (size_t {1}{2} = 0U; {1}{2} < {3}; ++{1}{2}) {{", indent, letter, d,
                              Size(loop.extent)));
      stated.push_back(
          {{"line", source_.lines()}, {"index", fmt::format("{}{}", letter, d)}, {"bound", loop.extent}});
      indent += "  ";
    };
    const auto close = [&] {
      indent.resize(indent.size() - 2);
      source_.Add(indent + "}");
    };
    for (std::size_t d = 0; d < node.loops.size(); ++d) open(node.loops[d], 'i', d);
    source_.Add(fmt::format("{}{} largest = {}();", indent, TypesOf(output.dtype).bits, lanes.identity));
    if (!node.of_nothing) {
      for (std::size_t d = 0; d < node.reduced_loops.size(); ++d) open(node.reduced_loops[d], 'j', d);
      for (std::size_t m = 0; m < node.inputs.size(); ++m) {
        source_.Add(fmt::format("{}largest = {}(largest, {});", indent, lanes.join,
                                Load(node.inputs[m], Index(node.loops, node.reduced_loops, m))));
      }
      for (std::size_t d = 0; d < node.reduced_loops.size(); ++d) close();
    }
    source_.Add(indent + Store(node.output, Index(node.loops, {}, std::nullopt), "largest"));
    for (std::size_t d = 0; d < node.loops.size(); ++d) close();
    source_.Add("}\n");
    AddFacts(name, Describe(node.info), first, source_.lines() - 1, std::move(stated), output.elements,
             output.elements * joined, output.elements * joined);
    depth_ = std::max(depth_, CallDepth(output.dtype));
  }

  // An output that has the elements of an input, a constant or another output. Its bytes are copied: a
  // processor may change a NaN that it loads as a float.
  void AddCopy(std::size_t k) {
    const auto& [from, to] = copies_[k];
    const Parameter& parameter = parameters_[to];
    const StaticValue& value = ValueOf(parameter.value);
    const Array& array = arrays_[from];
    const CTypes& types = TypesOf(value.dtype);
    const std::string name = fmt::format("{}_copy_{}", options_.entry, k);
    const std::int64_t count =
        types.by_bits() ? value.elements * static_cast<std::int64_t>(ByteWidth(value.dtype)) : value.elements;
    source_.Add(fmt::format("/* {}: the output {} has the elements of {}. */", name, CommentText(value.name),
                            CommentText(ValueOf(from).name)));
    std::vector<std::string> declared, passed;
    if (array.kind != Array::Kind::kConstant) {
      declared.push_back(Declared(ValueOf(from), array.name, true));
      passed.push_back(array.name);
    }
    declared.push_back(Declared(value, parameter.name, false));
    passed.push_back(parameter.name);
    const int first = source_.lines() + 1;
    source_.Add(Signature("static void " + name, declared) + " {");
    std::string source = array.name, target = parameter.name;
    if (types.by_bits()) {
      source_.Add(
          fmt::format("  const unsigned char *const from = (const unsigned char *){};\n"
                      "  unsigned char *const to = (unsigned char *){};",
                      source, target));
      source = "from";
      target = "to";
    }
    source_.Add(fmt::format("  for (size_t i0 = 0U; i0 < {}; ++i0) {{", Size(count)));
    const int line = source_.lines();
    source_.Add(fmt::format("    {}[i0] = {}[i0];\n  }}\n}}\n", target, source));
    AddCall(name, passed);
    AddFacts(name, nullptr, first, source_.lines() - 1,
             Json::array({{{"line", line}, {"index", "i0"}, {"bound", count}}}), value.elements,
             value.elements, 0);
    depth_ = std::max(depth_, 2);
  }

  void AddEntry() {
    const int first = source_.lines() + 1;
    source_.Add(Signature("void " + options_.entry, EntryParameters()) + " {");
    for (const Parameter& parameter : parameters_) {
      if (!passed_.contains(parameter.name)) source_.Add(fmt::format("  (void){};", parameter.name));
    }
    for (const std::string& call : calls_) source_.Add("  " + call);
    source_.Add("}");
    AddFacts(options_.entry, nullptr, first, source_.lines(), Json::array(), 0, 0, 0);
  }

  Json Facts() {
    Json facts = JsonHead("emit-c");
    facts["model"] = options_.model;
    facts["sha256"] = options_.sha256;
    facts["entry"] = options_.entry;
    facts["files"] = {options_.entry + ".h", options_.entry + ".c"};
    facts["parameters"] = Json::array();
    for (const Parameter& parameter : parameters_) {
      const StaticValue& value = ValueOf(parameter.value);
      facts["parameters"].push_back(
          {{"name", parameter.name},
           {"direction", parameter.is_output ? "out" : "in"},
           {"value", value.name},
           {"type", supremum::Name(value.dtype)},
           {"c_type", TypesOf(value.dtype).array},
           {"shape", std::vector<std::int64_t>(value.shape.begin(), value.shape.end())},
           {"elements", value.elements},
           {"bytes", value.elements * static_cast<std::int64_t>(ByteWidth(value.dtype))}});
    }
    facts["memory"] = {{"workspace_bytes", workspace_bytes_}, {"constant_bytes", constant_bytes_}};
    facts["call_depth"] = depth_;
    facts["functions"] = std::move(functions_);
    facts["proofs"] = std::move(proofs_);
    return facts;
  }

  const StaticGraph& graph_;
  const EmitOptions& options_;
  std::set<std::string> names_;
  std::vector<Array> arrays_;                   // by value; those of roots are used
  std::vector<std::size_t> roots_;              // by value: itself, or what Identities copy
  std::vector<bool> is_read_;                   // by value
  std::set<DType> computed_, joined_, loaded_;  // by nodes: of outputs, by Join, from arrays of callers
  std::set<std::string> passed_;                // the entry's parameters that it uses
  std::vector<Parameter> parameters_;           // of the entry, without the workspace
  std::vector<std::size_t> workspace_;          // values
  std::vector<std::pair<std::size_t, std::size_t>> copies_;  // from a value to a parameter
  std::vector<std::string> calls_;                           // of the entry
  CText source_;
  Json functions_ = Json::array();
  Json proofs_ = Json::array();
  std::uint64_t largest_bytes_ = 0;
  std::uint64_t workspace_bytes_ = 0;
  std::uint64_t constant_bytes_ = 0;
  int depth_ = 1;
};

}  // namespace

bool IsEntryName(const std::string& name) {
  if (!IsFunctionName(name)) return false;
  constexpr std::string_view kPrefixes[] = {"in_",    "out_", "work_", "bits_",
                                            "value_", "int",  "uint",  "size_t"};
  constexpr std::string_view kNames[] = {"largest", "workspace", "from", "to", "both", "bits", "value"};
  if (std::ranges::any_of(kPrefixes, [&](std::string_view prefix) { return name.starts_with(prefix); }))
    return false;
  if (std::ranges::find(kNames, name) != std::end(kNames)) return false;
  const bool is_index =
      (name[0] == 'i' || name[0] == 'j') && name.find_first_not_of("0123456789", 1) == name.npos;
  if (is_index) return false;
  return std::ranges::none_of(kAllDTypes, [&](DType dtype) {
    const Lanes lanes = LanesOf(dtype);
    return std::ranges::find(lanes.functions, name, &Lanes::Function::name) != lanes.functions.end();
  });
}

Result<EmittedC> EmitC(const StaticGraph& graph, const EmitOptions& options) {
  return Emitter(graph, options).Emit();
}

}  // namespace supremum::cli
