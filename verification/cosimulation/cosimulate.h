// Co-simulation: the models of verification/proofs/smt are compared with what they model: instructions of the
// processor, operations of Highway, and the kernels' functions of lanes.
//
// verification/proofs/smt/cpp.py writes models and comparisons from the definitions that are proved.
#ifndef SUPREMUM_VERIFICATION_COSIMULATION_COSIMULATE_H_
#define SUPREMUM_VERIFICATION_COSIMULATION_COSIMULATE_H_

#include <cstdint>

#include "supremum/dtype.h"

namespace supremum::test {

/// Whether all models of a type agree with what they model, on every target that runs here: for all triples
/// of special patterns, and so many random pairs. Prints what differs, and a line for each target.
bool ModelsAgree(DType dtype, std::uint64_t pairs);

/// The same of a model that is wrong: false.
bool WrongModelAgrees();

}  // namespace supremum::test

#endif  // SUPREMUM_VERIFICATION_COSIMULATION_COSIMULATE_H_
