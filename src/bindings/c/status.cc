#include "bindings/c/status.h"

#include <string>

namespace supremum::capi {
namespace {

// `text` may be a literal, which needs no allocation.
struct LastError {
  std::string made;
  const char* text = "";
};
thread_local LastError last_error;

}  // namespace

supremum_status Fail(Error&& error) noexcept {
  // No details: they could not be allocated either.
  if (error.code == ErrorCode::kOutOfMemory && error.details().empty()) return FailOutOfMemory();
  last_error.made = std::move(error.message);
  last_error.text = last_error.made.c_str();
  return static_cast<supremum_status>(error.code);
}

supremum_status FailOutOfMemory() noexcept {
  last_error.text = "out of memory: an allocation failed; free memory, or use smaller tensors";
  return SUPREMUM_ERROR_OUT_OF_MEMORY;
}

Error NullError(const char* what) {
  return MakeError(ErrorCode::kInvalidArgument, std::string(what) + " is a null pointer");
}

}  // namespace supremum::capi

const char* supremum_last_error(void) { return supremum::capi::last_error.text; }

const char* supremum_status_name(supremum_status status) {
  if (status == SUPREMUM_OK) return "ok";
  for (const supremum::ErrorInfo& info : supremum::kErrorTable) {
    // The table's names are string literals, which end with a zero byte.
    if (static_cast<supremum_status>(info.code) == status) return info.name.data();
  }
  return "unknown";
}
