// The verdict of a rule.
#ifndef SUPREMUM_VERDICT_H_
#define SUPREMUM_VERDICT_H_

#include <cstdint>

#include "supremum/cxx20.h"

namespace supremum {

enum class Verdict : std::uint8_t {
  kHolds,
  kFails,
  kUndecided,  ///< too little is known of the operands
};

}  // namespace supremum

#endif  // SUPREMUM_VERDICT_H_
