#include "io/formats/npy_descr.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/quote.h"
#include "io/files/messages.h"

namespace supremum::io {
namespace {

// Without the byte order; bfloat16, which NumPy does not have, is not among them.
constexpr std::array<std::pair<std::string_view, DType>, 12> kTypes = {{
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
}};

bool IsByteOrder(char c) { return c == '<' || c == '>' || c == '=' || c == '|'; }

// A description of a NumPy type that is not supported; "" for a text that is not a known type.
std::string_view OtherTypeOf(std::string_view type) {
  // Dates have a unit: "M8[ns]".
  if (type.starts_with('M')) return "a date";
  if (type.starts_with('m')) return "a time span";
  const bool is_known =
      type.size() > 1 && type[1] != '0' && type.find_first_not_of("0123456789", 1) == std::string_view::npos;
  if (!is_known) return "";
  switch (type.front()) {
    case 'f':
      return "a float of another width";
    case 'i':
    case 'u':
      return "an integer of another width";
    case 'c':
      return "complex";
    case 'S':
      return "a byte string";
    case 'U':
      return "a text string";
    case 'V':
      return "void";
    default:
      return "";
  }
}

Error Refused(std::string_view descr, std::string_view type, std::string_view where) {
  const std::string shown = "'descr' is " + Quote(descr, 40);
  if (type.starts_with('O')) {
    return ErrorAt(ErrorCode::kUnsupportedFormat, where,
                   shown +
                       ": an array of Python objects, which is never read because it can hold programs; save "
                       "an array of numbers");
  }
  const std::string_view other = OtherTypeOf(type);
  if (!other.empty()) {
    return ErrorAt(ErrorCode::kTypeNotAdmitted, where, "TYP-1",
                   shown + " (" + std::string(other) + "), neither bool nor one of the element types",
                   "; save the array as one of them");
  }
  return ErrorAt(ErrorCode::kMalformedFile, where,
                 shown +
                     ", which is not a type that numpy.save writes, such as '<f4'; write the file again "
                     "with numpy.save");
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
          shown +
              ", two bytes without a type; if they are bfloat16, state it: --dtype bfloat16, or, of several "
              "files, --dtype NAME=bfloat16 for this one");
    }
    if (*stated != DType::kBFloat16) {
      return ErrorAt(ErrorCode::kTypeMismatch, where, "TYP-2",
                     shown + ", two bytes without a type, which can only be stated to be bfloat16, and " +
                         std::string(Name(*stated)) + " is stated; nothing is converted",
                     ": save the array with its type");
    }
    return NpyDescr{DType::kBFloat16, big_endian};
  }
  const auto found = std::ranges::find(kTypes, type, [](const auto& one) { return one.first; });
  if (found == kTypes.end()) return Refused(descr, type, where);
  const DType dtype = found->second;
  if (stated && *stated != dtype) {
    return ErrorAt(
        ErrorCode::kTypeMismatch, where, "TYP-2",
        shown + " (" + std::string(Name(dtype)) + ") and " + std::string(Name(*stated)) +
            " is stated; nothing is converted",
        ": state " + std::string(Name(dtype)) + " or save the array as " + std::string(Name(*stated)));
  }
  return NpyDescr{dtype, big_endian};
}

std::string NpyDescrText(DType dtype) {
  if (dtype == DType::kBFloat16) return "|V2";
  for (const auto& [text, type] : kTypes) {
    if (type == dtype) return (ByteWidth(dtype) == 1 ? "|" : "<") + std::string(text);
  }
  return "";
}

}  // namespace supremum::io
