// The co-simulation without GoogleTest, for an emulator: all types, so many random pairs of each.
//
//   cosimulate PAIRS    exit status 1 if anything differs
#include <cstdio>
#include <cstdlib>

#include "cosimulation/cosimulate.h"

int main(int argc, char** argv) {
  char* end = nullptr;
  const unsigned long long pairs = argc == 2 ? std::strtoull(argv[1], &end, 10) : 0;
  if (argc != 2 || end == argv[1] || *end != '\0') {
    std::fprintf(stderr, "usage: cosimulate PAIRS\n");
    return 2;
  }
  bool agree = true;
  for (supremum::DType dtype : supremum::kAllDTypes) {
    agree = supremum::test::ModelsAgree(dtype, pairs) && agree;
  }
  const bool control = !supremum::test::WrongModelAgrees();
  std::printf("cosimulate: %s\n", agree && control ? "all agree, and a wrong model was found" : "FAILED");
  return agree && control ? 0 : 1;
}
