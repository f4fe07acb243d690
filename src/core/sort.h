// Sorts few items without recursion and without allocation, unlike the standard library's sorts.
#ifndef SUPREMUM_SRC_CORE_SORT_H_
#define SUPREMUM_SRC_CORE_SORT_H_

#include <cstddef>
#include <span>

namespace supremum {

/// Sorts `items` so that before(y, x) holds for no x in front of a y; what is equal keeps its order. By
/// insertion: no recursion, no allocation.
///
/// Requires: `before` is a strict weak order.
/// Cost: n^2 / 4 moves for n items in random order, for the dimensions of a tensor or two.
///
///   SortFew(std::span(axes), [](const Axis& a, const Axis& b) { return a.stride < b.stride; });
template <class T, class Before>
constexpr void SortFew(std::span<T> items, Before before) {
  for (std::size_t i = 1; i < items.size(); ++i) {
    const T item = items[i];
    std::size_t place = i;
    for (; place > 0 && before(item, items[place - 1]); --place) items[place] = items[place - 1];
    items[place] = item;
  }
}

}  // namespace supremum

#endif  // SUPREMUM_SRC_CORE_SORT_H_
