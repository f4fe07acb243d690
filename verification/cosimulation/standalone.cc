// The co-simulation without GoogleTest, for an emulator.
//
//   cosimulate ROUNDS    exit status 1 if anything differs
#include <cstdio>
#include <cstdlib>
#include <string>

#include "cosimulation/cosimulate.h"

int main(int argc, char** argv) {
  char* end = nullptr;
  const unsigned long long rounds = argc == 2 ? std::strtoull(argv[1], &end, 10) : 0;
  if (argc != 2 || end == argv[1] || *end != '\0') {
    std::fprintf(stderr, "usage: cosimulate ROUNDS\n");
    return 2;
  }
  using supremum::test::kForms;
  std::size_t differ = 0;
  for (std::size_t k = 0; k < supremum::test::kFormCount; ++k) {
    const std::string found = supremum::test::Difference(kForms[k], rounds);
    if (!found.empty()) std::printf("cosimulate: %s\n", found.c_str());
    differ += !found.empty();
  }
  const bool control = !supremum::test::WrongModelAgrees();
  std::printf("cosimulate: %zu forms of instructions, %zu differ; a wrong model was %s\n",
              supremum::test::kFormCount, differ, control ? "found" : "NOT FOUND");
  return differ == 0 && control ? 0 : 1;
}
