// What an answer is worth.
#ifndef SUPREMUM_TOOLS_AUDIT_JUDGE_H_
#define SUPREMUM_TOOLS_AUDIT_JUDGE_H_

#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "audit_cases.h"
#include "audit_runner.h"

namespace supremum::cli {

/// How a verdict counts.
enum class Score { kPassed, kFailed, kUnsupported, kUnanswered, kNotAsked };
inline constexpr std::size_t kCountedScores = 4;  ///< all but kNotAsked, which is counted nowhere

/// A verdict, as one letter: report.json has a text of them for each runner.
struct VerdictInfo {
  char letter;
  Score score;
  bool has_result;  ///< there was a tensor to compare
  std::string_view text;
  /// The rules that it breaks, separated by a blank; "": the first of the case.
  std::string_view rules;
};

// A difference is laid to the rule that it breaks: the sign of a zero alone to ORD-2, the bits of a NaN alone
// to ORD-4, a number in the place of a NaN to ORD-3, anything else to the case's first rule.
inline constexpr std::array<VerdictInfo, 14> kVerdicts = {{
    {'p', Score::kPassed, true, "passed", ""},
    {'z', Score::kFailed, true, "the zero of the other sign", "ORD-2"},
    {'y', Score::kFailed, true, "a NaN of other bits", "ORD-4"},
    {'b', Score::kFailed, true, "zeros of the other sign and NaNs of other bits", "ORD-2 ORD-4"},
    {'l', Score::kFailed, true, "a NaN is lost", "ORD-3"},
    {'i', Score::kFailed, true, "a finite number in place of an infinity", ""},
    {'w', Score::kFailed, true, "another number", ""},
    {'s', Score::kFailed, true, "another shape", ""},
    {'e', Score::kFailed, false, "an error", ""},
    {'c', Score::kFailed, false, "a crash, or no end", ""},
    {'a', Score::kFailed, false, "an invalid model is accepted", ""},
    {'u', Score::kUnsupported, false, "unsupported", ""},
    {'n', Score::kUnanswered, false, "no answer", ""},
    {'-', Score::kNotAsked, false, "not asked", ""},
}};

/// The line of a letter. Requires: there is one.
const VerdictInfo& InfoOf(char letter);

/// The letter for a runner's answer to a case. A model that must be refused and gets no answer is of a kind
/// that the runtime does not read. `own`: to supremum, whose checker has the profile, a model that only the
/// profile refuses is invalid like any other; of other runtimes that is not asked.
char Judge(const AuditCase& one, const Answer& answer, bool own);

/// The rules of `one` that the verdict breaks; none if it passed or was not judged.
std::vector<std::string> BrokenRules(const AuditCase& one, char letter);

/// passed, failed, unsupported, unanswered
using Counts = std::array<std::size_t, kCountedScores>;

/// The answers of one runner, judged.
struct JudgedRun {
  const RunnerRun* run = nullptr;
  std::string letters;  ///< one for each case
  Counts counts{};      ///< of cases
  /// For each rule, the cases that it is tested by. Of a failed case the rules that are broken count as
  /// failed; the others count as passed if there was a result to compare, and not at all otherwise.
  std::map<std::string, Counts> rules;

  /// Nothing but passed cases, and not a word that was no answer.
  bool AllPassed() const;
};

JudgedRun JudgeRun(const RunnerRun& run, const AuditCases& cases);

/// Cases in which a runner breaks the same rule of the same operator in the same way.
struct Deviation {
  std::size_t run = 0;  ///< index of the JudgedRun
  std::string rule;
  std::string op;  ///< "Max", "ReduceMax", or "" for models
  char letter = 'w';
  std::vector<std::size_t> cases;  ///< ascending
  std::size_t smallest = 0;        ///< of these the one with the fewest elements
};

/// All of them: by runner, rule, operator, kind.
std::vector<Deviation> Deviations(std::span<const JudgedRun> runs, const AuditCases& cases);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_AUDIT_JUDGE_H_
