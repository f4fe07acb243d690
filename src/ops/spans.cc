#include "supremum/spans.h"

#include <cstdint>
#include <string>

#include "core/out_of_memory.h"
#include "core/overlap.h"
#include "kernels/kernels.h"
#include "rules/views.h"

namespace supremum::internal {
namespace {

std::string Elements(std::size_t size) {
  return std::to_string(size) + (size == 1 ? " element" : " elements");
}

// Not part of MaxOfSpans, which would make room for its texts in each call.
[[gnu::cold, gnu::noinline]] Result<void> ErrorOf(std::size_t a_size, std::size_t b_size, std::size_t y_size,
                                                  bool shares_with_a) {
  return OrOutOfMemory([&]() -> Result<void> {
    if (a_size != b_size) {
      return MakeError(ErrorCode::kNotBroadcastable, "MAX-3",
                       "input 0 has " + Elements(a_size) + " and input 1 has " + Elements(b_size),
                       "; give both as many elements");
    }
    if (a_size != y_size) {
      return MakeError(ErrorCode::kOutputShapeMismatch, "the output has " + Elements(y_size) +
                                                            " and the inputs have " + std::to_string(a_size) +
                                                            "; give the output as many elements");
    }
    return SharedMemoryError("the output", shares_with_a ? "input 0" : "input 1", Overlap::kSome,
                             "it may be exactly that span or have no byte in common with it");
  });
}

}  // namespace

Result<void> MaxOfSpans(DType dtype, const void* a, std::size_t a_size, const void* b, std::size_t b_size,
                        void* y, std::size_t y_size) {
  if (a_size != b_size || a_size != y_size) return ErrorOf(a_size, b_size, y_size, false);
  if (y_size == 0) return {};
  const std::size_t width = ByteWidth(dtype), bytes = y_size * width;
  const bool shares_with_a = a != y && !Apart(a, bytes, y, bytes);
  if (shares_with_a || (b != y && !Apart(b, bytes, y, bytes))) {
    return ErrorOf(a_size, b_size, y_size, shares_with_a);
  }
  const std::ptrdiff_t dense = static_cast<std::ptrdiff_t>(width);
  kernels::ActiveKernels().For(dtype).join({static_cast<const std::byte*>(a), dense},
                                           {static_cast<const std::byte*>(b), dense},
                                           {static_cast<std::byte*>(y), dense}, y_size);
  return {};
}

void ReduceMaxOfSpan(DType dtype, const void* x, std::size_t size, void* y) {
  const std::ptrdiff_t dense = static_cast<std::ptrdiff_t>(ByteWidth(dtype));
  kernels::ActiveKernels().For(dtype).reduce_runs(
      {static_cast<const std::byte*>(x), dense, dense, 1, size, true}, static_cast<std::byte*>(y));
}

}  // namespace supremum::internal
