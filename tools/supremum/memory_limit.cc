#include "memory_limit.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace supremum::cli {
namespace {

// For code that is loaded when it first runs, stacks of threads, plans and texts.
constexpr std::int64_t kBesides = std::int64_t{12} << 20;

std::int64_t PageSize() { return std::max<std::int64_t>(::sysconf(_SC_PAGESIZE), 4096); }

}  // namespace

std::int64_t DefaultMemory() {
  std::int64_t memory = std::max<std::int64_t>(::sysconf(_SC_PHYS_PAGES), 1) * PageSize();
  std::ifstream group("/sys/fs/cgroup/memory.max");
  if (std::int64_t allowed = 0; group >> allowed && allowed > 0) memory = std::min(memory, allowed);
  return memory / 4;
}

std::int64_t OwnMemory() {
  std::ifstream pages("/proc/self/statm");
  std::int64_t all = 0, resident = 0;
  if (!(pages >> all >> resident)) resident = (std::int64_t{16} << 20) / PageSize();
  return resident * PageSize() + kBesides;
}

}  // namespace supremum::cli
