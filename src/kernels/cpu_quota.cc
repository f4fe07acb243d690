#include "kernels/cpu_quota.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <initializer_list>

#ifdef __linux__
#include <fcntl.h>
#include <unistd.h>
#endif

namespace supremum {
namespace {

// A path in memory of its own: Run must not allocate. Empty once a part did not fit.
class Path {
 public:
  Path(std::initializer_list<std::string_view> parts) noexcept {
    std::size_t length = 0;
    for (const std::string_view part : parts) {
      if (part.size() >= text_.size() - length) {
        text_[0] = 0;
        return;
      }
      std::memcpy(text_.data() + length, part.data(), part.size());
      length += part.size();
    }
    text_[length] = 0;
  }
  const char* get() const noexcept { return text_.data(); }

 private:
  std::array<char, 1024> text_;
};

// The first number of `text`, which is then shortened; 0 for "max", -1 and what is no number.
std::uint64_t TakeNumber(std::string_view& text) noexcept {
  std::uint64_t number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end.ec != std::errc()) return 0;
  text.remove_prefix(std::min(text.size(), static_cast<std::size_t>(end.ptr - text.data()) + 1));
  return number;
}

// Files of a group that state its quota: both numbers in one, or one in each.
struct QuotaFiles {
  std::string_view quota, period;
};
constexpr QuotaFiles kVersion1{"/cpu.cfs_quota_us", "/cpu.cfs_period_us"}, kVersion2{"/cpu.max", ""};

// The processors of one group's quota; 0 if the group has no quota.
std::size_t OfGroup(std::string_view mount, std::string_view group, const QuotaFiles& files,
                    ReadQuotaFile read) noexcept {
  std::array<char, kQuotaBuffer> buffer;
  std::string_view text = read(Path{mount, group, files.quota}.get(), buffer.data());
  const std::uint64_t quota = TakeNumber(text);
  if (!files.period.empty()) text = read(Path{mount, group, files.period}.get(), buffer.data());
  const std::uint64_t period = TakeNumber(text);
  if (quota == 0 || period == 0) return 0;
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(quota / period, 1, SIZE_MAX));
}

// The least number of processors of a group and of the groups around it.
std::size_t OfGroups(std::string_view mount, std::string_view group, const QuotaFiles& files,
                     ReadQuotaFile read) noexcept {
  std::size_t least = 0;
  for (;;) {
    while (!group.empty() && group.back() == '/') group.remove_suffix(1);
    const std::size_t found = OfGroup(mount, group, files, read);
    if (found != 0) least = least == 0 ? found : std::min(least, found);
    if (group.empty()) return least;
    group = group.substr(0, group.rfind('/') + 1);
  }
}

// True if the comma-separated list names the controller.
bool Names(std::string_view list, std::string_view controller) noexcept {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (list.substr(0, comma) == controller) return true;
    list.remove_prefix(std::min(list.size(), comma + 1));
  }
  return false;
}

#ifdef __linux__
std::string_view ReadFile(const char* path, char* buffer) noexcept {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  std::size_t length = 0;
  while (length < kQuotaBuffer) {
    const ssize_t got = ::read(file, buffer + length, kQuotaBuffer - length);
    if (got <= 0) break;
    length += static_cast<std::size_t>(got);
  }
  close(file);
  return {buffer, length};
}
#endif

}  // namespace

std::size_t ProcessorsOfQuota(ReadQuotaFile read) noexcept {
  std::array<char, kQuotaBuffer> buffer;
  std::string_view groups = read("/proc/self/cgroup", buffer.data());
  std::size_t least = 0;
  // A line is HIERARCHY:CONTROLLERS:GROUP; version 2 has no controllers.
  while (!groups.empty()) {
    const std::size_t end = std::min(groups.find('\n'), groups.size());
    const std::string_view line = groups.substr(0, end);
    groups.remove_prefix(std::min(groups.size(), end + 1));
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const std::string_view group = line.substr(second + 1);
    const bool version_2 = controllers.empty();
    if (!version_2 && !Names(controllers, "cpu")) continue;
    for (const std::string_view mount :
         version_2 ? std::array<std::string_view, 2>{"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}
                   : std::array<std::string_view, 2>{"/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"}) {
      const std::size_t found = OfGroups(mount, group, version_2 ? kVersion2 : kVersion1, read);
      if (found != 0) least = least == 0 ? found : std::min(least, found);
    }
  }
  return least;
}

std::size_t ProcessorsOfQuota() noexcept {
#ifdef __linux__
  static const std::size_t processors = ProcessorsOfQuota(&ReadFile);
  return processors;
#else
  return 0;
#endif
}

}  // namespace supremum
