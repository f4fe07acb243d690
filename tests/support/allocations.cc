#include "support/allocations.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <new>

#include "support/sanitized.h"

namespace {

// Every allocation of this program passes through here.
std::atomic<std::size_t> allocations{0};
std::atomic<std::size_t> freed{0};

// How many of the thread's are still good; below zero, none of them fails.
thread_local std::ptrdiff_t good_allocations = -1;
thread_local bool one_has_failed = false;
thread_local bool only_one_fails = false;

thread_local bool guarded = false;

// The allocations that end before a page that cannot be read. More than there is room for are not guarded.
class Guarded {
 public:
  // Null if there is no room.
  void* Allocate(std::size_t size, std::size_t alignment) {
    const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t usable = (size + page - 1) / page * page;
    const std::lock_guard lock(mutex_);
    if (count_ == pages_.size() || alignment > page) return nullptr;
    // Aligns the memory to the largest power of two up to its size, because clang assumes this of a new
    // expression. An object with a pointer has a multiple of alignof(void*) bytes: any other size keeps its
    // alignment, so that the memory ends closer to the end of the page.
    if (size > 0 && size % alignof(void*) == 0) {
      alignment = std::max(alignment, std::min(std::bit_floor(size), alignof(std::max_align_t)));
    }
    void* const mapped =
        ::mmap(nullptr, usable + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return nullptr;
    std::byte* const begin = static_cast<std::byte*>(mapped);
    if (::mprotect(begin + usable, page, PROT_NONE) != 0) std::abort();
    std::byte* const memory = begin + (usable - size) / alignment * alignment;
    pages_[count_++] = {memory, begin, usable + page};
    return memory;
  }

  // False if that is not one of them.
  bool Free(void* memory) {
    if (count_ == 0) return false;
    const std::lock_guard lock(mutex_);
    for (std::size_t k = 0; k < count_; ++k) {
      if (pages_[k].memory != memory) continue;
      ::munmap(pages_[k].begin, pages_[k].bytes);
      pages_[k] = pages_[--count_];
      return true;
    }
    return false;
  }

 private:
  struct Pages {
    void* memory = nullptr;
    void* begin = nullptr;
    std::size_t bytes = 0;
  };
  std::mutex mutex_;
  std::array<Pages, 8192> pages_ = {};
  std::atomic<std::size_t> count_ = 0;
};
constinit Guarded guarded_allocations;

void* Allocate(std::size_t size, std::size_t alignment) {
  if (good_allocations == 0) {
    one_has_failed = true;
    if (only_one_fails) good_allocations = -1;
    return nullptr;
  }
  ++allocations;
  if (good_allocations > 0) --good_allocations;
  if (guarded) {
    if (void* memory = guarded_allocations.Allocate(size, alignment)) return memory;
  }
  return alignment <= alignof(std::max_align_t)
             ? std::malloc(size)
             : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* AllocateOrThrow(std::size_t size, std::size_t alignment) {
  if (void* memory = Allocate(size == 0 ? 1 : size, alignment)) return memory;
  throw std::bad_alloc();
}

void Free(void* memory) {
  if (memory != nullptr) ++freed;
  if (!guarded_allocations.Free(memory)) std::free(memory);
}

}  // namespace

std::size_t supremum::test::Allocations() { return allocations; }

std::size_t supremum::test::LiveAllocations() { return allocations - freed; }

supremum::test::FailingAllocations::FailingAllocations(std::size_t good, bool once) {
  only_one_fails = once;
  good_allocations = static_cast<std::ptrdiff_t>(good);
  one_has_failed = false;
}
supremum::test::FailingAllocations::~FailingAllocations() { good_allocations = -1; }
bool supremum::test::FailingAllocations::Failed() const { return one_has_failed; }

supremum::test::GuardedAllocations::GuardedAllocations() { guarded = !supremum::test::kIsSanitized; }
supremum::test::GuardedAllocations::~GuardedAllocations() { guarded = false; }

void* operator new(std::size_t size) { return AllocateOrThrow(size, 1); }
void* operator new[](std::size_t size) { return AllocateOrThrow(size, 1); }
void* operator new(std::size_t size, std::align_val_t align) {
  return AllocateOrThrow(size, static_cast<std::size_t>(align));
}
void* operator new[](std::size_t size, std::align_val_t align) {
  return AllocateOrThrow(size, static_cast<std::size_t>(align));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return Allocate(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return Allocate(size, 1); }
void* operator new(std::size_t size, std::align_val_t align, const std::nothrow_t&) noexcept {
  return Allocate(size, static_cast<std::size_t>(align));
}
void* operator new[](std::size_t size, std::align_val_t align, const std::nothrow_t&) noexcept {
  return Allocate(size, static_cast<std::size_t>(align));
}
void operator delete(void* memory) noexcept { Free(memory); }
void operator delete[](void* memory) noexcept { Free(memory); }
void operator delete(void* memory, std::size_t) noexcept { Free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { Free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { Free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { Free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { Free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { Free(memory); }
