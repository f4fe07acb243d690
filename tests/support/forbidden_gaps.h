// Memory between elements that must not be accessed.
#ifndef SUPREMUM_TESTS_SUPPORT_FORBIDDEN_GAPS_H_
#define SUPREMUM_TESTS_SUPPORT_FORBIDDEN_GAPS_H_

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
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

/// During its life, a load or store of a byte between the elements ends the program: the address sanitizer
/// sees whole multiples of 8 bytes, and the processor whole pages.
class ForbiddenGaps {
 public:
  /// for_each_element(visit) calls visit(address) for each element, of `width` bytes, in `all`.
  template <class ForEachElement>
  ForbiddenGaps(std::span<const std::byte> all, std::size_t width, ForEachElement for_each_element)
      : begin_(AddressOf(all.data())), end_(begin_ + all.size()) {
    std::vector<bool> is_used(end_ / granule_ - begin_ / granule_ + 1, false);
    is_used.front() = begin_ % granule_ != 0;
    is_used.back() = true;
    for_each_element([&](const std::byte* element) {
      const std::uintptr_t at = AddressOf(element);
      is_used[at / granule_ - begin_ / granule_] = is_used[(at + width - 1) / granule_ - begin_ / granule_] =
          true;
    });
    for (std::size_t g = 0; g < is_used.size(); ++g) {
      if (!is_used[g]) Forbid((begin_ / granule_ + g) * granule_);
    }
  }
  ~ForbiddenGaps() {
#ifdef SUPREMUM_TESTS_POISON
    __asan_unpoison_memory_region(reinterpret_cast<void*>(begin_), end_ - begin_);
#else
    for (const std::uintptr_t page : forbidden_)
      mprotect(reinterpret_cast<void*>(page), granule_, PROT_READ | PROT_WRITE);
#endif
  }
  ForbiddenGaps(const ForbiddenGaps&) = delete;
  ForbiddenGaps& operator=(const ForbiddenGaps&) = delete;

 private:
  static std::uintptr_t AddressOf(const std::byte* byte) { return reinterpret_cast<std::uintptr_t>(byte); }

  void Forbid(std::uintptr_t at) {
#ifdef SUPREMUM_TESTS_POISON
    __asan_poison_memory_region(reinterpret_cast<void*>(at), granule_);
#else
    if (mprotect(reinterpret_cast<void*>(at), granule_, PROT_NONE) == 0) forbidden_.push_back(at);
#endif
  }

#ifdef SUPREMUM_TESTS_POISON
  const std::uintptr_t granule_ = 8;
#else
  const std::uintptr_t granule_ = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  std::vector<std::uintptr_t> forbidden_;
#endif
  std::uintptr_t begin_, end_;
};

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_FORBIDDEN_GAPS_H_
