// What a call of the C interface comes to: a status, and the text of an error for the thread that called.
#ifndef SUPREMUM_SRC_CAPI_STATUS_H_
#define SUPREMUM_SRC_CAPI_STATUS_H_

#include <utility>

#include "supremum/c_api.h"
#include "supremum/result.h"

namespace supremum::capi {

/// Keeps the text for supremum_last_error, and is the error's status.
supremum_status Fail(Error&& error) noexcept;

/// The same where even a text is not to be had.
supremum_status FailForWantOfMemory() noexcept;

/// The status of `call()`, a Result<void>. Exceptions end here: what the library and the standard library
/// throw is std::bad_alloc, and std::length_error for more than any machine has.
template <class Call>
supremum_status StatusOf(Call call) noexcept {
  try {
    Result<void> done = call();
    return done ? SUPREMUM_OK : Fail(std::move(done).error());
  } catch (...) {
    return FailForWantOfMemory();
  }
}

/// kInvalidArgument: `what` is a null pointer.
Error NullError(const char* what);

}  // namespace supremum::capi

#endif  // SUPREMUM_SRC_CAPI_STATUS_H_
