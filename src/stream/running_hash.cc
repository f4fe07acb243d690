#include "stream/running_hash.h"

#include <xxhash.h>

#include <new>
#include <string_view>

namespace supremum::stream {

void RunningHash::Free::operator()(XXH3_state_t* state) const { static_cast<void>(XXH3_freeState(state)); }

RunningHash::RunningHash() : state_(XXH3_createState()) {
  // It fails only when memory cannot be allocated.
  if (state_ == nullptr || XXH3_128bits_reset(state_.get()) != XXH_OK) throw std::bad_alloc();
}

RunningHash::RunningHash(const RunningHash& other) : RunningHash() {
  XXH3_copyState(state_.get(), other.state_.get());
}

void RunningHash::Update(std::span<const std::byte> bytes) {
  // It fails only for a null pointer.
  static_cast<void>(XXH3_128bits_update(state_.get(), bytes.data(), bytes.size()));
}

std::string RunningHash::Hex() const {
  constexpr std::string_view kDigits = "0123456789abcdef";
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state_.get()));
  std::string text;
  for (const unsigned char byte : canonical.digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace supremum::stream
