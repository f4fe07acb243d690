// Memory of a tensor that was given away and comes back when its last owner destroys it.
#ifndef SUPREMUM_SRC_CORE_TENSOR_HOME_H_
#define SUPREMUM_SRC_CORE_TENSOR_HOME_H_

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum {

/// Keeps the memory of one destroyed tensor for the next one of the same type and shape: a large tensor in
/// fresh memory costs more than its elements, because the system clears each page. Any thread may destroy
/// tensors; if several come back, all except the first are freed.
class TensorHome {
 public:
  TensorHome() = default;
  TensorHome(const TensorHome&) = delete;
  TensorHome& operator=(const TensorHome&) = delete;
  ~TensorHome();

  /// `tensor`, whose memory will go to `home` when it is destroyed.
  static Tensor Lend(Tensor tensor, std::shared_ptr<TensorHome> home) {
    tensor.data_.get_deleter().home = std::move(home);
    return tensor;
  }

  /// A tensor in the kept memory; its data is null if there is none. Requires: tensors of this type and shape
  /// were lent.
  Tensor Take(DType dtype, const Shape& shape);

  /// Keeps memory. False: the home has some already.
  bool Keep(std::byte* data) {
    std::byte* none = nullptr;
    return kept_.compare_exchange_strong(none, data, std::memory_order_acq_rel);
  }

 private:
  std::atomic<std::byte*> kept_{nullptr};
};

}  // namespace supremum

#endif  // SUPREMUM_SRC_CORE_TENSOR_HOME_H_
