// Extents and strides: lists of at most 64 integers, stored without allocation, and their checked arithmetic.
#ifndef SUPREMUM_SHAPE_H_
#define SUPREMUM_SHAPE_H_

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include "supremum/cxx20.h"

namespace supremum {

/// The highest rank that any operator accepts (BRO-4).
inline constexpr std::size_t kMaxRank = 64;

/// A view of a list of extents (one a dimension, outermost first) or of strides (in elements). It does not
/// own the list.
using DimsView = std::span<const std::int64_t>;

/// A list of at most kMaxRank extents or strides, outermost dimension first. It is stored in place: creating
/// or copying a Shape never allocates. The Shape of a scalar is empty.
///
///   Shape image{480, 640, 3};
///   image.rank();        // 3
///   image[0];            // 480
class Shape {
 public:
  constexpr Shape() { Prefill(); }
  constexpr Shape(const Shape& other) {
    Prefill();
    *this = other;
  }
  constexpr Shape& operator=(const Shape& other) {
    if (this == &other) return *this;
    rank_ = other.rank_;
    std::copy_n(other.dims_.begin(), rank_, dims_.begin());
    return *this;
  }
  constexpr ~Shape() = default;

  /// Requires: extents.size() <= kMaxRank. For untrusted input use FromSpan, which checks.
  constexpr Shape(std::initializer_list<std::int64_t> extents) {
    Prefill();
    for (std::int64_t extent : extents) PushBack(extent);
  }

  /// A copy of `extents`, or nullopt if there are more than kMaxRank (BRO-4).
  static constexpr std::optional<Shape> FromSpan(DimsView extents) {
    if (extents.size() > kMaxRank) return std::nullopt;
    Shape shape;
    for (std::int64_t extent : extents) shape.PushBack(extent);
    return shape;
  }

  /// A Shape of `rank` extents, each `extent`. Requires: rank <= kMaxRank.
  static constexpr Shape Filled(std::size_t rank, std::int64_t extent) {
    Shape shape;
    for (std::size_t d = 0; d < rank; ++d) shape.PushBack(extent);
    return shape;
  }

  /// Appends an innermost dimension. Requires: rank() < kMaxRank.
  constexpr void PushBack(std::int64_t extent) {
    assert(rank_ < kMaxRank);
    dims_[rank_++] = extent;
  }

  /// Takes the innermost dimensions away. Requires: rank <= rank().
  constexpr void Truncate(std::size_t rank) {
    assert(rank <= rank_);
    rank_ = rank;
  }

  constexpr std::size_t rank() const { return rank_; }
  constexpr std::size_t size() const { return rank_; }
  constexpr bool empty() const { return rank_ == 0; }
  constexpr const std::int64_t* data() const { return dims_.data(); }
  constexpr std::int64_t* begin() { return dims_.data(); }
  constexpr std::int64_t* end() { return dims_.data() + rank_; }
  constexpr const std::int64_t* begin() const { return dims_.data(); }
  constexpr const std::int64_t* end() const { return dims_.data() + rank_; }

  /// Requires: d < rank().
  constexpr std::int64_t& operator[](std::size_t d) { return dims_[d]; }
  constexpr std::int64_t operator[](std::size_t d) const { return dims_[d]; }

  constexpr operator DimsView() const { return DimsView(dims_.data(), rank_); }

 private:
  // Constants need a value in every place. Elsewhere only the extents in use are written and copied: most
  // tensors have few.
  constexpr void Prefill() {
    if (std::is_constant_evaluated()) dims_.fill(0);
  }

  std::array<std::int64_t, kMaxRank> dims_;
  std::size_t rank_ = 0;
};

/// True if both have the same rank and the same numbers.
constexpr bool SameDims(DimsView a, DimsView b) {
  if (a.size() != b.size()) return false;
  for (std::size_t d = 0; d < a.size(); ++d) {  // lists are short: a call of memcmp would take longer
    if (a[d] != b[d]) return false;
  }
  return true;
}

constexpr bool operator==(const Shape& a, const Shape& b) { return SameDims(a, b); }

/// The product of the extents, 1 for a scalar, or nullopt if an extent is negative or the product exceeds
/// 2^63 - 1. A zero extent gives 0, whatever the others are.
constexpr std::optional<std::int64_t> ElementCount(DimsView shape) {
  std::int64_t count = 1;
  bool overflow = false;
  bool zero = false;
  for (std::int64_t extent : shape) {
    if (extent < 0) return std::nullopt;
    if (extent == 0) {
      zero = true;
    } else if ((count | extent) >> 31 != 0 && count > INT64_MAX / extent) {  // most need no division
      overflow = true;
    } else {
      count *= extent;
    }
  }
  if (zero) return 0;
  if (overflow) return std::nullopt;
  return count;
}

namespace internal {
// The stride before a dimension of this stride and extent; a zero extent counts as 1. It overflows only if
// another extent is zero: then no element is addressed, and any number will do.
constexpr std::int64_t StrideBefore(std::int64_t stride, std::int64_t extent) {
  const bool is_small = (stride | extent) >> 31 == 0;  // most need no division
  return extent > 0 && (is_small || stride <= INT64_MAX / extent) ? stride * extent : stride;
}
}  // namespace internal

/// The strides, in elements, of a row-major tensor without gaps: the innermost is 1. Zero extents count as 1,
/// so that no stride is 0.
///
/// Requires: ElementCount(shape) has a value, shape.size() <= kMaxRank.
constexpr Shape RowMajorStrides(DimsView shape) {
  Shape strides = Shape::Filled(shape.size(), 1);
  std::int64_t step = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    strides[d] = step;
    step = internal::StrideBefore(step, shape[d]);
  }
  return strides;
}

/// "[2,3]", and "[]" for a scalar: the form of a shape in every message.
std::string ToString(DimsView shape);

}  // namespace supremum

#endif  // SUPREMUM_SHAPE_H_
