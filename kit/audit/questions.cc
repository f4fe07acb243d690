#include "audit/questions.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cli/element.h"

namespace supremum::cli {
namespace {

// The cases in which runtimes are known to differ.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kAsked = {{
    {"Max(+0; -0)", "max_neighbours/zero_minus_zero/float32"},
    {"Max(-0; +0)", "max_neighbours/minus_zero_zero/float32"},
    {"Max(NaN; 1)", "max_nan_pairs/quiet_then_one/float32"},
    {"Max(1; NaN)", "max_nan_pairs/one_then_quiet/float32"},
    {"ReduceMax(+0, -0)", "reduce_neighbours/zero_minus_zero/float32"},
    {"ReduceMax(-0, +0)", "reduce_neighbours/minus_zero_zero/float32"},
    {"ReduceMax(0, NaN, 2, ..., 19)", "reduce_nan_position/zero_nan_two_to_nineteen/float32"},
    {"ReduceMax(-inf, -inf)", "reduce_least/all_least_2/float32"},
    {"ReduceMax()", "reduce_empty/0_axes_0_keepdims_0/float32"},
}};

std::string FirstElement(const AuditCase& one, const TensorBits& bits) {
  const Result<Tensor> tensor = TensorOf(one.dtype, bits);
  if (!tensor || tensor->size() == 0) return "no number";
  const ElementText text = TextOf(*tensor, 0);
  return text.value == "0" ? "+0" : text.value;
}

}  // namespace

std::vector<Question> Questions(const AuditCases& cases) {
  std::vector<Question> questions;
  for (const auto& [text, id] : kAsked) {
    const auto found = std::ranges::find(cases.all, id, &AuditCase::id);
    if (found == cases.all.end() || found->invalid) continue;
    questions.push_back(
        {text, static_cast<std::size_t>(found - cases.all.begin()), FirstElement(*found, found->output)});
  }
  return questions;
}

std::string ShortAnswer(const Audit& audit, std::size_t run, const Question& question) {
  const Answer& answer = audit.runs[run].answers[question.index];
  switch (answer.kind) {
    case Answer::kResult:
      return FirstElement(audit.cases.all[question.index], answer.result);
    case Answer::kUnsupported:
      return "unsupported";
    case Answer::kCrashed:
      return "crash";
    case Answer::kNone:
      return "no answer";
    default:
      return "error";
  }
}

}  // namespace supremum::cli
