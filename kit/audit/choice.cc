// Selection of conformance cases.
#include <fmt/format.h>
#include <fnmatch.h>

#include <nlohmann/json.hpp>
#include <system_error>

#include "audit/cases.h"
#include "io/files/atomic_file.h"
#include "io/files/file_bytes.h"

namespace supremum::cli {
namespace {

namespace fs = std::filesystem;

Result<void> WriteChosen(const fs::path& from, const std::set<std::string>& ids, const fs::path& to) {
  const Result<std::vector<std::byte>> bytes = io::ReadFileBytes(from.string(), INT64_MAX);
  if (!bytes) return bytes.error();
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  // ReadAuditCases has checked that it is JSON of bounded depth with a list of objects.
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(text);
  nlohmann::ordered_json chosen = nlohmann::ordered_json::array();
  for (nlohmann::ordered_json& one : json.at("cases")) {
    if (ids.contains(one.at("id").get<std::string>())) chosen.push_back(std::move(one));
  }
  json["cases"] = std::move(chosen);
  return io::WriteFileAtomically(to.string(), json.dump());
}

}  // namespace

bool NamesCase(const std::string& wanted, const std::string& id) {
  if (wanted.find_first_of("*?[") == std::string::npos) return id == wanted;
  return id == wanted || ::fnmatch(wanted.c_str(), id.c_str(), 0) == 0;
}

Result<std::set<std::string>> ChooseCases(const AuditCases& cases, const std::vector<std::string>& wanted) {
  std::set<std::string> ids;
  for (const std::string& text : wanted) {
    bool found = false;
    for (const AuditCase& one : cases.all) {
      const bool fits = NamesCase(text, one.id);
      if (fits) ids.insert(one.id);
      found = found || fits;
    }
    if (!found) {
      return MakeError(
          ErrorCode::kInvalidArgument,
          fmt::format("--case '{}': there is no such case; ids are GROUP/NAME/TYPE, and '*' matches "
                      "any text",
                      text));
    }
  }
  return ids;
}

Result<void> WriteChosenCases(const fs::path& whole, const std::set<std::string>& ids,
                              const fs::path& folder) {
  for (const char* name : {"cases.json", "invalid.json"}) {
    if (Result<void> written = WriteChosen(whole / name, ids, folder / name); !written) return written;
  }
  // The files of cases stand in folders; runners find those that the lists name.
  std::error_code error;
  fs::directory_iterator entry(whole, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const fs::path link = folder / entry->path().filename();
    if (fs::exists(link, error)) continue;
    if (!error) fs::create_directory_symlink(fs::absolute(entry->path()), link, error);
    if (error)
      return MakeError(ErrorCode::kIo,
                       fmt::format("cannot create the link {}: {}", link.string(), error.message()));
  }
  if (error)
    return MakeError(ErrorCode::kIo, fmt::format("cannot list {}: {}", whole.string(), error.message()));
  return {};
}

}  // namespace supremum::cli
