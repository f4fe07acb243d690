// The texts of the rules.
#ifndef SUPREMUM_KIT_AUDIT_RULES_H_
#define SUPREMUM_KIT_AUDIT_RULES_H_

#include <string>
#include <string_view>
#include <vector>

namespace supremum::cli {

/// Whose rule it is, the least first that another runtime need not follow.
enum class RuleOrigin {
  kProject,  ///< none of the documents decides the point
  kSonnx,    ///< the SONNX profile
  kOnnx,     ///< ONNX or oneDNN
};

/// "supremum", "SONNX", "ONNX".
std::string_view ToString(RuleOrigin origin);

struct RuleText {
  std::string id;    ///< "ORD-2"
  std::string text;  ///< plain, without Markdown's marks
  RuleOrigin origin = RuleOrigin::kSonnx;
};

/// The rules of docs/semantics.md, in its order.
const std::vector<RuleText>& Rules();

/// The text of a rule; "" if there is no such rule.
std::string_view TextOfRule(std::string_view id);

/// kProject if there is no such rule.
RuleOrigin OriginOfRule(std::string_view id);

}  // namespace supremum::cli

#endif  // SUPREMUM_KIT_AUDIT_RULES_H_
