// Elements from text.
#ifndef SUPREMUM_WEB_PARSE_H_
#define SUPREMUM_WEB_PARSE_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "supremum/dtype.h"
#include "supremum/result.h"

namespace supremum::web {

/// The bytes of the elements that `text` lists, separated by blanks, commas or semicolons: decimal numbers,
/// hexadecimal floats ("0x1.8p3"), "inf", "nan", "true", "false"; or an element's bits, all hexadecimal
/// digits of its type ("0x7fc00001").
///
/// A number for a 16-bit float is rounded to a double and then to the type, ties to even. Errors:
/// kInvalidArgument with the element and its position, if it is not a number of the type.
Result<std::vector<std::uint8_t>> ParseElements(DType dtype, std::string_view text);

}  // namespace supremum::web

#endif  // SUPREMUM_WEB_PARSE_H_
