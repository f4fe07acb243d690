#include "cli/staged_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/folder_errors.h"
#include "cli/output.h"
#include "core/never_destroyed.h"
#include "io/files/open_folder.h"
#include "io/files/output_files.h"

namespace supremum::cli {
namespace {

namespace fs = std::filesystem;

/// The file or folder of that name, without following a link.
std::optional<FoundFile> Find(const fs::path& path, mode_t* permissions = nullptr) {
  struct stat status = {};
  if (::lstat(path.c_str(), &status) != 0) return std::nullopt;
  if (permissions != nullptr) *permissions = status.st_mode & 07777;
  return FoundFile{io::IdentityOf(status), S_ISDIR(status.st_mode)};
}

bool IsStill(const FoundFile& found, const fs::path& path) {
  const std::optional<FoundFile> now = Find(path);
  if (!now || now->is_folder != found.is_folder) return false;
  if (!found.is_folder) return now->identity == found.identity;
  return now->identity.device == found.identity.device && now->identity.inode == found.identity.inode;
}

/// The unfinished folders, as they were created.
class Staged {
 public:
  static Staged& Instance() {
    static NeverDestroyed<Staged> instance;
    return *instance;
  }
  std::mutex mutex;
  std::map<fs::path, FoundFile> folders;
};

/// Removes an unfinished folder, but no other one that has its name now.
void Remove(const fs::path& path, const FoundFile& created, std::error_code& error) {
  error.clear();
  if (IsStill(created, path)) fs::remove_all(path, error);
}

fs::path Beside(const fs::path& target, std::string_view purpose, int attempt) {
  fs::path path = target;
  path += fmt::format(".{}-{}-{}", purpose, ::getpid(), attempt);
  return path;
}

/// Exchanges two names atomically. Returns 0 or the error number; ENOSYS if the system cannot.
int Exchange(const fs::path& a, const fs::path& b) {
#ifdef RENAME_EXCHANGE
  return ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0 ? 0 : errno;
#else
  static_cast<void>(a);
  static_cast<void>(b);
  return ENOSYS;
#endif
}

/// Renames, if no file has the new name. Returns 0 or the error number.
int RenameToFree(const fs::path& from, const fs::path& to) {
#ifdef RENAME_NOREPLACE
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
#endif
  struct stat status = {};
  if (::lstat(to.c_str(), &status) == 0) return EEXIST;
  return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

bool IsFolder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(fs::symlink_status(path, ignored));
}

/// The names in a folder; incomplete if the folder cannot be read.
std::vector<fs::path> NamesIn(const fs::path& folder) {
  std::vector<fs::path> names;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    names.push_back(entry->path().filename());
  }
  return names;
}

/// Moves the content of `from` to `to`, except for names that `to` has too. Adds the files that stay to
/// `staying`. Returns true if anything was moved or removed.
bool MoveInto(const fs::path& from, const fs::path& to, std::vector<fs::path>* staying) {
  bool moved = false;
  for (const fs::path& name : NamesIn(from)) {
    if (RenameToFree(from / name, to / name) == 0) {
      moved = true;
      continue;
    }
    if (!IsFolder(from / name) || !IsFolder(to / name)) {
      staying->push_back(from / name);
      continue;
    }
    moved |= MoveInto(from / name, to / name, staying);
    moved |= ::rmdir((from / name).c_str()) == 0;
  }
  return moved;
}

/// The PID after `prefix` in "made.new-PID-N"; nullopt for other names.
std::optional<pid_t> ProcessOf(const std::string& name, const std::string& prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  pid_t pid = 0;
  int attempt = 0;
  const char* const end = name.data() + name.size();
  const auto [dash, bad_pid] = std::from_chars(name.data() + prefix.size(), end, pid);
  if (bad_pid != std::errc() || dash == end || *dash != '-' || pid <= 0) return std::nullopt;
  const auto [rest, bad_attempt] = std::from_chars(dash + 1, end, attempt);
  return bad_attempt == std::errc() && rest == end ? std::optional(pid) : std::nullopt;
}

/// Prints what killed runs have left beside the target. It is not removed, since the old folder may be the
/// only copy.
void PrintLeftovers(const fs::path& target) {
  const std::string own = target.filename().string();
  for (const fs::path& beside : NamesIn(target.has_parent_path() ? target.parent_path() : fs::path("."))) {
    const std::string name = beside.string();
    for (const std::string_view purpose : {"new", "old"}) {
      const std::optional<pid_t> pid = ProcessOf(name, fmt::format("{}.{}-", own, purpose));
      if (!pid || ::kill(*pid, 0) == 0 || errno != ESRCH) continue;
      PrintError(fmt::format(
          "'{}' was left by a run that was killed{}", (target.parent_path() / name).string(),
          purpose == "old"
              ? fmt::format(": it is the previous '{}'; move it back, or remove it", target.string())
              : "; remove it if it has no files that you need"));
    }
  }
}

}  // namespace

