#include "formats/npy_descr.h"

#include <array>
#include <utility>

#include "core/quote.h"
#include "formats/messages.h"

namespace supremum::formats {
namespace {

constexpr std::string_view kBrainFloat = "V2";

// Without the byte order; bfloat16, which NumPy does not have, is not among them.
constexpr std::array<std::pair<std::string_view, DType>, 13> kTypes = {{
    {"f2", DType::kFloat16},
    {"f4", DType::kFloat32},
    {"f8", DType::kFloat64},
    {"i1", DType::kInt8},
    {"i2", DType::kInt16},
    {"i4", DType::kInt32},
    {"i8", DType::kInt64},
    {"u1", DType::kUInt8},
    {"u2", DType::kUInt16},
    {"u4", DType::kUInt32},
    {"u8", DType::kUInt64},
    {"b1", DType::kBool},
    {"?", DType::kBool},
}};

bool IsByteOrder(char c) { return c == '<' || c == '>' || c == '=' || c == '|'; }

// What NumPy's letter means, for types that are refused; "" for a letter that NumPy does not have.
std::string_view KindName(char kind) {
  switch (kind) {
    case 'f':
      return "a float of another width";
    case 'i':
    case 'u':
      return "an integer of another width";
    case 'c':
      return "complex";
    case 'S':
    case 'a':
      return "a byte string";
    case 'U':
      return "a text string";
    case 'm':
      return "a time span";
    case 'M':
      return "a date";
    case 'V':
      return "void";
    default:
      return "";
  }
}

Error Refused(std::string_view descr, std::string_view type, std::string_view where) {
  const std::string shown = "'descr' is " + Quote(descr, 40);
  const char kind = type.empty() ? '\0' : type.front();
  if (kind == 'O') {
    return ErrorAt(ErrorCode::kUnsupportedFormat, where,
                   shown +
                       ": an array of Python objects, which is never read because it can hold programs; save "
                       "an array of numbers");
  }
  if (KindName(kind).empty() || type.find_first_not_of("0123456789", 1) != std::string_view::npos) {
    // Dates carry their unit: "M8[ns]".
    if (kind != 'm' && kind != 'M') {
      return ErrorAt(ErrorCode::kMalformedFile, where,
                     shown + ", which is no type of NumPy; write the file again with numpy.save");
    }
  }
  return ErrorAt(ErrorCode::kTypeNotAdmitted, where,
                 shown + " (" + std::string(KindName(kind)) +
                     "), not one of the element types (TYP-1, and bool); save the array as one of them");
}

}  // namespace

Result<NpyDescr> ParseNpyDescr(std::string_view descr, std::string_view where, std::optional<DType> stated) {
  const bool ordered = !descr.empty() && IsByteOrder(descr.front());
  const std::string_view type = ordered ? descr.substr(1) : descr;
  const bool big_endian = ordered && descr.front() == '>';
  const std::string shown = "'descr' is " + Quote(descr, 40);

  if (type == kBrainFloat) {
    if (!stated) {
      return ErrorAt(
          ErrorCode::kTypeNotAdmitted, where,
          shown + ", two bytes without a type; if they are bfloat16, say so: --dtype NAME=bfloat16");
    }
    if (*stated != DType::kBFloat16) {
      return ErrorAt(ErrorCode::kTypeMismatch, where,
                     shown + ", two bytes without a type, which can only be stated to be bfloat16, and " +
                         std::string(Name(*stated)) +
                         " is stated; nothing is converted (TYP-2): save the array with its type");
    }
    return NpyDescr{DType::kBFloat16, big_endian};
  }
  for (const auto& [text, dtype] : kTypes) {
    if (type != text) continue;
    if (stated && *stated != dtype) {
      return ErrorAt(ErrorCode::kTypeMismatch, where,
                     shown + " (" + std::string(Name(dtype)) + ") and " + std::string(Name(*stated)) +
                         " is stated; nothing is converted (TYP-2): state " + std::string(Name(dtype)) +
                         " or save the array as " + std::string(Name(*stated)));
    }
    return NpyDescr{dtype, big_endian};
  }
  return Refused(descr, type, where);
}

std::string NpyDescrText(DType dtype) {
  if (dtype == DType::kBFloat16) return "|V2";
  for (const auto& [text, type] : kTypes) {
    if (type == dtype) return (ByteWidth(dtype) == 1 ? "|" : "<") + std::string(text);
  }
  return "";
}

}  // namespace supremum::formats
