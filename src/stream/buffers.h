// Sizes of tiles, and their memory.
#ifndef SUPREMUM_SRC_STREAM_BUFFERS_H_
#define SUPREMUM_SRC_STREAM_BUFFERS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "supremum/dtype.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor.h"
#include "supremum/tensor_view.h"

namespace supremum::stream {

/// The smallest buffer, in bytes: some elements of any type. It is slow.
inline constexpr std::int64_t kLeastBuffer = 64;

/// The largest useful buffer for files that are read from front to back, in bytes: up to this size, the data
/// read is still in the second-level cache when it is used.
inline constexpr std::int64_t kBestBuffer = std::int64_t{1} << 18;

/// The bytes for which it is worthwhile to wake another thread.
inline constexpr std::int64_t kWorthWaking = std::int64_t{1} << 21;

/// The size of each of `count` buffers, in bytes. Errors: kLimitExceeded if `bytes` is less than `least`.
Result<std::int64_t> BufferSize(std::int64_t bytes, std::int64_t least, std::int64_t count,
                                bool front_to_back);

/// Memory for `elements` elements of that type. Errors: kOutOfMemory.
Result<Tensor> MakeBuffer(DType dtype, std::int64_t elements);

/// Two buffers for elements that will be written, each for the same whole number of tiles: as many as fit
/// into half of `bytes` and into kWorthWaking, but at least one. Errors: kOutOfMemory.
Result<std::array<Tensor, 2>> MakeOutputBuffers(DType dtype, std::int64_t tile_elements, std::int64_t bytes);

/// The first `elements` of a buffer, as bytes.
std::span<std::byte> BytesOf(Tensor& buffer, std::int64_t elements);

/// `view` from `offset` elements on.
template <class View>
View From(View view, std::int64_t offset) {
  using Byte = std::conditional_t<std::is_same_v<View, TensorView>, const std::byte, std::byte>;
  view.data = static_cast<Byte*>(view.data) + offset * static_cast<std::int64_t>(ByteWidth(view.dtype));
  return view;
}

}  // namespace supremum::stream

#endif  // SUPREMUM_SRC_STREAM_BUFFERS_H_
