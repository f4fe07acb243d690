// Memory between elements that must not be accessed.
#ifndef SUPREMUM_TESTS_SUPPORT_FORBIDDEN_GAPS_H_
#define SUPREMUM_TESTS_SUPPORT_FORBIDDEN_GAPS_H_

#include <cstddef>
#include <span>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define SUPREMUM_TESTS_POISON
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SUPREMUM_TESTS_POISON
#endif
#endif
#ifdef SUPREMUM_TESTS_POISON
#include <sanitizer/asan_interface.h>
#endif

namespace supremum::test {

/// During its life, the address sanitizer ends the program where a byte between the elements is loaded or
/// stored. It sees whole multiples of 8 bytes; without it, nothing happens.
class ForbiddenGaps {
 public:
  /// for_each_element(visit) calls visit(address) for each element, of `width` bytes, in `all`, which begins
  /// at a multiple of 8.
  template <class ForEachElement>
  ForbiddenGaps([[maybe_unused]] std::span<const std::byte> all, [[maybe_unused]] std::size_t width,
                [[maybe_unused]] ForEachElement for_each_element) {
#ifdef SUPREMUM_TESTS_POISON
    all_ = all;
    std::vector<bool> has_element(all_.size() / kGranule + 1, false);
    for_each_element([&](const std::byte* element) {
      const std::size_t at = static_cast<std::size_t>(element - all_.data());
      has_element[at / kGranule] = has_element[(at + width - 1) / kGranule] = true;
    });
    for (std::size_t g = 0; g < all_.size() / kGranule; ++g) {
      if (!has_element[g]) __asan_poison_memory_region(all_.data() + g * kGranule, kGranule);
    }
#endif
  }
  ~ForbiddenGaps() {
#ifdef SUPREMUM_TESTS_POISON
    __asan_unpoison_memory_region(all_.data(), all_.size());
#endif
  }
  ForbiddenGaps(const ForbiddenGaps&) = delete;
  ForbiddenGaps& operator=(const ForbiddenGaps&) = delete;

 private:
  [[maybe_unused]] static constexpr std::size_t kGranule = 8;
  [[maybe_unused]] std::span<const std::byte> all_;
};

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_FORBIDDEN_GAPS_H_
