#include "supremum/shape.h"

#include <string>

namespace supremum {

std::string ToString(DimsView shape) {
  std::string text = "[";
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (d > 0) text += ',';
    text += std::to_string(shape[d]);
  }
  text += ']';
  return text;
}

}  // namespace supremum
