// Turns an allocation failure into an error, without allocating.
#ifndef SUPREMUM_SRC_CORE_OUT_OF_MEMORY_H_
#define SUPREMUM_SRC_CORE_OUT_OF_MEMORY_H_

#include <new>
#include <stdexcept>

#include "supremum/result.h"

namespace supremum {

/// The Result of `call()`; kOutOfMemory if the standard library throws for an allocation failure. The text of
/// that error is short enough to need no allocation.
template <class Call>
auto OrOutOfMemory(Call call) -> decltype(call()) {
#if defined(__cpp_exceptions)
  try {
    return call();
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {  // a size beyond the address space
  }
  return Error{ErrorCode::kOutOfMemory, "out of memory"};
#else
  return call();
#endif
}

}  // namespace supremum

#endif  // SUPREMUM_SRC_CORE_OUT_OF_MEMORY_H_
