#include "supremum/opset.h"

#include <string>

namespace supremum {

std::string ToString(MaxVersion version) { return "Max-" + std::to_string(static_cast<int>(version)); }

std::string ToString(ReduceMaxVersion version) {
  if (version == ReduceMaxVersion::kSupremum) return "ReduceMax";
  if (version == ReduceMaxVersion::kOneDnn) return "oneDNN's ReduceMax";
  return "ReduceMax-" + std::to_string(static_cast<int>(version));
}

}  // namespace supremum
