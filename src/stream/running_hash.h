// A hash of bytes that go past, by which damage is noticed.
#ifndef SUPREMUM_SRC_STREAM_RUNNING_HASH_H_
#define SUPREMUM_SRC_STREAM_RUNNING_HASH_H_

#include <cstddef>
#include <memory>
#include <span>
#include <string>

struct XXH3_state_s;

namespace supremum::stream {

/// XXH3, 128 bits, of what Update has seen. Not against people who mean harm: whoever can change the bytes
/// can change the hash beside them. Cost: about that of reading the bytes from memory. A copy has seen the
/// same.
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

  /// The hash so far, 32 hexadecimal digits; more can follow.
  std::string Hex() const;

 private:
  struct Free {
    void operator()(XXH3_state_s* state) const;
  };

  std::unique_ptr<XXH3_state_s, Free> state_;
};

}  // namespace supremum::stream

#endif  // SUPREMUM_SRC_STREAM_RUNNING_HASH_H_
