// The same as oblivious.cc for instructions that valgrind does not know (AVX-512): the processor executes one
// instruction at a time, and each of them passes on which registers, flags and bytes depend on an element.
// The table of what instructions read and write is of decode.py.
//
//   single_step TABLE EVERY [TARGET...]    one of EVERY layouts of a sample; if EVERY is 1, also one of 211
//   of
//                                          all layouts; by default, of the targets with vectors of 64 bytes;
//                                          exit status 1 if a branch or an address depends on an element
//
// Linked at a fixed address, so that the table has the addresses of the code. The C library has other
// addresses: memcpy and memset are those below instead.
#include <signal.h>
#include <ucontext.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "kernels/targets.h"
#include "movement/primitives.h"

extern "C" __attribute__((optimize("no-tree-loop-distribute-patterns", "no-tree-vectorize"))) void* memcpy(
    void* __restrict to, const void* __restrict from, std::size_t n) {
  char* const y = static_cast<char*>(to);
  const char* const x = static_cast<const char*>(from);
  for (std::size_t i = 0; i < n; ++i) y[i] = x[i];
  return to;
}

extern "C" __attribute__((optimize("no-tree-loop-distribute-patterns", "no-tree-vectorize"))) void* memset(
    void* to, int value, std::size_t n) {
  char* const y = static_cast<char*>(to);
  for (std::size_t i = 0; i < n; ++i) y[i] = static_cast<char>(value);
  return to;
}

namespace supremum::test {
namespace {

struct Step {
  char kind = '?', flags = '-', flags2 = '-', memory = '-';
  std::vector<int> reads, writes;
  int base = -1, index = -1, scale = 1, size = 0;
  long displacement = 0;
  std::string unknown;
};

std::unordered_map<std::uintptr_t, Step> steps;

// A byte for each byte of memory that was ever written by a step or is an element: whether it depends on one.
class Shadow {
 public:
  bool Any(std::uintptr_t at, std::size_t size) const {
    for (std::size_t k = 0; k < size; ++k) {
      const auto found = pages_.find((at + k) / kPage);
      if (found != pages_.end() && (*found->second)[(at + k) % kPage] != 0) return true;
    }
    return false;
  }
  void Set(std::uintptr_t at, std::size_t size, bool depends) {
    for (std::size_t k = 0; k < size; ++k) {
      auto& page = pages_[(at + k) / kPage];
      if (page == nullptr) page = std::make_unique<std::array<unsigned char, kPage>>();
      (*page)[(at + k) % kPage] = depends;
    }
  }

  // Between calls, code that is not traced writes to the same stack.
  void Clear() { pages_.clear(); }

