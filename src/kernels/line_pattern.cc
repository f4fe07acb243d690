#include "kernels/line_pattern.h"

#include <cstring>

namespace supremum::kernels {
namespace {

template <class Lane>
void Write(const LinePattern& pattern, std::size_t lanes, std::byte* orders) {
  Lane* const out = reinterpret_cast<Lane*>(orders);
  const std::size_t total = pattern.period + lanes;
  // Element, repetition of it, and the place in the period, which end independently of each other.
  std::size_t element = 0, repeated = 0, in_period = 0, base = 0;
  for (std::size_t t = 0; t < total; ++t) {
    out[t] = static_cast<Lane>(base + element);
    if (++repeated == pattern.repeat_count) {
      repeated = 0;
      if (++element == pattern.run) element = 0;
    }
    if (++in_period == pattern.period) {
      in_period = repeated = element = 0;
      base += pattern.advance;
    }
  }
}

}  // namespace

void WriteOrders(const LinePattern& pattern, std::size_t width, std::size_t vector_bytes, std::byte* orders) {
  const std::size_t lanes = vector_bytes / width;
  switch (width) {
    case 1:
      return Write<std::uint8_t>(pattern, lanes, orders);
    case 2:
      return Write<std::uint16_t>(pattern, lanes, orders);
    case 4:
      return Write<std::uint32_t>(pattern, lanes, orders);
    default:
      return Write<std::uint64_t>(pattern, lanes, orders);
  }
}

}  // namespace supremum::kernels
