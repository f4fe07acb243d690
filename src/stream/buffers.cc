#include "stream/buffers.h"

#include <algorithm>
#include <limits>
#include <string>

namespace supremum::stream {

Result<std::int64_t> BufferSize(std::int64_t bytes, std::int64_t least, std::int64_t count,
                                bool front_to_back) {
  if (bytes < least) {
    return MakeError(ErrorCode::kLimitExceeded, std::to_string(bytes) + " bytes for buffers are too few; " +
                                                    std::to_string(least) + " are the least");
  }
  return std::min(bytes / count, front_to_back ? kBestBuffer : std::numeric_limits<std::int64_t>::max());
}

Result<Tensor> MakeBuffer(DType dtype, std::int64_t elements) {
  return Tensor::Create(dtype, Shape{elements}, std::numeric_limits<std::int64_t>::max());
}

std::span<std::byte> BytesOf(Tensor& buffer, std::int64_t elements) {
  return buffer.bytes().first(static_cast<std::size_t>(elements) * ByteWidth(buffer.dtype()));
}

}  // namespace supremum::stream
