// The byte order of elements: that of the processor in memory, little-endian in every file that is written
// and in most files that are read.
#ifndef SUPREMUM_SRC_IO_FORMATS_BYTE_ORDER_H_
#define SUPREMUM_SRC_IO_FORMATS_BYTE_ORDER_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>
#include <string>

#include "io/files/atomic_file.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum::io {

static_assert(std::endian::native == std::endian::little || std::endian::native == std::endian::big);
inline constexpr bool kBigEndianMachine = std::endian::native == std::endian::big;

/// Reverses the bytes of each element. Requires: whole elements.
void SwapBytes(std::span<std::byte> elements, std::size_t width);

/// Converts elements from a file's byte order to the processor's, in place. Requires: whole elements.
inline void ToMachineOrder(std::span<std::byte> elements, std::size_t width, bool file_is_big_endian) {
  if (file_is_big_endian != kBigEndianMachine) SwapBytes(elements, width);
}

/// Calls `use(std::span<const std::byte>)`, which returns a Result<void>, with `elements` as little-endian
/// bytes: once with all of them on a little-endian processor, otherwise once for each piece of up to 4096
/// bytes, in order. Returns the first error.
///
/// Requires: whole elements. `kSwap` is for tests.
template <bool kSwap = kBigEndianMachine, class Use>
Result<void> ForEachLittleEndianPiece(std::span<const std::byte> elements, std::size_t width, Use use) {
  if (!kSwap || width == 1) return use(elements);
  std::array<std::byte, 4096> swapped;  // a multiple of every width
  while (!elements.empty()) {
    const std::span<std::byte> piece = std::span(swapped).first(std::min(elements.size(), swapped.size()));
    std::copy_n(elements.begin(), piece.size(), piece.begin());
    SwapBytes(piece, width);
    if (Result<void> done = use(std::span<const std::byte>(piece)); !done) return done;
    elements = elements.subspan(piece.size());
  }
  return {};
}

/// Writes the elements of `tensor`, little-endian. Errors: those of AtomicFile::Write.
Result<void> WriteElements(const Tensor& tensor, AtomicFile* file);

/// The elements of `tensor`, little-endian. May throw std::bad_alloc.
std::string LittleEndianBytes(const Tensor& tensor);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FORMATS_BYTE_ORDER_H_
