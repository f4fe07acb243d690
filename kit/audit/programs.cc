#include "audit/programs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "audit/program_parts.h"
#include "cli/element.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "supremum/broadcast.h"

namespace supremum::cli {
namespace {

constexpr std::size_t kMostInComment = 100;
constexpr std::int64_t kMostValues = 8;
constexpr std::size_t kLineOfElements = 88;  // characters

/// The digits of each element, the most significant first.
std::vector<std::string> DigitsOf(DType dtype, const TensorBits& tensor) {
  const std::size_t digits = 2 * ByteWidth(dtype);
  std::vector<std::string> elements;
  for (std::size_t i = 0; i + digits <= tensor.bits.size(); i += digits)
    elements.push_back(tensor.bits.substr(i, digits));
  return elements;
}

/// Words as lines of about kLineOfElements characters.
std::vector<std::string> LinesOf(const std::vector<std::string>& words, std::string_view between) {
  std::vector<std::string> lines;
  for (const std::string& word : words) {
    if (lines.empty() || lines.back().size() + between.size() + word.size() > kLineOfElements) {
      lines.push_back(word);
    } else {
      lines.back().append(between).append(word);
    }
  }
  return lines;
}

bool OfKit(const AuditCase& one) {
  return one.op == "ReduceMax" ? one.inputs.size() == 1 && ReducedOf(one)
                               : one.op == "Max" && !one.inputs.empty() && BroadcastOf(one.inputs);
}

}  // namespace

std::string RemarkOf(const Exhibit& exhibit, std::string_view mark) {
  // A backslash would continue the comment in the next line.
  const auto plain = [](const std::string& text) {
    std::string shown = Shortened(Printable(text), kMostInComment);
    std::ranges::replace_if(
        shown, [](char c) { return c < ' ' || c > '~' || c == '\\'; }, '?');
    return shown;
  };
  const AuditCase& one = exhibit.one;
  return fmt::format("{0}{1} {2}, case {3}.\n{0}{4}\n", mark, exhibit.head.runtime,
                     plain(exhibit.head.version), plain(one.id), plain(one.reason));
}

std::string ValuesOf(DType dtype, const TensorBits& bits) {
  const Result<Tensor> tensor = TensorOf(dtype, bits);
  if (!tensor) return "";
  std::vector<std::string> values;
  for (std::int64_t i = 0; i < std::min(tensor->size(), kMostValues); ++i)
    values.push_back(TextOf(*tensor, i).value);
  if (tensor->size() > kMostValues) values.emplace_back("...");
  return values.empty() ? "no element" : fmt::format("{}", fmt::join(values, ", "));
}

std::string NumbersOf(DType dtype, const TensorBits& tensor, std::string_view indent) {
  std::vector<std::string> numbers = DigitsOf(dtype, tensor);
  for (std::string& number : numbers) number.insert(0, "0x");
  return fmt::format("{}", fmt::join(LinesOf(numbers, ", "), fmt::format(",\n{}", indent)));
}

std::string BytesOf(DType dtype, const TensorBits& tensor, std::string_view plus, std::string_view indent,
                    std::endian order) {
  std::vector<std::string> elements = DigitsOf(dtype, tensor);
  if (order == std::endian::little) {
    for (std::string& element : elements) {
      std::string turned;
      for (std::size_t i = element.size(); i > 0; i -= 2) turned += element.substr(i - 2, 2);
      element = turned;
    }
  }
  const std::vector<std::string> lines = LinesOf(elements, " ");
  if (lines.size() <= 1) return fmt::format("\"{}\"", lines.empty() ? "" : lines[0]);
  std::string text;
  for (const std::string& line : lines)
    text += fmt::format("{}\n{}\"{}\"", text.empty() ? "" : plus, indent, line);
  return text;
}

std::string ListOf(std::span<const std::int64_t> numbers) {
  return fmt::format("{}", fmt::join(numbers, ", "));
}

std::optional<std::vector<std::int64_t>> BroadcastOf(std::span<const TensorBits> inputs) {
  std::vector<DimsView> shapes;
  for (const TensorBits& input : inputs) shapes.emplace_back(input.shape);
  const Result<Shape> shape = BroadcastShapes(shapes);
  if (!shape) return std::nullopt;
  const DimsView extents = *shape;
  return std::vector<std::int64_t>(extents.begin(), extents.end());
}

std::optional<std::vector<bool>> ReducedOf(const AuditCase& one) {
  const auto rank = static_cast<std::int64_t>(one.inputs.at(0).shape.size());
  std::vector<bool> reduced(one.inputs[0].shape.size(), !one.axes);
  for (std::int64_t axis : one.axes.value_or(std::vector<std::int64_t>())) {
    if (axis < -rank || axis >= rank) return std::nullopt;
    reduced[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)] = true;
  }
  return reduced;
}

std::optional<Program> ProgramOf(const Exhibit& exhibit) {
  const AuditCase& one = exhibit.one;
  if (one.invalid ? one.needs_files : !OfKit(one)) return std::nullopt;
  for (const auto make : {PythonProgram, NodeProgram, EigenProgram, OneDnnProgram, XnnpackProgram}) {
    if (std::optional<Program> program = make(exhibit)) return program;
  }
  return std::nullopt;
}

}  // namespace supremum::cli
