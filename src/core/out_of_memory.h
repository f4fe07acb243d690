// Turns an allocation failure into an error, without allocating.
#ifndef SUPREMUM_SRC_CORE_OUT_OF_MEMORY_H_
#define SUPREMUM_SRC_CORE_OUT_OF_MEMORY_H_

#include <cstddef>
#include <new>
#include <stdexcept>
#include <string>

#include "supremum/result.h"

namespace supremum {

/// kOutOfMemory: "could not allocate 16000000 bytes for a plan of 3 inputs".
inline Error AllocationError(std::size_t bytes, const std::string& what) {
  return MakeError(ErrorCode::kOutOfMemory,
                   "could not allocate " + std::to_string(bytes) + " bytes for " + what);
}

/// kOutOfMemory with its title and no details. It needs no allocation: the text fits into the string itself.
inline Error OutOfMemoryError() {
  Error error{ErrorCode::kOutOfMemory, "out of memory"};
  error.details_begin = error.message.size();
  return error;
}

/// Returns the Result of `call()`; OutOfMemoryError if the standard library could not allocate.
template <class Call>
auto OrOutOfMemory(Call call) -> decltype(call()) {
#if defined(__cpp_exceptions)
  try {
    return call();
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {  // a size beyond the address space
  }
  return OutOfMemoryError();
#else
  return call();
#endif
}

}  // namespace supremum

#endif  // SUPREMUM_SRC_CORE_OUT_OF_MEMORY_H_
