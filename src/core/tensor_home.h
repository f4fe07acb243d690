// Memory of a tensor that was given away and comes back when its last owner destroys it.
#ifndef SUPREMUM_SRC_CORE_TENSOR_HOME_H_
#define SUPREMUM_SRC_CORE_TENSOR_HOME_H_

#include <atomic>
#include <cstddef>
#include <memory>

#include "supremum/dtype.h"
#include "supremum/shape.h"
#include "supremum/tensor.h"

namespace supremum {

/// Keeps the memory of one destroyed tensor for the next one of the same type and shape: a large tensor in
/// fresh memory costs more than its elements, because the system clears each page. Any thread may destroy
/// tensors; if several come back, all except the first are freed.
///
/// The maker and each lent tensor own it. The owners are counted here: std::shared_ptr would call through
/// pointers, which the bound on the stack of src/core excludes.
class TensorHome {
 public:
  struct Releaser {
    void operator()(TensorHome* home) const { home->Release(); }
  };
  static std::unique_ptr<TensorHome, Releaser> Make() {
    return std::unique_ptr<TensorHome, Releaser>(new TensorHome);
  }

  TensorHome(const TensorHome&) = delete;
  TensorHome& operator=(const TensorHome&) = delete;

  /// `tensor`, whose memory comes back here when it is destroyed. Requires: it was not lent.
  Tensor Lend(Tensor tensor);

  /// A tensor in the kept memory; its data is null if there is none. Requires: tensors of this type and shape
  /// were lent.
  Tensor Take(DType dtype, const Shape& shape);

 private:
  friend class Tensor;  // its deleter

  TensorHome() = default;
  ~TensorHome() = default;

  // Keeps memory. False: there is some already.
  bool Keep(std::byte* data) {
    std::byte* none = nullptr;
    return kept_.compare_exchange_strong(none, data, std::memory_order_acq_rel);
  }
  // An owner ends. The last one frees the kept memory.
  void Release();

  std::atomic<std::byte*> kept_{nullptr};
  std::atomic<int> owners_{1};
};

}  // namespace supremum

#endif  // SUPREMUM_SRC_CORE_TENSOR_HOME_H_
