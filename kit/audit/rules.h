// The texts of the rules.
#ifndef SUPREMUM_KIT_AUDIT_RULES_H_
#define SUPREMUM_KIT_AUDIT_RULES_H_

#include <string>
#include <string_view>
#include <vector>

namespace supremum::cli {

struct RuleText {
  std::string id;    ///< "ORD-2"
  std::string text;  ///< plain, without Markdown's marks
};

/// The rules of docs/semantics.md, in its order.
const std::vector<RuleText>& Rules();

/// The text of a rule; "" if there is no such rule.
std::string_view TextOfRule(std::string_view id);

}  // namespace supremum::cli

#endif  // SUPREMUM_KIT_AUDIT_RULES_H_
