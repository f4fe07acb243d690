#include "rules/broadcast.h"

#include "core/out_of_memory.h"
#include "supremum/broadcast.h"

namespace supremum {

Result<Shape> BroadcastShapes(std::span<const DimsView> shapes, std::span<const std::string_view> names) {
  return OrOutOfMemory([&]() -> Result<Shape> {
    return BroadcastAll(
        shapes.size(), [shapes](std::size_t m) { return shapes[m]; }, names);
  });
}

}  // namespace supremum
