// The messages of ONNX and what their fields hold. An onnx library with lite messages cannot be asked.
#ifndef SUPREMUM_SRC_IO_FORMATS_MESSAGE_TYPES_H_
#define SUPREMUM_SRC_IO_FORMATS_MESSAGE_TYPES_H_

#include <bit>
#include <cstdint>
#include <string_view>

namespace supremum::io {

/// A set of field numbers below 32.
using FieldSet = std::uint32_t;

constexpr FieldSet Fields(auto... numbers) { return ((FieldSet{1} << numbers) | ... | FieldSet{0}); }

/// True if the set contains the field `number`, which may be any number.
constexpr bool Has(FieldSet fields, int number) {
  return number >= 0 && number < 32 && (fields >> number & 1) != 0;
}

/// A message, by its name in onnx.proto without the package.
struct MessageType {
  /// The fields that hold messages of one type. The list ends where `fields` is empty.
  struct Nested {
    std::string_view type;
    FieldSet fields = 0;
  };

  std::string_view name;
  FieldSet texts = 0;    // also bytes
  FieldSet numbers = 0;  // one, or a list
  Nested nested[6] = {};

  constexpr int CountFields() const {
    FieldSet all = texts | numbers;
    for (const Nested& one : nested) all |= one.fields;
    return std::popcount(all);
  }

  /// The type of the message in a field, or null.
  const MessageType* TypeOfField(int number) const;
};

/// The message of a name with or without the package, such as `onnx.TypeProto.Tensor`, or null.
const MessageType* MessageNamed(std::string_view name);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FORMATS_MESSAGE_TYPES_H_
