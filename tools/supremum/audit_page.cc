#include "audit_page.h"

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "embedded.h"

namespace supremum::cli {
namespace {

/// JSON inside a script element: without '<' nothing in it can end the element or begin a comment.
std::string Inlined(const nlohmann::ordered_json& json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string AuditPage(const nlohmann::ordered_json& report) {
  const std::pair<std::string_view, std::string> kParts[] = {{"/*STYLE*/", std::string(kAuditPageStyle)},
                                                             {"/*REPORT*/", Inlined(report)},
                                                             {"/*SCRIPT*/", std::string(kAuditPageScript)}};
  std::string_view rest = kAuditPageHtml;
  std::string page;
  // The places stand in this order, once each.
  for (const auto& [place, part] : kParts) {
    const std::size_t at = rest.find(place);
    page.append(rest.substr(0, at)).append(part);
    rest.remove_prefix(at + place.size());
  }
  return page.append(rest);
}

}  // namespace supremum::cli
