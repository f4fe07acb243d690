// Conditional jumps whose outcomes are known, for branches.py --control.
//
//   branch_control flags N
//       prints for each of the 16 conditions whether the processor jumps; bit k of N is the k-th of the
//       carry, parity, zero, sign and overflow flags
//   branch_control loop N SKIPPED THREADS
//       each thread executes a loop of N iterations, as Loop says; prints the sum of its results
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

namespace {

template <unsigned kCondition>
__attribute__((noinline)) bool Jumps(std::uint64_t flags) {
  std::uint32_t jumps = 0;
  // The jump skips the 5 bytes of the second mov, which does not change flags, and neither does the first.
  // The stack below what may be in use is for the flags.
  __asm__ volatile(
      "lea -128(%%rsp), %%rsp\n\tpush %1\n\tpopfq\n\tmov $1, %%eax\n\t"
      ".byte 0x70 + %c2, 5\n\tmov $0, %%eax\n\tlea 128(%%rsp), %%rsp"
      : "=&a"(jumps)
      : "r"(flags), "i"(kCondition)
      : "cc", "memory");
  return jumps != 0;
}

template <unsigned... kConditions>
std::array<bool, 16> EachOf(std::uint64_t flags, std::integer_sequence<unsigned, kConditions...>) {
  return {Jumps<kConditions>(flags)...};
}

// A loop of n iterations. Two jumps, of 2 and of 6 bytes, each skip an instruction in iteration `skipped`,
// counted backwards to 1; other ways lead to where they lead. Returns how often these instructions were
// executed. Padding is behind the loop.
__attribute__((noinline)) std::uint64_t Loop(std::uint64_t n, std::uint64_t skipped) {
  std::uint64_t executed = 0;
  __asm__ volatile(
      "0:\tcmp %2, %1\n\tje 1f\n\tinc %0\n"
      "1:\tcmp %2, %1\n\t.byte 0x0F, 0x84\n\t.long 3f - 2f\n2:\tinc %0\n"
      "3:\tdec %1\n\tjnz 0b\n\tjmp 4f\n\tnop\n\tnop\n\tnop\n\tnop\n4:"
      : "+r"(executed), "+r"(n)
      : "r"(skipped)
      : "cc");
  return executed;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "flags") == 0) {
    const unsigned long bits = std::strtoul(argv[2], nullptr, 10);
    std::uint64_t flags = 0x202;  // interrupts are allowed, and a bit that is always 1
    int k = 0;
    for (const std::uint64_t flag : {0x1u, 0x4u, 0x40u, 0x80u, 0x800u}) flags |= (bits >> k++ & 1) * flag;
    for (const bool jumps : EachOf(flags, std::make_integer_sequence<unsigned, 16>()))
      std::putchar(jumps ? '1' : '0');
    return std::putchar('\n') == '\n' ? 0 : 1;
  }
  if (argc == 5 && std::strcmp(argv[1], "loop") == 0) {
    const unsigned long long n = std::strtoull(argv[2], nullptr, 10);
    const unsigned long long skipped = std::strtoull(argv[3], nullptr, 10);
    std::atomic<std::uint64_t> executed = 0;
    std::vector<std::thread> threads;
    for (int k = std::atoi(argv[4]); k > 0; --k) threads.emplace_back([&] { executed += Loop(n, skipped); });
    for (std::thread& thread : threads) thread.join();
    std::printf("%llu\n", static_cast<unsigned long long>(executed));
    return 0;
  }
  std::fprintf(stderr, "usage: branch_control flags N, or branch_control loop N SKIPPED THREADS\n");
  return 2;
}
