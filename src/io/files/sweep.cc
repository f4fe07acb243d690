#include "io/files/sweep.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/never_destroyed.h"
#include "io/files/temporaries.h"

namespace supremum::io {
namespace {

// Listing this many names takes about 30 ms (ext4, cached); names beyond are not examined.
constexpr int kMostNames = 65'536;

struct CloseListing {
  void operator()(DIR* listing) const { static_cast<void>(::closedir(listing)); }
};

bool Exists(const std::shared_ptr<const OpenFolder>& folder, std::string_view name) {
  struct stat status = {};
  return FolderEntry{folder, std::string(name)}.Examine(&status);
}

// True if a file of that name can be left over from a process that ended. Most names are not of this form.
bool MayBeLeft(const std::shared_ptr<const OpenFolder>& folder, const std::string& name) {
  constexpr std::string_view kPartial = ".partial", kState = ".state";
  if (!name.starts_with(".supremum-")) return false;
  if (IsTemporaryName(name)) return true;
  if (name.ends_with(kPartial)) return !Exists(folder, name + std::string(kState));
  const std::string_view file = std::string_view(name).substr(0, name.size() - kState.size());
  return name.ends_with(kState) && file.ends_with(kPartial) && !Exists(folder, file);
}

bool IsUnfinishedFile(const FolderEntry& entry, const struct stat& status) {
  if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid() || status.st_nlink != 1) return false;
  // A temporary file gets its final permissions just before its final name, so its mode is not checked. A
  // file under one of the other names may be a copy that a person made; a copy does not have the mode of an
  // unfinished file.
  return IsTemporaryName(entry.name) || (status.st_mode & 07777) == 0600;
}

void RemoveIfLeft(const FolderEntry& entry) {
  struct stat status = {};
  // Examined before it is opened, since opening a device may have an effect.
  if (!entry.Examine(&status) || !IsUnfinishedFile(entry, status)) return;
  const int descriptor = entry.Open(O_RDWR);
  if (descriptor < 0) return;
  if (::fstat(descriptor, &status) == 0 && IsUnfinishedFile(entry, status) &&
      LockNamed(entry, descriptor) == Locked::kYes && MayBeLeft(entry.folder, entry.name)) {
    ::unlinkat(entry.folder->descriptor(), entry.name.c_str(), 0);
  }
  ::close(descriptor);
}

}  // namespace

void Sweep(const std::shared_ptr<const OpenFolder>& folder) {
  const int descriptor = folder->OpenForReading();
  if (descriptor < 0) return;
  const std::unique_ptr<DIR, CloseListing> listing(::fdopendir(descriptor));
  if (listing == nullptr) {
    ::close(descriptor);
    return;
  }
  std::vector<std::string> names;
  for (int i = 0; i < kMostNames; ++i) {
    const dirent* const found = ::readdir(listing.get());
    if (found == nullptr) break;
    if (std::string_view(found->d_name).starts_with(".supremum-")) names.emplace_back(found->d_name);
  }
  for (const std::string& name : names) {
    if (MayBeLeft(folder, name)) RemoveIfLeft({folder, name});
  }
}

void SweepOnce(const std::shared_ptr<const OpenFolder>& folder) {
  static std::mutex mutex;
  static NeverDestroyed<std::set<std::pair<dev_t, ino_t>>> swept;
  struct stat status = {};
  if (::fstat(folder->descriptor(), &status) != 0) return;
  {
    const std::lock_guard lock(mutex);
    if (!(*swept).emplace(status.st_dev, status.st_ino).second) return;
  }
  Sweep(folder);
}

}  // namespace supremum::io
