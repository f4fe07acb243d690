// What Python gives as a tensor, as a view of its memory: NumPy's arrays, what has __dlpack__, what has the
// buffer protocol. Nothing is copied.
#ifndef SUPREMUM_PYTHON_OPERAND_H_
#define SUPREMUM_PYTHON_OPERAND_H_

#include <pybind11/pybind11.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dlpack.h"
#include "supremum/dtype.h"
#include "supremum/shape.h"
#include "supremum/tensor.h"
#include "supremum/tensor_view.h"

namespace supremum::python {

/// A tensor that Python holds, and what keeps its memory where it is. The extents and strides are copies, so
/// that they stay while other threads run Python.
///
/// Reading one operand calls its own methods, which may do anything with those read before. What has been
/// read is therefore used only after Settle, behind which nothing of Python is called.
class Operand {
 public:
  enum class Kind : std::uint8_t { kNumPy, kTorch, kBuffer, kDLPack };
  enum class Access : std::uint8_t { kRead, kWrite };

  Operand() {}
  Operand(const Operand&) = delete;
  Operand& operator=(const Operand&) = delete;
  ~Operand();

  /// Looks at `object`, which must outlive this. `name` is what errors call it.
  ///
  /// Errors: kInvalidArgument for no tensor, a masked array, an output that is read-only, an object that does
  ///   not give its memory; kUnsupportedDevice; kTypeNotAdmitted for elements of another kind or byte order;
  ///   kRank; those of a DLPack descriptor that lies; what the object's attributes raise.
  /// Cost: no copy, with one exception: an input whose strides are no multiples of its element's size (a
  ///   field of packed records) is copied. Such an output is an error.
  void Read(PyObject* object, Access access, std::string_view name);

  /// Keeps NumPy from resizing the array, and those it is a view of, while other threads run Python.
  void Pin();

  /// True if the object still has the memory, extents and strides that were read. A buffer and a DLPack
  /// capsule promise that; for an array of NumPy nothing of Python is called.
  bool IsAsRead() const;

  PyObject* object() const { return object_; }
  Kind kind() const { return kind_; }
  DType dtype() const { return dtype_; }
  /// The element type as NumPy has it. Requires: kind() is kNumPy.
  const pybind11::object& descr() const { return descr_; }
  DimsView shape() const { return {extents_.data(), rank_}; }
  std::size_t rank() const { return rank_; }
  /// True if the elements lie side by side, the first dimension innermost, and not row-major.
  bool column_major() const { return column_major_; }

  TensorView View() const { return {dtype_, shape(), strides(), data_}; }
  MutableTensorView MutableView() const { return {dtype_, shape(), strides(), data_}; }

  /// The elements that all have memory of their own, in bytes: what a call reads or writes at most.
  std::size_t Bytes() const;

 private:
  DimsView strides() const { return {strides_.data(), row_major_ ? 0 : rank_}; }
  void ReadArray(PyObject* object, Access access, std::string_view name);
  void ReadBuffer(PyObject* object, Access access, std::string_view name);
  void ReadTorch(PyObject* object, std::string_view name);
  void ReadDLPack(PyObject* object, PyObject* method, std::string_view name);
  void TakeExtents(const std::int64_t* extents, std::size_t rank, std::string_view name);
  bool TakeByteStrides(const Py_ssize_t* strides);
  bool IsSameArray() const;
  bool IsSameTorch() const;

  PyObject* object_ = nullptr;
  Kind kind_ = Kind::kNumPy;
  DType dtype_ = DType::kFloat32;
  Access access_ = Access::kRead;
  bool row_major_ = false, column_major_ = false, has_buffer_ = false;
  std::size_t rank_ = 0;
  void* data_ = nullptr;
  pybind11::object descr_;                                // an array's element type
  std::vector<pybind11::object> pins_;                    // weak references: NumPy then resizes nothing
  std::shared_ptr<Tensor> copy_;                          // of elements at steps of any number of bytes
  Imported imported_;                                     // what came through __dlpack__
  Py_buffer buffer_;                                      // set if has_buffer_
  std::array<std::int64_t, kMaxRank> extents_, strides_;  // the first rank_ are set
};

/// A fixed number of operands; a few lie on the stack, because taking memory would take longer than they do.
class Operands {
 public:
  explicit Operands(std::size_t count) : count_(count) {
    if (count > few_.size()) many_ = std::make_unique<Operand[]>(count);
  }
  Operand& operator[](std::size_t m) { return many_ ? many_[m] : few_[m]; }
  std::size_t size() const { return count_; }

 private:
  std::size_t count_;
  std::array<Operand, 3> few_;
  std::unique_ptr<Operand[]> many_;
};

/// Throws kInvalidArgument: the operand is not IsAsRead().
[[noreturn]] void FailOfChange(std::string_view name);

/// What stands between reading the operands of a call and using them: `each` calls its argument with each
/// operand and with a function that makes its name. `pinned` where other threads will run Python.
///
/// Errors: kInvalidArgument if an operand was changed meanwhile, by the methods of another one.
template <class Each>
void Settle(bool pinned, Each each) {
  if (pinned) each([](Operand& operand, auto) { operand.Pin(); });
  // Those of PyTorch first, because to look at them may call Python.
  for (const Operand::Kind kind : {Operand::Kind::kTorch, Operand::Kind::kNumPy}) {
    each([&](Operand& operand, auto name) {
      if (operand.object() != nullptr && operand.kind() == kind && !operand.IsAsRead()) FailOfChange(name());
    });
  }
}

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_OPERAND_H_
