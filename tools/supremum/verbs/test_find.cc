#include "verbs/test_find.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "cli/folder_errors.h"

namespace supremum::cli {
namespace {

namespace fs = std::filesystem;

bool IsFolder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool Exists(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// The entries of the folder, sorted.
Result<std::vector<fs::path>> List(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    // Entries of "." get no "./" prefix.
    const fs::path name = entry->path().filename();
    entries.push_back(folder == "." ? name : folder / name);
  }
  if (error) return CannotListFolder(folder, error);
  std::ranges::sort(entries);
  return entries;
}

/// STEM_0.pb, STEM_1.pb, ..., as many as there are files of that form. If a number is missing, reading that
/// file reports it.
std::vector<std::string> Numbered(const fs::path& folder, const std::vector<fs::path>& entries,
                                  const std::string& stem) {
  const auto count = std::ranges::count_if(entries, [&](const fs::path& entry) {
    const std::string name = entry.filename().string();
    return name.starts_with(stem + "_") && name.ends_with(".pb");
  });
  std::vector<std::string> files;
  for (std::ptrdiff_t i = 0; i < count; ++i)
    files.push_back((folder / fmt::format("{}_{}.pb", stem, i)).string());
  return files;
}

Result<TestCase> ReadCase(const fs::path& folder, std::vector<fs::path> entries) {
  TestCase test{folder.string(), (folder / "model.onnx").string(), {}};
  // test_data_set_10 comes after test_data_set_9.
  std::ranges::stable_sort(entries, {}, [](const fs::path& entry) { return entry.native().size(); });
  for (const fs::path& entry : entries) {
    const std::string name = entry.filename().string();
    if (!name.starts_with("test_data_set_") || !IsFolder(entry)) continue;
    const Result<std::vector<fs::path>> files = List(entry);
    if (!files) return files.error();
    test.data_sets.push_back({name, Numbered(entry, *files, "input"), Numbered(entry, *files, "output")});
    const fs::path refusal = entry / "refusal.txt";
    if (Exists(refusal)) test.data_sets.back().refusal = refusal.string();
  }
  return test;
}

/// `seen` has the canonical paths of the visited folders, which ends loops of symbolic links.
Result<void> Find(const fs::path& folder, std::set<fs::path>* seen, std::vector<TestCase>* found) {
  std::error_code error;
  const fs::path canonical = fs::canonical(folder, error);
  if (error) return CannotListFolder(folder, error);
  if (!seen->insert(canonical).second) return {};
  Result<std::vector<fs::path>> entries = List(folder);
  if (!entries) return entries.error();
  if (Exists(folder / "model.onnx")) {
    Result<TestCase> test = ReadCase(folder, *entries);
    if (!test) return test.error();
    found->push_back(std::move(*test));
  }
  for (const fs::path& entry : *entries) {
    if (!IsFolder(entry)) continue;
    if (Result<void> below = Find(entry, seen, found); !below) return below;
  }
  return {};
}

bool Fits(const std::string& pattern, const std::string& text) {
  return ::fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

}  // namespace

Result<std::vector<TestCase>> FindTestCases(const std::vector<std::string>& folders) {
  std::set<fs::path> seen;
  std::vector<TestCase> found;
  for (const std::string& folder : folders) {
    // Without its trailing slash, "cases/" names its cases as "cases" does.
    fs::path path = folder;
    if (!path.has_filename() && path.has_relative_path()) path = path.parent_path();
    if (Result<void> searched = Find(path, &seen, &found); !searched) return searched.error();
  }
  return found;
}

bool FitsFilter(const std::string& path, const std::string& filter) {
  if (filter.find_first_of("*?[") == std::string::npos) return path.find(filter) != std::string::npos;
  return Fits(filter, path) || Fits(filter, std::filesystem::path(path).filename().string());
}

}  // namespace supremum::cli
