#include "audit/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/element.h"
#include "cli/output.h"
#include "cli/terminal.h"

namespace supremum::cli {
namespace {

/// The most characters of a text in a cell.
constexpr std::size_t kMostInCell = 160;

}  // namespace

std::string CodeCell(std::string_view text) { return MarkdownCode(Shortened(Printable(text), kMostInCell)); }

std::string TextCell(std::string_view text) { return MarkdownText(Shortened(Printable(text), kMostInCell)); }

std::string TensorCell(DType dtype, const TensorBits& bits) {
  const Result<Tensor> tensor = TensorOf(dtype, bits);
  if (!tensor) return CodeCell("bits " + bits.bits);
  std::string text = ToString(tensor->shape());
  for (std::int64_t i = 0; i < std::min(tensor->size(), kShownInCell); ++i) {
    const ElementText element = TextOf(*tensor, i);
    text += fmt::format("{} {} ({})", i == 0 ? "" : ",", element.value, element.bits);
  }
  return text + (tensor->size() > kShownInCell ? ", ..." : "");
}

std::string AnswerCell(const AuditCase& one, const Answer& answer) {
  if (answer.kind == Answer::kResult) return TensorCell(one.dtype, answer.result);
  return answer.kind == Answer::kAccepted ? "accepted" : CodeCell(answer.text);
}

std::string TypesCell(const Audit& audit, std::span<const std::size_t> cases) {
  std::map<DType, std::size_t> types;
  for (std::size_t i : cases) {
    if (!audit.cases.all[i].invalid) ++types[audit.cases.all[i].dtype];
  }
  std::string text;
  for (const auto& [dtype, count] : types)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", Name(dtype), count);
  return text;
}

}  // namespace supremum::cli
