// Which outcomes of conditional jumps a program reaches: a library that is preloaded into the program.
//
//   SUPREMUM_BRANCHES=TABLE SUPREMUM_BRANCHES_OF=PROGRAM LD_PRELOAD=librecord_branches.so PROGRAM
//
// The table (branches.py) lists conditional jumps. A breakpoint replaces the first byte of each. Where one is
// hit, the handler computes the outcome from the flags, records it in the table, and continues where the jump
// leads. A jump whose outcomes have both been seen has no breakpoint any more. So that a loop costs a few
// traps, and not one for each iteration, a jump with one outcome left has its breakpoint elsewhere, if
// possible:
// - at the instruction that this outcome leads to, if nothing else leads there;
// - if the outcome is to be taken, in padding that is never executed, to which the jump is made to lead.
// Any number of threads and forked processes may run: an outcome is only ever added.
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <linux/membarrier.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

// A conditional jump, as branches.py writes it. Of two outcomes, 0 is not taken and 1 is taken.
struct Branch {
  std::uint32_t at, target;  // addresses in the file
  std::uint8_t length;       // 2 or 6; 0: no jump, but a byte of padding
  std::uint8_t condition;
  std::uint8_t alone[2];  // whether nothing but this outcome leads to its instruction
  std::atomic<std::uint8_t> seen[2];
  std::uint8_t unused[2];
  std::atomic<std::uint32_t> traps;
};
static_assert(sizeof(Branch) == 20);

// What is planted at an address.
struct Place {
  Branch* jump;     // the breakpoint of this jump
  Branch* outcome;  // the breakpoint of an outcome that leads here, or is made to lead here
  std::uint8_t side;
  std::uint8_t byte;  // the program's own
};

Place* places;             // by address, from the first jump to the last instruction that one leads to
Branch *padding, *unused;  // by address; those from `unused` on are in use
std::uintptr_t bias, first, last;
std::atomic_flag lock = ATOMIC_FLAG_INIT;

[[noreturn]] void Fail(const char* what) {
  std::fprintf(stderr, "record_branches: %s\n", what);
  std::_Exit(3);
}

constexpr std::uint8_t kBreakpoint = 0xCC;

void Plant(std::uintptr_t at) {
  const Place& place = places[at - first];
  const bool planted = place.jump != nullptr || place.outcome != nullptr;
  *reinterpret_cast<volatile std::uint8_t*>(bias + at) = planted ? kBreakpoint : place.byte;
}

// Whether a condition of a jump (the lowest four bits of its code) holds.
bool Holds(unsigned condition, std::uint64_t flags) {
  const bool carry = (flags & 0x1) != 0, parity = (flags & 0x4) != 0, zero = (flags & 0x40) != 0,
             sign = (flags & 0x80) != 0, overflow = (flags & 0x800) != 0;
  const bool each[8] = {
      overflow, carry, zero, carry || zero, sign, parity, sign != overflow, zero || sign != overflow};
  return each[condition >> 1] != ((condition & 1) != 0);
}

// Afterwards no thread of this process executes bytes of code that it has fetched before.
void Synchronise() {
  const auto call = [](int command) { return syscall(SYS_membarrier, command, 0, 0) == 0; };
  const int error = errno;
  if (!call(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE)) {  // the first time in this process
    if (!call(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE) ||
        !call(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE))
      Fail("code cannot be changed while threads run: membarrier is not available (Linux 4.16)");
  }
  errno = error;
}

// Makes a jump lead to `to`. A thread that comes to it meanwhile meets the breakpoint, and its handler waits
// for the lock; a thread that has fetched the jump executes all of the old one, or all of the new one.
void Lead(const Branch& branch, std::uintptr_t to) {
  volatile std::uint8_t* const code = reinterpret_cast<volatile std::uint8_t*>(bias + branch.at);
  const std::uint8_t before = *code;
  const std::uint32_t distance = static_cast<std::uint32_t>(to - branch.at - branch.length);
  *code = kBreakpoint;
  Synchronise();
  if (branch.length == 2) code[1] = static_cast<std::uint8_t>(distance);
  for (unsigned k = 0; branch.length == 6 && k < 4; ++k)
    code[2 + k] = static_cast<std::uint8_t>(distance >> 8 * k);
  Synchronise();
  *code = before;
}

// A byte of padding that is not in use and that a jump can lead to, or null.
Branch* PaddingFor(const Branch& branch) {
  while (branch.length == 6 && unused != padding) {
    if (places[(--unused)->at - first].outcome == nullptr) return unused;
  }
  const std::uintptr_t next = branch.at + branch.length;
  Branch* byte = std::lower_bound(padding, unused, next - 128,
                                  [](const Branch& a, std::uintptr_t at) { return a.at < at; });
  for (; byte != unused && byte->at <= next + 127; ++byte) {
    if (places[byte->at - first].outcome == nullptr) return byte;
  }
  return nullptr;
}

