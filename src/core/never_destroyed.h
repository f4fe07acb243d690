// An object that lives until the process ends.
#ifndef SUPREMUM_SRC_CORE_NEVER_DESTROYED_H_
#define SUPREMUM_SRC_CORE_NEVER_DESTROYED_H_

#include <cstddef>
#include <new>

namespace supremum {

/// A T in static storage that no destructor ends, so that threads may use it while the program ends. It is
/// not allocated, so that its first use needs no memory.
///
///   static NeverDestroyed<std::mutex> mutex;
///   const std::lock_guard lock(*mutex);
template <class T>
class NeverDestroyed {
 public:
  NeverDestroyed() { ::new (static_cast<void*>(storage_)) T; }
  NeverDestroyed(const NeverDestroyed&) = delete;
  NeverDestroyed& operator=(const NeverDestroyed&) = delete;

  T& operator*() { return *std::launder(reinterpret_cast<T*>(storage_)); }

 private:
  alignas(T) std::byte storage_[sizeof(T)];
};

}  // namespace supremum

#endif  // SUPREMUM_SRC_CORE_NEVER_DESTROYED_H_