Result<StagedFolder> StagedFolder::Create(const std::string& target) {
  fs::path path = target;
  // Without a trailing slash, so that Beside() appends to the name.
  if (!path.has_filename() && path.has_relative_path()) path = path.parent_path();
  PrintLeftovers(path);
  const std::lock_guard lock(Staged::Instance().mutex);
  for (int attempt = 0;; ++attempt) {
    const fs::path staged = Beside(path, "new", attempt);
    FoundFile& created = Staged::Instance().folders[staged];  // before mkdir, since the allocation may fail
    if (::mkdir(staged.c_str(), 0777) == 0) {
      created = Find(staged).value_or(FoundFile{});
      return StagedFolder(std::move(path), staged, created);
    }
    const std::error_code error(errno, std::generic_category());
    Staged::Instance().folders.erase(staged);
    if (error.value() != EEXIST) return CannotCreateFolder(staged, error);
  }
}

StagedFolder::StagedFolder(fs::path target, fs::path staged, const FoundFile& created)
    : target_(std::move(target)), staged_(std::move(staged)), created_(created) {}

StagedFolder::StagedFolder(StagedFolder&& other) noexcept
    : target_(std::move(other.target_)),
      staged_(std::exchange(other.staged_, fs::path())),
      created_(other.created_) {}

StagedFolder::~StagedFolder() {
  if (staged_.empty()) return;
  std::error_code ignored;
  const std::lock_guard lock(Staged::Instance().mutex);
  Remove(staged_, created_, ignored);
  Staged::Instance().folders.erase(staged_);
}

