// An incremental hash, which detects damage.
#ifndef SUPREMUM_SRC_STREAM_RUNNING_HASH_H_
#define SUPREMUM_SRC_STREAM_RUNNING_HASH_H_

#include <cstddef>
#include <memory>
#include <span>
#include <string>

struct XXH3_state_s;

namespace supremum::stream {

/// XXH3, 128 bits, of all bytes given to Update. It is no protection against an attacker, who can change the
/// hash together with the bytes. Cost: about that of reading the bytes from memory. A copy continues from the
/// same bytes.
///
///   RunningHash hash;
///   hash.Update(bytes);
///   std::string so_far = hash.Hex();
class RunningHash {
 public:
  /// Throws std::bad_alloc, as copying does.
  RunningHash();
  RunningHash(const RunningHash& other);
  RunningHash(RunningHash&&) noexcept = default;
  RunningHash& operator=(RunningHash&&) noexcept = default;

  void Update(std::span<const std::byte> bytes);

  /// The hash so far, 32 hexadecimal digits; Update may be called afterwards.
  std::string Hex() const;

 private:
  struct Free {
    void operator()(XXH3_state_s* state) const;
  };

  std::unique_ptr<XXH3_state_s, Free> state_;
};

}  // namespace supremum::stream

#endif  // SUPREMUM_SRC_STREAM_RUNNING_HASH_H_
