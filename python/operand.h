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

#include "supremum/dtype.h"
#include "supremum/shape.h"
#include "supremum/tensor_view.h"

namespace supremum::python {

/// A tensor that Python holds, and what keeps its memory where it is. The extents and strides are copies, so
/// that they stay while other threads run Python.
class Operand {
 public:
  enum class Kind : std::uint8_t { kNumPy, kBuffer, kDLPack };
  enum class Access : std::uint8_t { kRead, kWrite };

  Operand() {}
  Operand(const Operand&) = delete;
  Operand& operator=(const Operand&) = delete;
  ~Operand();

  /// Looks at `object`, which must outlive this. `name` is what errors call it.
  ///
  /// Errors: kInvalidArgument for no tensor, memory of another device, a masked array, an output that is
  ///   read-only; kTypeNotAdmitted for elements of another kind or byte order; kRank.
  /// Cost: no copy, with one exception: an input whose strides are no multiples of its element's size (a
  ///   field of packed records) is copied by NumPy. Such an output is an error.
  void Read(PyObject* object, Access access, std::string_view name);

  PyObject* object() const { return object_; }
  Kind kind() const { return kind_; }
  DType dtype() const { return dtype_; }
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
  void ReadDLPack(PyObject* object, std::string_view name);
  void TakeExtents(const std::int64_t* extents, std::size_t rank, std::string_view name);
  bool TakeByteStrides(const Py_ssize_t* strides);

  PyObject* object_ = nullptr;
  Kind kind_ = Kind::kNumPy;
  DType dtype_ = DType::kFloat32;
  bool row_major_ = false, column_major_ = false, has_buffer_ = false;
  std::size_t rank_ = 0;
  void* data_ = nullptr;
  pybind11::object keep_;                                 // a capsule or a copy
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

/// "list", "numpy.ndarray": what errors call the type of an object.
std::string TypeName(PyObject* object);

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_OPERAND_H_
