#include "cli/made_folders.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>

#include "core/never_destroyed.h"

namespace supremum::cli {
namespace {

namespace fs = std::filesystem;

/// The created folders of every MadeFolders, in the order of creation.
struct All {
  std::mutex mutex;
  std::vector<fs::path> paths;

  static All& Instance() {
    static NeverDestroyed<All> instance;
    return *instance;
  }
};

}  // namespace

std::error_code MadeFolders::Make(const fs::path& folder) {
  std::vector<fs::path> missing;
  std::error_code error;
  // A slash at the end names the same folder.
  fs::path path = folder.has_filename() ? folder : folder.parent_path();
  for (; !path.empty() && !fs::exists(path, error) && !error; path = path.parent_path()) {
    missing.push_back(path);
    if (path == path.parent_path()) break;
  }
  if (error) return error;
  const std::lock_guard lock(All::Instance().mutex);
  for (auto next = missing.rbegin(); next != missing.rend(); ++next) {
    All::Instance().paths.push_back(*next);  // before mkdir, since the allocation may fail
    if (::mkdir(next->c_str(), 0777) == 0) {
      made_.push_back(*next);
      continue;
    }
    const std::error_code failed(errno, std::generic_category());
    All::Instance().paths.pop_back();
    if (failed.value() != EEXIST) return failed;
  }
  if (fs::is_directory(folder, error)) return {};
  return error ? error : std::error_code(ENOTDIR, std::generic_category());
}

void MadeFolders::Keep() {
  const std::lock_guard lock(All::Instance().mutex);
  for (const fs::path& path : made_) std::erase(All::Instance().paths, path);
  made_.clear();
}

MadeFolders::~MadeFolders() {
  const std::lock_guard lock(All::Instance().mutex);
  for (auto next = made_.rbegin(); next != made_.rend(); ++next) {
    ::rmdir(next->c_str());
    std::erase(All::Instance().paths, *next);
  }
}

void DiscardMadeFolders() noexcept {
  All::Instance().mutex.lock();
  std::vector<fs::path>& paths = All::Instance().paths;
  for (auto next = paths.rbegin(); next != paths.rend(); ++next) ::rmdir(next->c_str());
}

}  // namespace supremum::cli
