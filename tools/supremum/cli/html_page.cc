#include "audit/page.h"

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "cli/embedded.h"
#include "cli/escape.h"

namespace supremum::cli {
std::string AuditPage(const nlohmann::ordered_json& report) {
  const std::pair<std::string_view, std::string> kParts[] = {{"/*STYLE*/", std::string(kAuditPageStyle)},
                                                             {"/*REPORT*/", JsonInHtml(report)},
                                                             {"/*SCRIPT*/", std::string(kAuditPageScript)}};
  std::string_view rest = kAuditPageHtml;
  std::string page;
  // The placeholders occur in this order, once each.
  for (const auto& [place, part] : kParts) {
    const std::size_t at = rest.find(place);
    page.append(rest.substr(0, at)).append(part);
    rest.remove_prefix(at + place.size());
  }
  return page.append(rest);
}

}  // namespace supremum::cli
