#include "io/files/temporaries.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <new>
#include <random>
#include <string_view>

#include "core/never_destroyed.h"
#include "io/files/sweep.h"

namespace supremum::io {
namespace {

constexpr std::string_view kPrefix = ".supremum-";
constexpr std::string_view kSuffix = ".tmp";
constexpr std::size_t kRandomDigits = 16;

bool IsMadeOf(std::string_view text, std::string_view digits) {
  return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
}

std::uint32_t RandomNumber() {
  static std::atomic<std::uint32_t> counter = 0;
  try {
    return std::random_device()();
  } catch (const std::exception&) {
    // Without a source of randomness names can be guessed; they are still used only if no file has them.
    return static_cast<std::uint32_t>(std::chrono::steady_clock::now().time_since_epoch().count()) +
           counter++;
  }
}

std::string RandomDigits() {
  std::string text;
  for (std::uint32_t rest = 0; text.size() < kRandomDigits; rest >>= 4) {
    if (text.size() % 8 == 0) rest = RandomNumber();
    text += "0123456789abcdef"[rest & 15];
  }
  return text;
}

std::string NewTemporaryName() {
  return std::string(kPrefix) + std::to_string(::getpid()) + "-" + RandomDigits() + std::string(kSuffix);
}

// Renames atomically, and only if no file has the new name. A file system that does not support this is asked
// for the name first.
int RenameToNew(int folder, const char* from, const char* to) {
#ifdef RENAME_NOREPLACE
  if (::renameat2(folder, from, folder, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
#endif
  struct stat status = {};
  if (::fstatat(folder, to, &status, AT_SYMLINK_NOFOLLOW) == 0) return EEXIST;
  if (errno != ENOENT) return errno;
  return ::renameat(folder, from, folder, to) == 0 ? 0 : errno;
}

int RenameOpen(const FolderEntry& entry, int descriptor, const std::string& to, Temporaries::Target target) {
  if (!entry.Means(descriptor)) return ENOENT;
  const int folder = entry.folder->descriptor();
  if (target == Temporaries::Target::kMustBeNew) return RenameToNew(folder, entry.name.c_str(), to.c_str());
  return ::renameat(folder, entry.name.c_str(), folder, to.c_str()) == 0 ? 0 : errno;
}

void RemoveIfItIs(const FolderEntry& entry, const FileId& id) {
  struct stat status = {};
  if (!entry.Examine(&status) || IdOf(status) != id) return;
  ::unlinkat(entry.folder->descriptor(), entry.name.c_str(), 0);
}

}  // namespace

Temporaries& Temporaries::Instance() {
  static NeverDestroyed<Temporaries> instance;
  return *instance;
}

int Temporaries::Create(const FolderEntry& entry, mode_t mode) {
  const std::lock_guard lock(mutex_);
  const auto [made, added] = made_.try_emplace(entry);  // first, since it may throw std::bad_alloc
  const int descriptor = entry.Open(O_RDWR | O_CREAT | O_EXCL, mode);
  struct stat status = {};
  if (descriptor >= 0 && ::fstat(descriptor, &status) == 0) {
    made->second = IdOf(status);
    return descriptor;
  }
  const int reason = errno;
  if (descriptor >= 0) {
    ::unlinkat(entry.folder->descriptor(), entry.name.c_str(), 0);
    ::close(descriptor);
  }
  if (added) made_.erase(made);
  errno = reason;
  return -1;
}

void Temporaries::Adopt(const FolderEntry& entry, int descriptor) {
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0) return;
  const std::lock_guard lock(mutex_);
  made_[entry] = IdOf(status);
}

void Temporaries::Forget(const FolderEntry& entry) noexcept {
  const std::lock_guard lock(mutex_);
  made_.erase(entry);
}

void Temporaries::Remove(const FolderEntry& entry) noexcept {
  const std::lock_guard lock(mutex_);
  const auto made = made_.find(entry);
  if (made == made_.end()) return;
  RemoveIfItIs(entry, made->second);
  made_.erase(made);
}

int Temporaries::Rename(const FolderEntry& entry, int descriptor, const std::string& to,
                        Target target) noexcept {
  const std::lock_guard lock(mutex_);
  const int error = RenameOpen(entry, descriptor, to, target);
  if (error == 0) made_.erase(entry);
  return error;
}

int Temporaries::RenameAndKeep(const FolderEntry& entry, int descriptor, const std::string& to,
                               Target existing, const FolderEntry& kept, const std::string& target) {
  const std::lock_guard lock(mutex_);
  const auto [known, added] = kept_.try_emplace(kept, target);  // first, since it may throw std::bad_alloc
  const int error = RenameOpen(entry, descriptor, to, existing);
  if (error != 0) {
    if (added) kept_.erase(known);
    return error;
  }
  made_.erase(entry);
  made_.erase(kept);
  return 0;
}

void Temporaries::Keep(const FolderEntry& entry, const std::string& target) {
  const std::lock_guard lock(mutex_);
  kept_.try_emplace(entry, target);
  made_.erase(entry);
}

void Temporaries::ForgetKept(const FolderEntry& entry) noexcept {
  const std::lock_guard lock(mutex_);
  kept_.erase(entry);
}

std::vector<std::string> Temporaries::RemoveAllForTheEnd() noexcept {
  mutex_.lock();
  for (const auto& [entry, id] : made_) RemoveIfItIs(entry, id);
  std::vector<std::string> targets;
  try {
    for (const auto& [entry, target] : kept_) targets.push_back(target);
  } catch (const std::bad_alloc&) {
    // The files are kept; only the list of targets is incomplete.
  }
  return targets;
}

bool IsTemporaryName(const std::string& name) {
  std::string_view rest = name;
  if (!rest.starts_with(kPrefix) || !rest.ends_with(kSuffix)) return false;
  rest.remove_prefix(kPrefix.size());
  rest.remove_suffix(std::min(kSuffix.size(), rest.size()));
  const std::size_t dash = rest.find('-');
  return dash != std::string_view::npos && IsMadeOf(rest.substr(0, dash), "0123456789") &&
         rest.substr(dash + 1).size() == kRandomDigits && IsMadeOf(rest.substr(dash + 1), "0123456789abcdef");
}

Locked LockNamed(const FolderEntry& entry, int descriptor) {
  int locked = -1;
  do {
    locked = ::flock(descriptor, LOCK_EX | LOCK_NB);
  } while (locked != 0 && errno == EINTR);
  if (locked != 0) return errno == EWOULDBLOCK ? Locked::kByOther : Locked::kFailed;
  return entry.Means(descriptor) ? Locked::kYes : Locked::kGone;
}

int CreateTemporary(const std::shared_ptr<const OpenFolder>& folder, FolderEntry* entry) {
  SweepOnce(folder);
  // Another name is needed only if a process sweeps the folder between the creation and the lock.
  for (int attempt = 0; attempt < 100; ++attempt) {
    *entry = {folder, NewTemporaryName()};
    const int descriptor = Temporaries::Instance().Create(*entry);
    if (descriptor < 0 && errno == EEXIST) continue;
    if (descriptor < 0) return descriptor;
    const Locked locked = LockNamed(*entry, descriptor);
    // On a file system without locks, no other process can lock the file to remove it either.
    if (locked == Locked::kYes || locked == Locked::kFailed) return descriptor;
    Temporaries::Instance().Remove(*entry);
    ::close(descriptor);
  }
  errno = EEXIST;
  return -1;
}

int NewFilePermissions(const std::shared_ptr<const OpenFolder>& folder, mode_t* permissions) {
  const FolderEntry entry = {folder, NewTemporaryName()};
  const int descriptor = Temporaries::Instance().Create(entry, 0666);
  if (descriptor < 0) return errno;
  struct stat status = {};
  const int error = ::fstat(descriptor, &status) == 0 ? 0 : errno;
  Temporaries::Instance().Remove(entry);
  ::close(descriptor);
  *permissions = status.st_mode & 0777;
  return error;
}

}  // namespace supremum::io
