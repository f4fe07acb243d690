// A tensor argument of Python as a view of its memory: a NumPy array, or an object that implements __dlpack__
// or the buffer protocol. It is read without copying.
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

/// A tensor argument, and the references that keep its memory valid. Extents and strides are copies, so that
/// they do not change while other threads run Python.
///
/// Reading an operand calls its methods, which may change the operands that were read before. Operands are
/// therefore used only after Settle, and no code of Python is called after it.
class Operand {
 public:
  enum class Kind : std::uint8_t { kNumPy, kTorch, kBuffer, kDLPack };
  enum class Access : std::uint8_t { kRead, kWrite };

  Operand() {}
  Operand(const Operand&) = delete;
  Operand& operator=(const Operand&) = delete;
  ~Operand();

  /// Reads the description of `object`. `name` is its name in errors.
  ///
  /// Requires: `object` outlives this.
  /// Errors: kInvalidArgument for an object that is no tensor, a masked array, an array of another subclass
  ///   than memmap, an object that overrides NumPy's functions, a read-only output. Also for an object that
  ///   does not export its memory. Elements of another type or byte order are kTypeNotAdmitted. Otherwise
  ///   kUnsupportedDevice; kRank; those for an invalid DLPack description; exceptions of the object's
  ///   attributes.
  ///   The failure for a dask array is a DaskArrayFound.
  /// Cost: no copy, with one exception: an input whose strides are not multiples of its element's size (a
  ///   field of packed records) is copied. Such an output is an error.
  void Read(PyObject* object, Access access, std::string_view name);

  /// Prevents NumPy from resizing the array, and the arrays it is a view of, while other threads run Python.
  void Pin();

  /// True if the object still has the memory, extents and strides that were read. A buffer and a DLPack
  /// capsule guarantee it by their protocols. For an array of NumPy no Python code is called.
  bool IsAsRead() const;

  PyObject* object() const { return object_; }
  Kind kind() const { return kind_; }
  DType dtype() const { return dtype_; }
  /// NumPy's descriptor of the element type. Requires: kind() is kNumPy.
  const pybind11::object& descr() const { return descr_; }
  DimsView shape() const { return {extents_.data(), rank_}; }
  std::size_t rank() const { return rank_; }

  TensorView View() const { return {dtype_, shape(), strides(), data_}; }
  MutableTensorView MutableView() const { return {dtype_, shape(), strides(), data_}; }

  /// The size of all elements with distinct memory, in bytes: the most that a call reads or writes.
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
  bool row_major_ = false, has_buffer_ = false;
  std::size_t rank_ = 0;
  void* data_ = nullptr;
  pybind11::object descr_;              // an array's element type
  std::vector<pybind11::object> pins_;  // weak references, which prevent resizing
  std::shared_ptr<Tensor> copy_;        // if strides are not multiples of the element's size
  Imported imported_;                   // imported through __dlpack__
  Py_buffer buffer_;                    // set if has_buffer_
  std::array<std::int64_t, kMaxRank> extents_, strides_;  // the first rank_ are set
};

/// A fixed number of operands. Up to three are on the stack, because an allocation takes longer than a small
/// call.
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

/// Checks the operands of a call after all of them have been read and before they are used. The function
/// `each` calls its argument with each operand and with a function that returns its name. If `pinned`, other
/// threads may run Python while the operands are used.
///
/// Errors: kInvalidArgument if an operand was changed meanwhile, by a method of another one.
template <class Each>
void Settle(bool pinned, Each each) {
  if (pinned) each([](Operand& operand, auto) { operand.Pin(); });
  // Those of PyTorch first, because checking them may call Python.
  for (const Operand::Kind kind : {Operand::Kind::kTorch, Operand::Kind::kNumPy}) {
    each([&](Operand& operand, auto name) {
      if (operand.object() != nullptr && operand.kind() == kind && !operand.IsAsRead()) FailOfChange(name());
    });
  }
}

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_OPERAND_H_