void DiscardStagedFolders() noexcept {
  std::error_code error;
  // Never unlocked: other threads that use a staged folder block until the process ends.
  Staged::Instance().mutex.lock();
  for (const auto& [path, created] : Staged::Instance().folders) {
    try {
      // Repeated, since a thread without the mutex may still create a file in a folder that is being removed.
      for (int attempt = 0; attempt < 100; ++attempt) {
        Remove(path, created, error);
        if (!error) break;
      }
    } catch (const std::bad_alloc&) {
      // To remove a folder, it is listed, which takes memory.
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
  const int descriptor = io::OpenRetrying(AT_FDCWD, staged_.string(), O_RDONLY | O_DIRECTORY);
  int error = descriptor < 0 ? errno : 0;
  if (descriptor >= 0) {
    do {
      error = ::syncfs(descriptor) == 0 ? 0 : errno;
    } while (error == EINTR);
    ::close(descriptor);
  }
  if (error != 0) return CannotCreateFolder(target_, std::error_code(error, std::generic_category()));
  return {};
}

Result<void> StagedFolder::Commit(const FoundFolder& found) {
  const auto failed = [&](int error) {
    return CannotCreateFolder(target_, std::error_code(error, std::generic_category()));
  };
  const auto is_other = [&] {
    return MakeError(ErrorCode::kIo,
                     fmt::format("the folder {} was replaced by another one meanwhile, and was not "
                                 "changed; try again",
                                 target_.string()));
  };
  const auto forget = [&] {
    const std::lock_guard lock(Staged::Instance().mutex);
    Staged::Instance().folders.erase(staged_);
    return std::exchange(staged_, fs::path());
  };
  const auto unfinished_is_other = [&] {
    return MakeError(ErrorCode::kIo,
                     fmt::format("the unfinished folder '{}' was moved or replaced by another one meanwhile, "
                                 "and {} was not changed; try again",
                                 staged_.string(), target_.string()));
  };
  if (!IsStill(created_, staged_)) return unfinished_is_other();
  if (found.exists && ::chmod(staged_.c_str(), found.permissions) != 0) return failed(errno);
  int error = found.exists ? Exchange(staged_, target_) : ENOENT;
  if (error == 0 && (!IsStill(found.self, staged_) || !IsStill(created_, target_))) {
    const bool other_target = !IsStill(found.self, staged_);
    error = Exchange(staged_, target_);
    if (error == 0) return other_target ? is_other() : unfinished_is_other();
    forget();  // the other folder has this name now, and must not be removed
    return failed(error);
  }
  fs::path old;
  if (error == 0) {
    old = forget();
  } else if (error == ENOENT) {
    // rename() fails if the target is a folder that has files.
    if (::rename(staged_.c_str(), target_.c_str()) != 0) return failed(errno);
    if (!IsStill(created_, target_)) {
      RenameToFree(target_, staged_);
      return unfinished_is_other();
    }
    forget();
  } else if (error == EINVAL || error == ENOSYS) {
    if (!IsStill(found.self, target_)) return is_other();
    for (int attempt = 0; error != 0; ++attempt) {
      old = Beside(target_, "old", attempt);
      error = RenameToFree(target_, old);
      if (error != 0 && error != EEXIST) return failed(error);
    }
    const bool other_target = !IsStill(found.self, old);
    if (!other_target) error = ::rename(staged_.c_str(), target_.c_str()) == 0 ? 0 : errno;
    const bool other_staged = !other_target && error == 0 && !IsStill(created_, target_);
    if (other_staged) RenameToFree(target_, staged_);
    if (other_target || other_staged || error != 0) {
      if (RenameToFree(old, target_) == 0) {
        return other_target ? is_other() : other_staged ? unfinished_is_other() : failed(error);
      }
      return MakeError(
          ErrorCode::kIo,
          fmt::format("the folder {} was replaced by another one meanwhile; the previous folder is "
                      "now '{}'",
                      target_.string(), old.string()));
    }
    forget();
  } else {
    return failed(error);
  }
  const std::string beside = target_.parent_path().string();
  const auto folder = io::OpenFolder::Open(beside.empty() ? beside : beside + "/");
  if (folder != nullptr) io::SyncFolder(*folder);
  if (!old.empty()) RemoveOld(old, found);
  return {};
}

void StagedFolder::RemoveOld(const fs::path& old, const FoundFolder& found) const {
  // In reverse, so that the content of a folder is removed before the folder.
  for (auto file = found.files.rbegin(); file != found.files.rend(); ++file) {
    const fs::path path = old / file->first;
    if (!IsStill(file->second, path)) continue;
    if (file->second.is_folder) {
      ::rmdir(path.c_str());
    } else {
      ::unlink(path.c_str());
    }
  }
  std::vector<fs::path> staying;
  while (staying.empty()) {
    // What has its name by now may be a link, or a folder of somebody else.
    if (IsStill(found.self, old) && ::rmdir(old.c_str()) == 0) return;
    if (!IsStill(found.self, old)) {
      PrintError(fmt::format("the previous folder '{}' was moved or removed while '{}' was replaced",
                             old.string(), target_.string()));
      return;
    }
    if (!MoveInto(old, target_, &staying) && staying.empty()) staying.push_back(old);
  }
  PrintError(
      fmt::format("'{}' was created or changed while '{}' was replaced, and is kept; move or remove it",
                  staying.front().string(), target_.string()));
}

Result<FoundFolder> FindReplaceable(std::string_view shown, const fs::path& target, bool force,
                                    std::string_view whole,
                                    const std::function<bool(const fs::path&)>& is_ours) {
  const auto invalid = [&](const std::string& details) {
    return MakeError(ErrorCode::kInvalidArgument, fmt::format("{}: {}", shown, details));
  };
  FoundFolder found;
  std::error_code error;
  if (target.filename() == "." || target.filename() == "..") {
    return invalid("a folder cannot be replaced by the names '.' and '..'; write its own name");
  }
  // A slash at the end would follow a link.
  const fs::path path = target.has_filename() || !target.has_relative_path() ? target : target.parent_path();
  const std::optional<FoundFile> self = Find(path, &found.permissions);
  if (!self) return found;
  if (!self->is_folder) {
    return invalid("this name exists and is not a folder; name another folder");
  }
  found.exists = true;
  found.self = *self;
  for (auto entry = fs::recursive_directory_iterator(path, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (!force) return invalid("the folder has files; name another folder, or add --force to replace them");
    fs::path relative = entry->path().lexically_relative(path);
    if (is_ours(relative)) {
      if (const std::optional<FoundFile> file = Find(entry->path())) {
        found.files.emplace(std::move(relative), *file);
      }
      continue;
    }
    return invalid(fmt::format("'{}' is not a file of {}, and --force would remove it; name another folder",
                               relative.string(), whole));
  }
  if (!error) return found;
  return CannotListFolder(target, error);
}

}  // namespace supremum::cli
