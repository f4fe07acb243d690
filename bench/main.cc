// Measures supremum, the bare loops and the peers that are C or C++ libraries. scripts/bench.sh adds the
// peers in Python.
#include "run.h"

int main(int argc, char** argv) {
  return supremum::bench::Run(supremum::bench::ParseArguments(argc, argv), {});
}
