// An array of trivial items whose number is known at run time: a few are kept in place, more are allocated.
#ifndef SUPREMUM_SRC_CORE_FEW_H_
#define SUPREMUM_SRC_CORE_FEW_H_

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

namespace supremum {

/// Items without a value until they are written. A small call then needs no allocation, which takes longer
/// than its elements.
///
///   Few<const std::byte*, 8> data;
///   if (!data.Resize(inputs.size())) return AllocationError(...);
template <class T, std::size_t kInPlace>
class Few {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Few() {}  // not defaulted: an object that has one would be set to zeros first where it is value-initialized

  /// Makes room for `size` items; earlier items are lost. False if that many cannot be allocated.
  bool Resize(std::size_t size) {
    many_.reset();
    size_ = size;
    if (size > kInPlace) many_.reset(new (std::nothrow) T[size]);
    return size <= kInPlace || many_ != nullptr;
  }

  T* data() { return many_ != nullptr ? many_.get() : few_.data(); }
  const T* data() const { return many_ != nullptr ? many_.get() : few_.data(); }

  /// Requires: k is less than the number of items.
  T& operator[](std::size_t k) { return data()[k]; }
  const T& operator[](std::size_t k) const { return data()[k]; }

  /// Bytes allocated.
  std::size_t MemoryBytes() const { return many_ != nullptr ? size_ * sizeof(T) : 0; }

 private:
  std::array<T, kInPlace> few_;
  std::unique_ptr<T[]> many_;
  std::size_t size_ = 0;
};

/// How many operands and dimensions have room in place: as many as nearly all calls have.
inline constexpr std::size_t kFewOperands = 8, kFewDimensions = 8;

}  // namespace supremum

#endif  // SUPREMUM_SRC_CORE_FEW_H_
