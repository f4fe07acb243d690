// The rules that a judgement or a finding can name, and the code of the error that a violated one becomes.
#ifndef SUPREMUM_SRC_RULES_RULE_H_
#define SUPREMUM_SRC_RULES_RULE_H_

#include <array>
#include <cstddef>
#include <string_view>

#include "supremum/result.h"

namespace supremum {

struct RuleEntry {
  RuleId rule;
  ErrorCode code;
};

/// Every rule that a judgement or a finding can name. "ONNX": what ONNX itself asks of a node.
inline constexpr std::array<RuleEntry, 17> kCheckedRules = {{
    {"ONNX", ErrorCode::kMalformedFile},
    {"MAX-1", ErrorCode::kInputCount},
    {"TYP-2", ErrorCode::kTypeMismatch},
    {"TYP-3", ErrorCode::kTypeNotAdmitted},
    {"TYP-4", ErrorCode::kTypeNotAdmitted},
    {"PRO-1", ErrorCode::kSparseTensor},
    {"PRO-2", ErrorCode::kShapeNotExplicit},
    {"PRO-3", ErrorCode::kTypeNotExplicit},
    {"PRO-4", ErrorCode::kDefaultedAttribute},
    {"PRO-6", ErrorCode::kBroadcastRefused},
    {"BRO-4", ErrorCode::kRank},
    {"RED-2", ErrorCode::kAxis},
    {"RED-5", ErrorCode::kAxis},
    {"BRO-2", ErrorCode::kNotBroadcastable},
    {"MAX-3", ErrorCode::kNotBroadcastable},
    {"PRO-5", ErrorCode::kOutputShapeMismatch},
    {"E2", ErrorCode::kOutputShapeMismatch},
}};

/// One of kCheckedRules. Another name does not compile, so that every finding has a code.
class CheckedRule {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): findings name their rule as a literal
  consteval CheckedRule(const char* name) : index_(IndexOf(name)) {}

  constexpr std::string_view name() const { return kCheckedRules[index_].rule.text(); }

  friend constexpr bool operator==(CheckedRule, CheckedRule) = default;

 private:
  static consteval std::size_t IndexOf(std::string_view name) {
    std::size_t index = 0;
    while (kCheckedRules[index].rule.text() != name)
      ++index;  // beyond the table it is no constant, and an error
    return index;
  }

  std::size_t index_;
};

/// The entry of the rule that a finding names; that of "ONNX" for a name that is none of kCheckedRules, which
/// no finding of this library has.
constexpr const RuleEntry& EntryOf(std::string_view name) {
  for (const RuleEntry& entry : kCheckedRules) {
    if (entry.rule.text() == name) return entry;
  }
  return kCheckedRules.front();
}

}  // namespace supremum

#endif  // SUPREMUM_SRC_RULES_RULE_H_
