#include "cli/html_page.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "cli/escape.h"

namespace supremum::cli {

std::string HtmlPage(std::string_view html, std::string_view style, const nlohmann::ordered_json& report,
                     std::string_view script) {
  const std::pair<std::string_view, std::string> parts[] = {{"/*STYLE*/", std::string(style)},
                                                            {"/*REPORT*/", JsonInHtml(report)},
                                                            {"/*SCRIPT*/", std::string(script)}};
  std::string page;
  for (const auto& [place, part] : parts) {
    const std::size_t at = html.find(place);
    page.append(html.substr(0, at)).append(part);
    html.remove_prefix(at + place.size());
  }
  return page.append(html);
}

}  // namespace supremum::cli
