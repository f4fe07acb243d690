#include "io/files/temporaries.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <random>

#include "core/never_destroyed.h"

namespace supremum::io {
namespace {

constexpr std::size_t kRandomDigits = 16;

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

std::string NewTemporaryName() { return ".supremum-" + RandomDigits() + ".tmp"; }

int RenameOpen(const FolderEntry& entry, int descriptor, const std::string& to) {
  if (!entry.Means(descriptor)) return ENOENT;
  const int folder = entry.folder->descriptor();
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

void Temporaries::Remove(const FolderEntry& entry) noexcept {
  const std::lock_guard lock(mutex_);
  const auto made = made_.find(entry);
  if (made == made_.end()) return;
  RemoveIfItIs(entry, made->second);
  made_.erase(made);
}

int Temporaries::Rename(const FolderEntry& entry, int descriptor, const std::string& to) noexcept {
  const std::lock_guard lock(mutex_);
  const int error = RenameOpen(entry, descriptor, to);
  if (error == 0) made_.erase(entry);
  return error;
}

void Temporaries::RemoveAllForTheEnd() noexcept {
  mutex_.lock();
  for (const auto& [entry, id] : made_) RemoveIfItIs(entry, id);
}

int CreateTemporary(const std::shared_ptr<const OpenFolder>& folder, FolderEntry* entry) {
  int descriptor = -1;
  do {
    *entry = {folder, NewTemporaryName()};
    descriptor = Temporaries::Instance().Create(*entry);
  } while (descriptor < 0 && errno == EEXIST);
  return descriptor;
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
