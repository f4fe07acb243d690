// The report as a page.
#ifndef SUPREMUM_TOOLS_AUDIT_PAGE_H_
#define SUPREMUM_TOOLS_AUDIT_PAGE_H_

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace supremum::cli {

/// One HTML file that needs no other and no network; `report` is what AuditJson makes. Whatever runners said
/// stands in it as data alone.
std::string AuditPage(const nlohmann::ordered_json& report);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_AUDIT_PAGE_H_
