// A tensor in a file, read in parts.
#ifndef SUPREMUM_SRC_STREAM_SOURCE_H_
#define SUPREMUM_SRC_STREAM_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "io/formats/element_file.h"
#include "stream/box.h"
#include "supremum/dtype.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor_view.h"

namespace supremum::stream {

/// An open .npy, .safetensors or raw file.
class Source {
 public:
  /// Errors: those of io::OpenElements; kIo.
  static Result<Source> Open(const std::string& spec, std::optional<DType> stated);

  DType dtype() const { return elements_.dtype; }
  const Shape& shape() const { return elements_.shape; }
  const io::InputFile& file() const { return elements_.file; }
  std::int64_t byte_size() const;

  /// True if the file has the first dimension innermost, and the order of dimensions makes a difference.
  bool columns_first() const { return columns_first_; }

  /// Type and shape without data, for the checks of an operator.
  TensorView Description() const { return TensorView{dtype(), shape(), {}, nullptr}; }

  /// The strides of a dense tensor with these extents and the file's order of dimensions.
  Shape DenseStrides(DimsView extent) const;

  /// Reads the elements of a box, in the file's order of dimensions, without gaps, in the processor's byte
  /// order: a tensor with DenseStrides(box.extent).
  ///
  /// Requires: the box is inside the shape; `into` has the size of its elements; the caller calls
  /// CheckUnchanged after all reads.
  ///
  /// Errors: kIo, kMalformedFile (the file has become shorter; a bool that is neither 0 nor 1).
  /// Cost: one read for each contiguous run; runs near each other are read together.
  Result<void> Read(const Box& box, std::span<std::byte> into) const;

  /// A hint to the system that the box will be read soon, if its runs are worth it.
  void Announce(const Box& box) const;

  /// Errors: kIo if the file was changed since it was opened.
  Result<void> CheckUnchanged() const { return file().CheckUnchanged(); }

 private:
  explicit Source(io::ElementFile elements);
  Result<void> ReadRuns(const Box& box, std::span<std::byte> into) const;
  Result<void> CheckBools(std::int64_t offset, std::span<const std::byte> bytes) const;

  io::ElementFile elements_;
  Shape strides_;
  bool columns_first_ = false;
};

/// The result of a stream: `done`, or the error that a source was changed meanwhile, which also explains why
/// it seemed malformed.
Result<void> EndOfStream(std::span<const Source> sources, const Result<void>& done);

}  // namespace supremum::stream

#endif  // SUPREMUM_SRC_STREAM_SOURCE_H_
