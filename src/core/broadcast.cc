#include "supremum/broadcast.h"

#include "core/broadcast_all.h"

namespace supremum {

Result<Shape> BroadcastShapes(std::span<const DimsView> shapes, std::span<const std::string_view> names) {
  return BroadcastAll(
      shapes.size(), [shapes](std::size_t m) { return shapes[m]; }, names);
}

}  // namespace supremum
