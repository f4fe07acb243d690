#include "io/formats/byte_order.h"

namespace supremum::io {
namespace {

template <std::size_t kWidth>
void SwapBytesOf(std::span<std::byte> elements) {
  for (std::size_t i = 0; i < elements.size(); i += kWidth) {
    std::reverse(elements.data() + i, elements.data() + i + kWidth);
  }
}

}  // namespace

void SwapBytes(std::span<std::byte> elements, std::size_t width) {
  if (width == 2) SwapBytesOf<2>(elements);
  if (width == 4) SwapBytesOf<4>(elements);
  if (width == 8) SwapBytesOf<8>(elements);
}

Result<void> WriteElements(const Tensor& tensor, AtomicFile* file) {
  return ForEachLittleEndianPiece(tensor.bytes(), ByteWidth(tensor.dtype()),
                                  [&](std::span<const std::byte> piece) { return file->Write(piece); });
}

std::string LittleEndianBytes(const Tensor& tensor) {
  std::string bytes(tensor.byte_size(), '\0');
  const std::span<std::byte> copied = std::as_writable_bytes(std::span(bytes));
  std::ranges::copy(tensor.bytes(), copied.begin());
  ToMachineOrder(copied, ByteWidth(tensor.dtype()), /*file_is_big_endian=*/false);
  return bytes;
}

}  // namespace supremum::io
