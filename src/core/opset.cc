#include "supremum/opset.h"

#include <string>

namespace supremum {

std::string ToString(MaxVersion version) { return "Max-" + std::to_string(static_cast<int>(version)); }

}  // namespace supremum
