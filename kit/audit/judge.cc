#include "audit/judge.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "cli/element.h"

namespace supremum::cli {
namespace {

/// The differences between elements, as bits of a set.
enum Difference : unsigned { kZeroSign = 1, kNaNBits = 2, kNaNLost = 4, kFinite = 8, kOther = 16 };

template <Element T>
unsigned DifferenceOf(T actual, T expected) {
  if (Bits(actual) == Bits(expected)) return 0;
  if constexpr (kIsFloat<T>) {
    const auto magnitude = [](T value) { return static_cast<BitsOf<T>>(Bits(value) & ~kSignBit<T>); };
    if (IsNaN(expected)) return IsNaN(actual) ? kNaNBits : kNaNLost;
    if (magnitude(actual) == 0 && magnitude(expected) == 0) return kZeroSign;
    if (magnitude(expected) == kInfinityBits<T> && magnitude(actual) < kInfinityBits<T>) return kFinite;
  }
  return kOther;
}

char LetterOf(unsigned differences) {
  switch (differences) {
    case 0:
      return 'p';
    case kZeroSign:
      return 'z';
    case kNaNBits:
      return 'y';
    case kZeroSign | kNaNBits:
      return 'b';
    default:
      break;
  }
  // The most severe difference decides: what ONNX does not permit, before a lost NaN.
  return (differences & kOther) != 0 ? 'w' : (differences & kFinite) != 0 ? 'i' : 'l';
}

char Compare(const AuditCase& one, const TensorBits& actual) {
  if (actual.shape != one.output.shape) return 's';
  const Result<Tensor> expected = TensorOf(one.dtype, one.output), given = TensorOf(one.dtype, actual);
  // Bits that do not match the shape, or that are not a valid bool.
  if (!expected || !given) return 'w';
  return VisitDType(one.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    unsigned differences = 0;
    for (std::size_t i = 0; i < expected->Elements<T>().size(); ++i)
      differences |= DifferenceOf(given->Elements<T>()[i], expected->Elements<T>()[i]);
    return LetterOf(differences);
  });
}

}  // namespace

const VerdictInfo& InfoOf(char letter) {
  for (const VerdictInfo& info : kVerdicts) {
    if (info.letter == letter) return info;
  }
  std::abort();
}

char Judge(const AuditCase& one, const Answer& answer, bool own) {
  if (one.OfProfile() && !own) return '-';
  switch (answer.kind) {
    case Answer::kNone:
      return one.invalid && answer.text.empty() ? '-' : 'n';
    case Answer::kResult:
      return Compare(one, answer.result);
    case Answer::kUnsupported:
      return 'u';
    case Answer::kFailed:
      return 'e';
    case Answer::kCrashed:
      return 'c';
    case Answer::kRefused:
      return 'p';
    case Answer::kAccepted:
      break;
  }
  return 'a';
}

std::vector<std::string> BrokenRules(const AuditCase& one, char letter) {
  const VerdictInfo& info = InfoOf(letter);
  if (info.score != Score::kFailed) return {};
  if (info.rules.empty()) return {one.rules.front()};
  std::vector<std::string> rules;
  for (std::string_view rest = info.rules; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    rules.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return rules;
}

RuleOrigin OriginOf(char letter, std::string_view rule) {
  const VerdictInfo& info = InfoOf(letter);
  return info.has_result && info.rules.empty() ? RuleOrigin::kOnnx : OriginOfRule(rule);
}

bool JudgedRun::NoneApplied() const { return run->status == RunnerRun::kRan && counts == Counts{}; }

bool JudgedRun::AllPassed() const {
  return run->status == RunnerRun::kRan && counts[0] > 0 && counts[1] == 0 && counts[2] == 0 &&
         counts[3] == 0 && run->stray_lines == 0;
}

JudgedRun JudgeRun(const RunnerRun& run, const AuditCases& cases) {
  JudgedRun judged;
  judged.run = &run;
  if (run.status != RunnerRun::kRan) {
    judged.letters.assign(cases.all.size(), '-');
    return judged;
  }
  for (std::size_t i = 0; i < cases.all.size(); ++i) {
    const AuditCase& one = cases.all[i];
    const char letter = Judge(one, run.answers[i], run.spec.IsOwn());
    judged.letters += letter;
    const VerdictInfo& info = InfoOf(letter);
    const Score score = info.score;
    if (score == Score::kNotAsked) continue;
    ++judged.counts[static_cast<std::size_t>(score)];
    const std::vector<std::string> broken = BrokenRules(one, letter);
    RuleOrigin origin = RuleOrigin::kProject;
    for (const std::string& rule : broken) {
      ++judged.rules[rule][static_cast<std::size_t>(Score::kFailed)];
      origin = std::max(origin, OriginOf(letter, rule));
    }
    if (!broken.empty()) ++judged.failed_by_origin[static_cast<std::size_t>(origin)];
    if (score == Score::kFailed && !info.has_result) continue;
    const Score others = score == Score::kFailed ? Score::kPassed : score;
    for (const std::string& rule : one.rules) {
      if (std::ranges::find(broken, rule) == broken.end())
        ++judged.rules[rule][static_cast<std::size_t>(others)];
    }
  }
  return judged;
}

std::vector<Deviation> Deviations(std::span<const JudgedRun> runs, const AuditCases& cases) {
  std::map<std::tuple<std::size_t, std::string, std::string, char>, Deviation> found;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (std::size_t i = 0; i < cases.all.size(); ++i) {
      const AuditCase& one = cases.all[i];
      const char letter = runs[r].letters[i];
      for (const std::string& rule : BrokenRules(one, letter)) {
        Deviation& deviation = found[{r, rule, one.op, letter}];
        if (deviation.cases.empty()) deviation = {r, rule, one.op, letter, {}, i};
        const AuditCase& smallest = cases.all[deviation.smallest];
        if (std::pair(one.ElementCount(), one.inputs.size()) <
            std::pair(smallest.ElementCount(), smallest.inputs.size()))
          deviation.smallest = i;
        deviation.cases.push_back(i);
      }
    }
  }
  std::vector<Deviation> all;
  for (auto& [key, deviation] : found) all.push_back(std::move(deviation));
  const auto place = [](const Deviation& one) {
    return std::pair(one.run, std::ranges::find(Rules(), one.rule, &RuleText::id));
  };
  std::ranges::stable_sort(all, {}, place);
  return all;
}

}  // namespace supremum::cli
