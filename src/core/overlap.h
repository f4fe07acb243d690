// Exact answers to two questions about strided memory: do two elements of a tensor alias, and do two tensors
// overlap (MEM-1, MEM-2).
#ifndef SUPREMUM_SRC_CORE_OVERLAP_H_
#define SUPREMUM_SRC_CORE_OVERLAP_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "supremum/shape.h"

namespace supremum {

/// The elements at data + width * (i . strides) for every index i below `shape`; strides in elements, one a
/// dimension.
struct StridedMemory {
  const void* data = nullptr;
  std::size_t width = 1;
  DimsView shape;
  DimsView strides;
};

/// The addresses that elements cover, as distances in bytes from `data`: from `first`, inclusive, to `last`,
/// exclusive.
struct ByteRange {
  std::int64_t first;
  std::int64_t last;
};

/// The farthest that a byte of a tensor may be from its data pointer.
inline constexpr std::int64_t kFarthestByte = std::int64_t{1} << 61;

/// The range of the elements. nullopt if the distances exceed 2^61 bytes or leave the address space.
///
/// Requires: no extent is negative. No elements cover no bytes.
std::optional<ByteRange> RangeOf(const StridedMemory& memory);

/// True if `bytes` bytes from `data` on are within the address space: where RangeOf has a value for dense
/// memory.
inline bool FitsAddressSpace(const void* data, std::size_t bytes) {
  return bytes <= UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(data);
}

/// True if these distances from `data` are within the address space.
inline bool FitsAddressSpace(const void* data, const ByteRange& range) {
  const std::uint64_t address = reinterpret_cast<std::uintptr_t>(data), highest = UINTPTR_MAX;
  return address >= static_cast<std::uint64_t>(-range.first) &&
         static_cast<std::uint64_t>(range.last) <= highest - address;
}

/// True if the two have no byte in common. Requires: both fit the address space, and have a byte.
inline bool Apart(const void* a, std::size_t a_bytes, const void* b, std::size_t b_bytes) {
  const std::uintptr_t from = reinterpret_cast<std::uintptr_t>(a), to = reinterpret_cast<std::uintptr_t>(b);
  return from >= to ? from - to >= b_bytes : to - from >= a_bytes;
}

/// The same for ranges from `a` and `b` on. A range without bytes is apart from every other.
inline bool Apart(const void* a, const ByteRange& a_range, const void* b, const ByteRange& b_range) {
  const std::uint64_t a_address = reinterpret_cast<std::uintptr_t>(a),
                      b_address = reinterpret_cast<std::uintptr_t>(b);
  const std::uint64_t a_first = a_address + static_cast<std::uint64_t>(a_range.first),
                      a_last = a_address + static_cast<std::uint64_t>(a_range.last),
                      b_first = b_address + static_cast<std::uint64_t>(b_range.first),
                      b_last = b_address + static_cast<std::uint64_t>(b_range.last);
  return a_last <= b_first || b_last <= a_first || a_first == a_last || b_first == b_last;
}

/// The address `bytes` after `data`, computed as a number: pointer arithmetic is defined only within one
/// object.
inline void* AddressAt(const void* data, std::int64_t bytes) {
  return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(data) + static_cast<std::uintptr_t>(bytes));
}

/// kNotShown: not decided within a fixed amount of work; callers treat it as an overlap. Layouts in which
/// each stride exceeds the sum of the smaller ones' reach, in any order of the dimensions, are always decided
/// at once.
enum class Overlap : std::uint8_t { kNone, kSome, kNotShown };

/// Do two different indices have the same address?
///
///   exists i != j below shape: i . strides = j . strides
///
/// Requires: RangeOf has a value.
/// Cost: O(rank^2) for the layouts that occur; never more than a fixed number of steps.
Overlap OverlapsItself(const StridedMemory& memory);

/// Is there a byte that belongs to both? Interleaved tensors, such as the even and the odd columns of one
/// matrix, do not overlap.
///
/// Requires: RangeOf has a value for both.
/// Cost: O(rank) where the ranges are disjoint; never more than a fixed number of steps.
Overlap Overlaps(const StridedMemory& a, const StridedMemory& b);

}  // namespace supremum

#endif  // SUPREMUM_SRC_CORE_OVERLAP_H_
