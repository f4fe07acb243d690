// The co-simulation without GoogleTest, for an emulator.
//
//   cosimulate ROUNDS NEEDS    exit status 1 if anything differs
//
// Compares the forms that need this (cosimulate.h), which this processor must have.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "cosimulation/cosimulate.h"

int main(int argc, char** argv) {
  char* end = nullptr;
  const unsigned long long rounds = argc == 3 ? std::strtoull(argv[1], &end, 10) : 0;
  if (argc != 3 || end == argv[1] || *end != '\0') {
    std::fprintf(stderr, "usage: cosimulate ROUNDS NEEDS\n");
    return 2;
  }
  using supremum::test::kForms;
  std::size_t compared = 0, differ = 0;
  for (std::size_t k = 0; k < supremum::test::kFormCount; ++k) {
    if (std::string_view(kForms[k].needs) != argv[2]) continue;
    if (!supremum::test::Runs(kForms[k])) {
      std::printf("cosimulate: this processor does not run %s\n", kForms[k].text);
      return 1;
    }
    ++compared;
    const std::string found = supremum::test::Difference(kForms[k], rounds);
    if (!found.empty()) std::printf("cosimulate: %s\n", found.c_str());
    differ += !found.empty();
  }
  const bool control = !supremum::test::WrongModelAgrees(argv[2]);
  std::printf("cosimulate: %s: %zu forms of instructions, %zu differ; a wrong model was %s\n", argv[2],
              compared, differ, control ? "found" : "NOT FOUND");
  return compared != 0 && differ == 0 && control ? 0 : 1;
}
