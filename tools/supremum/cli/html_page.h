// A report as a page.
#ifndef SUPREMUM_TOOLS_CLI_HTML_PAGE_H_
#define SUPREMUM_TOOLS_CLI_HTML_PAGE_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace supremum::cli {

/// One HTML file that needs no other file and no network: `html` with its placeholders /*STYLE*/, /*REPORT*/
/// and /*SCRIPT*/ replaced. Texts of files and runners are embedded as data only, never as markup or script.
/// Requires: each placeholder occurs once, in this order.
std::string HtmlPage(std::string_view html, std::string_view style, const nlohmann::ordered_json& report,
                     std::string_view script);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_HTML_PAGE_H_
