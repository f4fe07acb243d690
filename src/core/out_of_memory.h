// Where the machine has no memory left, not even for the text of an error.
#ifndef SUPREMUM_SRC_CORE_OUT_OF_MEMORY_H_
#define SUPREMUM_SRC_CORE_OUT_OF_MEMORY_H_

#include <new>
#include <stdexcept>

#include "supremum/result.h"

namespace supremum {

/// What `call()` returns, a Result; kOutOfMemory where the standard library throws for want of memory. The
/// text of that error is so short that it takes none.
template <class Call>
auto OrOutOfMemory(Call call) -> decltype(call()) {
#if defined(__cpp_exceptions)
  try {
    return call();
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {  // more than any machine has
  }
  return Error{ErrorCode::kOutOfMemory, "out of memory"};
#else
  return call();
#endif
}

}  // namespace supremum

#endif  // SUPREMUM_SRC_CORE_OUT_OF_MEMORY_H_
