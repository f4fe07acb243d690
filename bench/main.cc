// Measures supremum, the bare loops and the peers that are C or C++ libraries. scripts/bench.sh adds those
// that live in Python.
#include "run.h"

int main(int argc, char** argv) {
  return supremum::bench::Run(supremum::bench::ParseArguments(argc, argv), {});
}
