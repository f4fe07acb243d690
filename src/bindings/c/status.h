// The result of a call of the C interface: a status, and the text of an error for the calling thread.
#ifndef SUPREMUM_SRC_BINDINGS_C_STATUS_H_
#define SUPREMUM_SRC_BINDINGS_C_STATUS_H_

#include <utility>

#include "supremum/c_api.h"
#include "supremum/result.h"

namespace supremum::capi {

/// Stores the text for supremum_last_error, and returns the error's status.
supremum_status Fail(Error&& error) noexcept;

/// The same for an allocation failure, without allocating a text.
supremum_status FailOutOfMemory() noexcept;

/// The status of `call()`, a Result<void>. No exception leaves this function: the library and the standard
/// library throw std::bad_alloc, and std::length_error for sizes beyond the address space.
template <class Call>
supremum_status StatusOf(Call call) noexcept {
  try {
    Result<void> done = call();
    return done ? SUPREMUM_OK : Fail(std::move(done).error());
  } catch (...) {
    return FailOutOfMemory();
  }
}

/// kInvalidArgument: `what` is a null pointer.
Error NullError(const char* what);

}  // namespace supremum::capi

#endif  // SUPREMUM_SRC_BINDINGS_C_STATUS_H_