// Gives an outcome its breakpoint where it leads; the jump has none any more.
void PlantOutcome(Branch& branch, std::uint8_t side, std::uintptr_t at) {
  places[branch.at - first].jump = nullptr;
  places[at - first].outcome = &branch;
  places[at - first].side = side;
  Plant(at);
}

void OnTrap(int, siginfo_t*, void* opaque) {
  mcontext_t& machine = static_cast<ucontext_t*>(opaque)->uc_mcontext;
  const std::uintptr_t at = static_cast<std::uintptr_t>(machine.gregs[REG_RIP]) - 1 - bias;
  if (at < first || at > last) Fail("a breakpoint that is not in the table");
  std::uintptr_t next = at;  // where another thread has just taken the breakpoint away, too
  while (lock.test_and_set(std::memory_order_acquire)) {
  }
  Place& place = places[at - first];
  if (Branch* const branch = place.outcome; branch != nullptr) {
    branch->seen[place.side] = 1;
    ++branch->traps;
    if (place.side == 1 && branch->target != at) {  // padding, to which other threads may be under way
      Lead(*branch, branch->target);
      next = branch->target;
    } else {
      place.outcome = nullptr;
    }
  }
  if (Branch* const branch = place.jump; branch != nullptr) {
    ++branch->traps;
    const bool taken = Holds(branch->condition, static_cast<std::uint64_t>(machine.gregs[REG_EFL]));
    next = taken ? branch->target : at + branch->length;
    branch->seen[taken] = 1;
    const std::uintptr_t other = taken ? at + branch->length : branch->target;
    if (branch->seen[!taken] != 0) {
      place.jump = nullptr;
    } else if (branch->alone[!taken] != 0) {
      PlantOutcome(*branch, !taken, other);
    } else if (Branch* const byte = taken ? nullptr : PaddingFor(*branch); byte != nullptr) {
      PlantOutcome(*branch, 1, byte->at);
      Lead(*branch, byte->at);
    }
  }
  Plant(at);
  lock.clear(std::memory_order_release);
  machine.gregs[REG_RIP] = static_cast<greg_t>(bias + next);
}

void* Map(std::size_t size, int flags, int file) {
  void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, file, 0);
  if (memory == MAP_FAILED) Fail("no memory");
  return memory;
}

__attribute__((constructor)) void Begin() {
  const char* const table = std::getenv("SUPREMUM_BRANCHES");
  const char* const program = std::getenv("SUPREMUM_BRANCHES_OF");
  char self[PATH_MAX] = "";
  if (table == nullptr || program == nullptr || readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
    return;
  if (std::strcmp(self, program) != 0) return;  // a program that this one has started
  const int file = open(table, O_RDWR | O_CLOEXEC);
  struct stat about;
  if (file < 0 || fstat(file, &about) != 0 || about.st_size == 0) Fail("the table cannot be read");
  const std::size_t count = static_cast<std::size_t>(about.st_size) / sizeof(Branch);
  Branch* const branches =
      static_cast<Branch*>(Map(static_cast<std::size_t>(about.st_size), MAP_SHARED, file));
  close(file);

  // The first object that is listed is the program.
  dl_iterate_phdr([](dl_phdr_info* info, std::size_t, void*) { return bias = info->dlpi_addr, 1; }, nullptr);
  first = UINT32_MAX;
  for (std::size_t k = 0; k < count; ++k) {
    for (const std::uintptr_t at : {std::uintptr_t{branches[k].at}, std::uintptr_t{branches[k].target}}) {
      if (at < first) first = at;
      if (at + 16 > last) last = at + 16;
    }
  }
  places = static_cast<Place*>(Map((last - first + 1) * sizeof(Place), MAP_PRIVATE | MAP_ANONYMOUS, -1));
  const std::uintptr_t page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = (bias + first) / page * page;
  if (mprotect(reinterpret_cast<void*>(begin), bias + last + 1 - begin, PROT_READ | PROT_WRITE | PROT_EXEC) !=
      0)
    Fail("the program's code cannot be changed");
  for (std::uintptr_t at = first; at <= last; ++at)
    places[at - first].byte = *reinterpret_cast<const std::uint8_t*>(bias + at);

  struct sigaction action = {};
  action.sa_sigaction = &OnTrap;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &action, nullptr);
  padding = branches;
  while (padding != branches + count && padding->length != 0) ++padding;
  unused = branches + count;
  for (Branch* each = branches; each != padding; ++each) {
    Branch& branch = *each;
    if (branch.seen[0] != 0 && branch.seen[1] != 0) continue;
    places[branch.at - first].jump = &branch;
    Plant(branch.at);
  }
}

}  // namespace
