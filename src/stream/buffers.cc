#include "stream/buffers.h"

#include <algorithm>
#include <limits>
#include <string>

namespace supremum::stream {

Result<std::int64_t> BufferSize(std::int64_t bytes, std::int64_t least, std::int64_t count,
                                bool front_to_back) {
  if (bytes < least) {
    return MakeError(ErrorCode::kLimitExceeded, std::to_string(bytes) +
                                                    " bytes for buffers are too few; at least " +
                                                    std::to_string(least) + " are needed");
  }
  return std::min(bytes / count, front_to_back ? kBestBuffer : std::numeric_limits<std::int64_t>::max());
}

Result<Tensor> MakeBuffer(DType dtype, std::int64_t elements) {
  return Tensor::Create(dtype, Shape{elements}, std::numeric_limits<std::int64_t>::max());
}

Result<std::array<Tensor, 2>> MakeOutputBuffers(DType dtype, std::int64_t tile_elements, std::int64_t bytes) {
  const std::int64_t tile =
      std::max<std::int64_t>(tile_elements, 1) * static_cast<std::int64_t>(ByteWidth(dtype));
  const std::int64_t tiles = std::max<std::int64_t>(std::min(bytes / 2, kWorthWaking) / tile, 1);
  std::array<Tensor, 2> buffers;
  for (Tensor& buffer : buffers) {
    Result<Tensor> made = MakeBuffer(dtype, tiles * tile_elements);
    if (!made) return made.error();
    buffer = *std::move(made);
  }
  return buffers;
}

std::span<std::byte> BytesOf(Tensor& buffer, std::int64_t elements) {
  return buffer.bytes().first(static_cast<std::size_t>(elements) * ByteWidth(buffer.dtype()));
}

}  // namespace supremum::stream
