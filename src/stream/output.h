// The output of a streamed operator: written in order, and visible under its name only when it is complete.
#ifndef SUPREMUM_SRC_STREAM_OUTPUT_H_
#define SUPREMUM_SRC_STREAM_OUTPUT_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>

#include "io/files/atomic_file.h"
#include "supremum/dtype.h"
#include "supremum/result.h"
#include "supremum/shape.h"

namespace supremum::stream {

/// WriteBehind appends the elements.
class Output {
 public:
  /// Called with all elements of the output, in order and in pieces.
  using OnElements = std::function<void(std::span<const std::byte>)>;

  /// Creates a file of `header` and the elements.
  ///
  /// Errors: kIo, also if there is too little space; kLimitExceeded if no file can be that large.
  static Result<Output> Create(const std::string& target, const std::string& header, DType dtype,
                               const Shape& shape, OnElements on_elements = {});

  std::int64_t elements() const { return elements_; }

  /// Appends elements to the file. Errors: kIo.
  Result<void> Write(std::span<const std::byte> bytes);

  /// Calls the function that was given to Create. May run at the same time as Write.
  void Observe(std::span<const std::byte> bytes) const;

  /// Makes the complete output durable, and returns the file, which has no name yet. Errors: kIo.
  Result<io::AtomicFile> Finish() &&;

 private:
  explicit Output(io::AtomicFile file) : file_(std::move(file)) {}

  io::AtomicFile file_;
  OnElements on_elements_;
  std::size_t width_ = 1;
  std::int64_t elements_ = 0;
};

}  // namespace supremum::stream

#endif  // SUPREMUM_SRC_STREAM_OUTPUT_H_
