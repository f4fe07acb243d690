// C99 as text: lines that are counted, numbers, names, and comments that nothing can end.
#ifndef SUPREMUM_TOOLS_EMIT_C_TEXT_H_
#define SUPREMUM_TOOLS_EMIT_C_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "supremum/dtype.h"

namespace supremum::cli {

/// The text of a file, and the number of its last line.
class CText {
 public:
  /// Appends one line, or several, and a line end: what ends in one is followed by an empty line.
  void Add(std::string_view lines);
  int lines() const { return lines_; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  int lines_ = 0;
};

/// `text` for a comment: printable ASCII, '?' for any other byte; no comment begins or ends in it, and no
/// line is continued.
std::string CommentText(std::string_view text, std::size_t max_bytes = 100);

/// An identifier that begins with `prefix`, and is not one of `taken`, which it joins: letters, digits and
/// '_' of `name` are kept, any other byte becomes '_', and a long name is shortened.
std::string Identifier(std::string_view prefix, std::string_view name, std::set<std::string>* taken);

/// True for a name that may be that of a function: an identifier of C and C++ that is reserved in neither, of
/// at most 40 characters.
bool IsFunctionName(std::string_view name);

/// A number of elements or iterations as a constant of a type that C99 can hold it in: "6U", "70000UL".
std::string Size(std::int64_t number);

/// The types of one element type in the program. A bool is a byte, 0 or 1.
struct CTypes {
  std::string_view name;    ///< ends the names of functions, and is that of the extracted file: "float"
  std::string_view module;  ///< of verification/proofs/why3/instances.mlw: "Float"
  std::string_view array;   ///< the elements of arrays that callers have: "float"
  std::string_view bits;    ///< what is computed with: "uint32_t"

  bool by_bits() const { return array != bits; }
};
const CTypes& TypesOf(DType dtype);

/// An element as a constant of CTypes::bits; `element` points to its bytes.
std::string Literal(DType dtype, const std::byte* element);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_EMIT_C_TEXT_H_
