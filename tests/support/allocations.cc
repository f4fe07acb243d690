#include "support/allocations.h"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

// Every allocation of this program passes through here.
std::atomic<std::size_t> allocations{0};
std::atomic<std::size_t> freed{0};

// How many of the thread's are still good; below zero, none of them fails.
thread_local std::ptrdiff_t good_allocations = -1;
thread_local bool one_has_failed = false;
thread_local bool only_one_fails = false;

void* Allocate(std::size_t size, std::size_t alignment) {
  if (good_allocations == 0) {
    one_has_failed = true;
    if (only_one_fails) good_allocations = -1;
    return nullptr;
  }
  ++allocations;
  if (good_allocations > 0) --good_allocations;
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
  std::free(memory);
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
