#include "staged_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

namespace supremum::cli {
namespace {

namespace fs = std::filesystem;

Error CannotCreate(const fs::path& target, const std::error_code& error) {
  return MakeError(ErrorCode::kIo, fmt::format("cannot create the folder {}: {}; check the name, the "
                                               "permissions and the space on the disk",
                                               target.string(), error.message()));
}

/// The folders that are being filled.
class Staged {
 public:
  static Staged& Instance() {
    // Never destroyed: a thread may ask for it while the program ends.
    static Staged& instance = *new Staged;
    return instance;
  }
  std::mutex mutex;
  std::set<fs::path> paths;
};

/// A path beside `target` that nothing has yet.
fs::path Beside(const fs::path& target, std::string_view purpose) {
  std::error_code ignored;
  for (int attempt = 0;; ++attempt) {
    fs::path path = target;
    path += fmt::format(".{}-{}-{}", purpose, ::getpid(), attempt);
    if (!fs::exists(fs::symlink_status(path, ignored))) return path;
  }
}

}  // namespace

Result<StagedFolder> StagedFolder::Create(const std::string& target) {
  fs::path path = target;
  // Without its trailing slash, so that what is put after the name stands beside it.
  if (!path.has_filename() && path.has_relative_path()) path = path.parent_path();
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (error) return CannotCreate(path.parent_path(), error);
  const fs::path staged = Beside(path, "new");
  const std::lock_guard lock(Staged::Instance().mutex);
  Staged::Instance().paths.insert(staged);
  if (!fs::create_directory(staged, error)) {
    Staged::Instance().paths.erase(staged);
    return CannotCreate(staged, error);
  }
  return StagedFolder(std::move(path), staged);
}

StagedFolder::StagedFolder(fs::path target, fs::path staged)
    : target_(std::move(target)), staged_(std::move(staged)) {}

StagedFolder::StagedFolder(StagedFolder&& other) noexcept
    : target_(std::move(other.target_)), staged_(std::exchange(other.staged_, fs::path())) {}

StagedFolder::~StagedFolder() {
  if (staged_.empty()) return;
  std::error_code ignored;
  const std::lock_guard lock(Staged::Instance().mutex);
  fs::remove_all(staged_, ignored);
  Staged::Instance().paths.erase(staged_);
}

void DiscardStagedFolders() noexcept {
  std::error_code error;
  // Whoever goes on with a folder waits here for the end.
  Staged::Instance().mutex.lock();
  for (const fs::path& path : Staged::Instance().paths) {
    // Until then it may put one more thing into a folder that is being emptied.
    for (int attempt = 0; attempt < 100; ++attempt) {
      fs::remove_all(path, error);
      if (!error) break;
    }
  }
}

std::error_code MakeFolders(const fs::path& folder) {
  std::error_code error;
  const std::lock_guard lock(Staged::Instance().mutex);
  fs::create_directories(folder, error);
  return error;
}

Result<void> StagedFolder::MakeDurable() {
  const int descriptor = ::open(staged_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool durable = descriptor >= 0 && ::syncfs(descriptor) == 0;
  const std::error_code error(errno, std::generic_category());
  if (descriptor >= 0) ::close(descriptor);
  if (!durable) return CannotCreate(target_, error);
  return {};
}

Result<void> StagedFolder::Commit(bool replace) {
  std::error_code error, ignored;
  const bool replaces = replace && fs::exists(target_, ignored);
  const fs::path old = Beside(target_, "old");
  if (replaces) fs::rename(target_, old, error);
  if (error) return CannotCreate(target_, error);
  // The system refuses to rename over a folder that has files.
  {
    const std::lock_guard lock(Staged::Instance().mutex);
    fs::rename(staged_, target_, error);
    if (!error) Staged::Instance().paths.erase(staged_);
  }
  if (error) {
    if (replaces) fs::rename(old, target_, ignored);
    return CannotCreate(target_, error);
  }
  staged_.clear();
  if (replaces) fs::remove_all(old, ignored);
  return {};
}

Result<void> CheckReplaceable(std::string_view shown, const fs::path& target, bool force,
                              std::string_view whole, const std::function<bool(const fs::path&)>& is_ours) {
  const auto invalid = [&](const std::string& details) {
    return MakeError(ErrorCode::kInvalidArgument, fmt::format("{}: {}", shown, details));
  };
  std::error_code error;
  const fs::file_status status = fs::symlink_status(target, error);
  if (!fs::exists(status)) return {};
  if (!fs::is_directory(status)) {
    return invalid("there is something of this name that is no folder; name another");
  }
  for (auto entry = fs::recursive_directory_iterator(target, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (!force) return invalid("the folder has files; name another, or add --force to replace them");
    const fs::path relative = entry->path().lexically_relative(target);
    if (is_ours(relative)) continue;
    return invalid(fmt::format("'{}' is no file of {}, and --force would remove it; name another folder",
                               relative.string(), whole));
  }
  if (!error) return {};
  return MakeError(ErrorCode::kIo,
                   fmt::format("cannot list the folder {}: {}", target.string(), error.message()));
}

}  // namespace supremum::cli
