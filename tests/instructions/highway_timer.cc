// For programs that run under valgrind. Highway's shared library measures the timer's resolution when it is
// loaded, by rdtscp, which valgrind executes only where the processor announces it: elsewhere the program
// ended with an illegal instruction before main(). This definition is found before the library's. Nothing of
// supremum calls it.
#include <cstdint>

namespace hwy::platform {

[[gnu::visibility("default")]] std::uint64_t TimerResolution();

std::uint64_t TimerResolution() { return 1; }

}  // namespace hwy::platform
