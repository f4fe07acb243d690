// The report as a page.
#ifndef SUPREMUM_KIT_AUDIT_PAGE_H_
#define SUPREMUM_KIT_AUDIT_PAGE_H_

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace supremum::cli {

/// One HTML file that needs no other file and no network; `report` is the result of AuditJson. Texts of
/// runners are embedded as data only, never as markup or script.
std::string AuditPage(const nlohmann::ordered_json& report);

}  // namespace supremum::cli

#endif  // SUPREMUM_KIT_AUDIT_PAGE_H_
