// The verdict on each answer of a runner.
#ifndef SUPREMUM_KIT_AUDIT_JUDGE_H_
#define SUPREMUM_KIT_AUDIT_JUDGE_H_

#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "audit/cases.h"
#include "audit/rules.h"
#include "audit/runner.h"

namespace supremum::cli {

/// How a verdict counts.
enum class Score { kPassed, kFailed, kUnsupported, kUnanswered, kNotAsked };
inline constexpr std::size_t kCountedScores = 4;  ///< all but kNotAsked, which is counted nowhere

/// A verdict as one letter; report.json has a string of letters for each runner.
struct VerdictInfo {
  char letter;
  Score score;
  bool has_result;  ///< there was a tensor to compare
  std::string_view text;
  /// The rules that it violates, separated by blanks; "": the first rule of the case.
  std::string_view rules;
};

// A difference only in the sign of zeros violates ORD-2, only in the bits of NaNs ORD-4; a number in place of
// a NaN violates ORD-3; any other difference, also beside these, violates the case's first rule.
inline constexpr std::array<VerdictInfo, 14> kVerdicts = {{
    {'p', Score::kPassed, true, "passed", ""},
    {'z', Score::kFailed, true, "wrong sign of zero", "ORD-2"},
    {'y', Score::kFailed, true, "wrong bits of NaN", "ORD-4"},
    {'b', Score::kFailed, true, "wrong sign of zero and wrong bits of NaN", "ORD-2 ORD-4"},
    {'l', Score::kFailed, true, "a number in place of NaN", "ORD-3"},
    {'i', Score::kFailed, true, "a finite number in place of an infinity", ""},
    {'w', Score::kFailed, true, "wrong value", ""},
    {'s', Score::kFailed, true, "wrong shape", ""},
    {'e', Score::kFailed, false, "error", ""},
    {'c', Score::kFailed, false, "crash or time limit", ""},
    {'a', Score::kFailed, false, "invalid model accepted", ""},
    {'u', Score::kUnsupported, false, "unsupported", ""},
    {'n', Score::kUnanswered, false, "no answer", ""},
    {'-', Score::kNotAsked, false, "not asked", ""},
}};

/// The entry of a letter. Requires: there is one.
const VerdictInfo& InfoOf(char letter);

/// The letter for a runner's answer to a case. No answer to a model that must be refused means that the
/// runtime does not read such models. `own`: supremum must refuse models that violate only the profile, since
/// its checker implements the profile; other runtimes are not asked.
char Judge(const AuditCase& one, const Answer& answer, bool own);

/// The rules of `one` that the verdict violates; none if it passed or was not asked.
std::vector<std::string> BrokenRules(const AuditCase& one, char letter);

/// passed, failed, unsupported, unanswered
using Counts = std::array<std::size_t, kCountedScores>;

/// What a failed case violates with this verdict, `rule` being one of BrokenRules. ONNX decides the shape of
/// a result and every element, but not the sign of a zero, whether NaN wins, and the bits of a NaN: any other
/// difference is kOnnx, whatever rule the case tests. Without a result it is the origin of `rule`.
RuleOrigin OriginOf(char letter, std::string_view rule);

/// The verdicts on the answers of one runner.
struct JudgedRun {
  const RunnerRun* run = nullptr;
  std::string letters;  ///< one for each case
  Counts counts{};      ///< of cases
  /// Of the failed cases, those that violate supremum alone, the SONNX profile, and ONNX or oneDNN, by
  /// OriginOf; a case counts once, for the last of these.
  std::array<std::size_t, 3> failed_by_origin{};
  /// For each rule, the counts of the cases that test it. Of a failed case, the violated rules count as
  /// failed; the others count as passed if there was a result to compare, and are not counted otherwise.
  std::map<std::string, Counts> rules;

  /// True if no case counts: all are models that the runner does not read, or that only supremum must refuse.
  bool NoneApplied() const;

  /// True if all cases passed and every line was an answer.
  bool AllPassed() const;
};

JudgedRun JudgeRun(const RunnerRun& run, const AuditCases& cases);

/// Cases in which a runner violates the same rule of the same operator in the same way.
struct Deviation {
  std::size_t run = 0;  ///< index of the JudgedRun
  std::string rule;
  std::string op;  ///< "Max", "ReduceMax", or "" for models
  char letter = 'w';
  std::vector<std::size_t> cases;  ///< ascending
  std::size_t smallest = 0;        ///< the one of them with the fewest elements
};

/// All deviations, by runner, rule, operator and letter.
std::vector<Deviation> Deviations(std::span<const JudgedRun> runs, const AuditCases& cases);

}  // namespace supremum::cli

#endif  // SUPREMUM_KIT_AUDIT_JUDGE_H_
