#include "cli/memory_limit.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace supremum::cli {
namespace {

std::int64_t PageSize() { return std::max<std::int64_t>(::sysconf(_SC_PAGESIZE), 4096); }

}  // namespace

std::int64_t QuarterOfMemory() {
  std::int64_t memory = std::max<std::int64_t>(::sysconf(_SC_PHYS_PAGES), 1) * PageSize();
  std::ifstream group("/sys/fs/cgroup/memory.max");
  if (std::int64_t allowed = 0; group >> allowed && allowed > 0) memory = std::min(memory, allowed);
  return memory / 4;
}

}  // namespace supremum::cli
