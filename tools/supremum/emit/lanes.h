// The functions on elements, in C, as they were extracted from the proofs (verification/proofs/extracted).
#ifndef SUPREMUM_TOOLS_EMIT_LANES_H_
#define SUPREMUM_TOOLS_EMIT_LANES_H_

#include <string>
#include <vector>

#include "supremum/dtype.h"

namespace supremum::cli {

/// The functions of one type, in the order in which they call each other.
struct Lanes {
  struct Function {
    std::string name;           ///< "join_of_float"
    std::string text;           ///< its definition
    std::string specification;  ///< the theorem of verification/proofs/theorems.txt, or what is assumed
    bool is_assumed;            ///< not proved: the C of a program of machine.mlw (docs/soundness.md)
  };
  std::string source;  ///< the file: "verification/proofs/extracted/lanes.c"
  std::vector<Function> functions;
  std::string join;      ///< the name of the function of two elements: their maximum
  std::string identity;  ///< the name of the function that returns the identity element of Join (RED-6)
};

Lanes LanesOf(DType dtype);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_EMIT_LANES_H_