 private:
  static constexpr std::uintptr_t kPage = 4096;
  std::unordered_map<std::uintptr_t, std::unique_ptr<std::array<unsigned char, kPage>>> pages_;
};

Shadow shadow;
constexpr int kLowest = 56;  // the lowest bytes of the general registers
constexpr int kUpper = 72;   // the upper parts of the vectors
bool depends[kUpper + 32], flags_depend;
unsigned long long executed, reports;
char first_report[160];

void Report(const char* what, std::uintptr_t at) {
  if (reports++ == 0)
    std::snprintf(first_report, sizeof(first_report), "%s at %lx", what, static_cast<unsigned long>(at));
}

__attribute__((noinline)) void Stop() { __asm__ volatile(""); }

std::uintptr_t Register(const ucontext_t& context, int number) {
  static constexpr int kOrder[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                     REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[kOrder[number]]);
}

bool Depends(int general) { return depends[general] || depends[kLowest + general]; }

// What the instruction that is executed next passes on.
void Propagate(const Step& step, const ucontext_t& context, std::uintptr_t at) {
  bool from = false;
  for (const int r : step.reads) from = from || depends[r];
  if (step.flags == 'r') from = from || flags_depend;
  if (step.kind == 'j' && flags_depend) Report("a branch", at);
  if (step.kind == 'i' && from) Report("an indirect branch", at);
  if (step.kind == 'k' && from) {
    // The mask decides which bytes are accessed. It is among those that are read.
    for (const int r : step.reads) {
      if (r >= 48 && r < kLowest && depends[r]) Report("a masked access", at);
    }
  }
  if (step.kind == 's') {  // rep movs, rep stos
    if (from && (Depends(1) || Depends(7) || (step.memory == 'c' && Depends(6))))
      Report("a string instruction", at);
    const std::size_t bytes = Register(context, 1) * static_cast<std::size_t>(step.size);
    const std::uintptr_t to = Register(context, 7), source = Register(context, 6);
    for (std::size_t k = 0; k < bytes; ++k)
      shadow.Set(to + k, 1, step.memory == 'c' ? shadow.Any(source + k, 1) : Depends(0));
    return;
  }
  if (step.memory != '-' && step.base != -2) {
    std::uintptr_t address = static_cast<std::uintptr_t>(step.displacement);
    bool known = true;
    if (step.base >= 0) {
      address += Register(context, step.base);
      if (Depends(step.base)) Report("an address", at);
    } else {
      known = false;  // constants beside the code
    }
    if (step.index >= 0) {
      address += Register(context, step.index) * static_cast<std::uintptr_t>(step.scale);
      if (Depends(step.index)) Report("an address", at);
    }
    const std::size_t size = static_cast<std::size_t>(step.size);
    if (known && (step.memory == 'r' || step.memory == 'm')) from = from || shadow.Any(address, size);
    if (known && (step.memory == 'w' || step.memory == 'm')) shadow.Set(address, size, from);
    if (!known && step.memory != 'r' && from) Report("a global variable is written", at);
    if ((step.kind == 'i' || step.kind == 'C') && from) Report("an indirect branch", at);
    if (step.kind == 'P') shadow.Set(Register(context, 4) - 8, 8, from);
    if (step.kind == 'C') shadow.Set(Register(context, 4) - 8, 8, false);
  }
  bool from_lowest = from;
  if (step.kind == 'b') {
    from_lowest = false;
    for (const int r : step.reads) from_lowest = from_lowest || (r >= kLowest && depends[r]);
  }
  for (const int w : step.writes) depends[w] = w >= kLowest && w < kUpper ? from_lowest : from;
  if (step.flags == 'w' || step.flags2 == 'w') flags_depend = from;
  if (step.flags == 'm') flags_depend = flags_depend || from;
}

void OnTrap(int, siginfo_t*, void* opaque) {
  ucontext_t& context = *static_cast<ucontext_t*>(opaque);
  const std::uintptr_t at = static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
  if (at == reinterpret_cast<std::uintptr_t>(&Stop)) {
    context.uc_mcontext.gregs[REG_EFL] &= ~0x100LL;
    return;
  }
  ++executed;
  const auto found = steps.find(at);
  if (found == steps.end() || found->second.kind == '?') {
    std::fprintf(stderr, "single_step: not known at %lx: %s\n", static_cast<unsigned long>(at),
                 found == steps.end() ? "no instruction" : found->second.unknown.c_str());
    std::_Exit(2);
  }
  Propagate(found->second, context, at);
}

bool ReadTable(const char* name) {
  std::FILE* const file = std::fopen(name, "r");
  if (file == nullptr) return false;
  char text[512];
  while (std::fgets(text, sizeof(text), file) != nullptr) {
    unsigned long address = 0;
    char kind = '?', flags[4] = "-";
    int used = 0;
    if (std::sscanf(text, "%lx %c %n", &address, &kind, &used) < 2) return false;
    Step& step = steps[address];
    step.kind = kind;
    if (kind == '?') {
      step.unknown = text + used;
      continue;
    }
    const char* at = text + used;
    const auto number = [&] {
      int value = 0, length = 0;
      std::sscanf(at, "%d%n", &value, &length);
      at += length;
      return value;
    };
    std::sscanf(at, "%3s%n", flags, &used);
    at += used;
    step.flags = flags[0];
    step.flags2 = flags[0] != '\0' && flags[1] != '\0' ? flags[1] : '-';
    for (std::vector<int>* list : {&step.reads, &step.writes}) {
      for (int count = number(); count > 0; --count) list->push_back(number());
    }
    std::sscanf(at, " %c%n", &step.memory, &used);
    at += used;
    if (step.memory != '-') {
      step.base = number();
      step.index = number();
      step.scale = number();
      step.displacement = number();
      step.size = number();
    }
  }
  return std::fclose(file) == 0 && !steps.empty();
}

void Trace(Layout& layout, const std::function<void()>& call) {
  shadow.Clear();
  for (std::byte* element : layout.elements())
    shadow.Set(reinterpret_cast<std::uintptr_t>(element), layout.width(), true);
  std::memset(depends, 0, sizeof(depends));
  flags_depend = false;
  __asm__ volatile("pushfq\n\torq $0x100, (%%rsp)\n\tpopfq" ::: "memory", "cc");
  call();
  Stop();
}

// Branches and addresses that depend on an element must be reported.
bool ControlsAreReported() {
  Layout layout(4);
  layout.Begin();
  const volatile std::byte* const x = layout.Input(1);
  volatile std::byte* const y = layout.Output(256);
  const std::function<void()> controls[] = {[&] {
                                              if (x[0] == std::byte{1}) y[0] = std::byte{2};
                                            },
                                            [&] { y[std::to_integer<std::size_t>(x[0])] = std::byte{2}; }};
  for (const auto& control : controls) {
    const unsigned long long before = reports;
    Trace(layout, control);
    if (reports == before) return false;
  }
  reports = 0;
  return true;
}

int Main(int argc, char** argv) {
  const unsigned long every = argc < 3 ? 0 : std::strtoul(argv[2], nullptr, 10);
  if (every == 0 || !ReadTable(argv[1])) {
    std::fprintf(stderr, "usage: single_step TABLE EVERY [TARGET...]\n");
    return 2;
  }
  struct Part {
    Extent extent;
    unsigned long every;
  };
  std::vector<Part> parts = {{Extent::kSample, every}};
  if (every == 1) parts.push_back({Extent::kAll, 211});  // of millions, at some 50 in a second
  static std::byte stack[1 << 16];
  const stack_t alternative{.ss_sp = stack, .ss_flags = 0, .ss_size = sizeof(stack)};
  sigaltstack(&alternative, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = &OnTrap;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGTRAP, &action, nullptr);

  bool holds = ControlsAreReported();
  std::printf("single_step: controls: %s\n", holds ? "reported" : "NOT REPORTED");
  std::fflush(stdout);
  std::size_t targets = 0;
  for (const kernels::KernelTable* table : kernels::RunnableTables()) {
    bool chosen = argc == 3 && VectorBytes(*table) == 64;
    for (int k = 3; k < argc; ++k) chosen = chosen || table->target == argv[k];
    if (!chosen) continue;
    ++targets;
    unsigned long long layouts = 0, visited = 0;
    executed = reports = 0;
    for (const DType dtype : kAllDTypes) {
      // The target AVX3_DL has code of its own for bytes alone (simd_parts-inl.h).
      const std::size_t width = ByteWidth(dtype);
      if (table->target == "avx3_dl" && width > 1) continue;
      for (const Part& part : parts) {
        VisitPrimitives(table->For(dtype), width, VectorBytes(*table) / width, part.extent,
                        [&](const std::string& what, Layout& layout, const std::function<void()>& call) {
                          if (visited++ % part.every != 0) return;
                          ++layouts;
                          const unsigned long long before = reports;
                          Trace(layout, call);
                          if (before == 0 && reports != 0)
                            std::printf("single_step: %s: %s depends on an element\n", what.c_str(),
                                        first_report);
                        });
      }
    }
    holds = holds && reports == 0;
    std::printf("single_step: %s: %llu layouts of primitives, %llu instructions, %llu reports\n",
                std::string(table->target).c_str(), layouts, executed, reports);
    std::fflush(stdout);
  }
  if (targets == 0) {
    std::printf("single_step: this processor runs no target with vectors of 64 bytes: nothing was shown\n");
    return 77;
  }
  return holds ? 0 : 1;
}

}  // namespace
}  // namespace supremum::test

int main(int argc, char** argv) { return supremum::test::Main(argc, argv); }
