#include "io/formats/npy_descr.h"

#include <array>
#include <utility>

#include "core/quote.h"
#include "io/files/messages.h"

namespace supremum::io {
namespace {

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

// The letters and names for the same types that NumPy's reader also accepts; only those that have one width
// on every platform.
constexpr std::array<std::pair<std::string_view, DType>, 11> kLetters = {{
    {"e", DType::kFloat16},
    {"f", DType::kFloat32},
    {"d", DType::kFloat64},
    {"b", DType::kInt8},
    {"h", DType::kInt16},
    {"i", DType::kInt32},
    {"q", DType::kInt64},
    {"Q", DType::kUInt64},
    {"B", DType::kUInt8},
    {"H", DType::kUInt16},
    {"I", DType::kUInt32},
}};
constexpr std::array<std::pair<std::string_view, DType>, 26> kNames = {{
    {"float16", DType::kFloat16}, {"half", DType::kFloat16},     {"float32", DType::kFloat32},
    {"single", DType::kFloat32},  {"float64", DType::kFloat64},  {"double", DType::kFloat64},
    {"float", DType::kFloat64},   {"int8", DType::kInt8},        {"byte", DType::kInt8},
    {"int16", DType::kInt16},     {"short", DType::kInt16},      {"int32", DType::kInt32},
    {"intc", DType::kInt32},      {"int64", DType::kInt64},      {"longlong", DType::kInt64},
    {"uint8", DType::kUInt8},     {"ubyte", DType::kUInt8},      {"uint16", DType::kUInt16},
    {"ushort", DType::kUInt16},   {"uint32", DType::kUInt32},    {"uintc", DType::kUInt32},
    {"uint64", DType::kUInt64},   {"ulonglong", DType::kUInt64}, {"bool", DType::kBool},
    {"bool_", DType::kBool},      {"bool8", DType::kBool},
}};

constexpr std::string_view kWidthOfTheMachine =
    "an integer or a float whose width depends on the machine that wrote it";

// Types of NumPy that are refused, by what is written in place of "<c8".
constexpr std::array<std::pair<std::string_view, std::string_view>, 44> kOtherTypes = {{
    {"l", kWidthOfTheMachine},
    {"L", kWidthOfTheMachine},
    {"p", kWidthOfTheMachine},
    {"P", kWidthOfTheMachine},
    {"g", kWidthOfTheMachine},
    {"int", kWidthOfTheMachine},
    {"int_", kWidthOfTheMachine},
    {"int0", kWidthOfTheMachine},
    {"intp", kWidthOfTheMachine},
    {"long", kWidthOfTheMachine},
    {"uint", kWidthOfTheMachine},
    {"uint0", kWidthOfTheMachine},
    {"uintp", kWidthOfTheMachine},
    {"ulong", kWidthOfTheMachine},
    {"longdouble", kWidthOfTheMachine},
    {"longfloat", kWidthOfTheMachine},
    {"float96", "a float of another width"},
    {"float128", "a float of another width"},
    {"F", "complex"},
    {"D", "complex"},
    {"G", "complex"},
    {"complex", "complex"},
    {"complex64", "complex"},
    {"complex128", "complex"},
    {"complex192", "complex"},
    {"complex256", "complex"},
    {"csingle", "complex"},
    {"cdouble", "complex"},
    {"cfloat", "complex"},
    {"clongdouble", "complex"},
    {"singlecomplex", "complex"},
    {"complex_", "complex"},
    {"bytes", "a byte string"},
    {"bytes_", "a byte string"},
    {"bytes0", "a byte string"},
    {"c", "a byte string"},
    {"str", "a text string"},
    {"str_", "a text string"},
    {"str0", "a text string"},
    {"unicode", "a text string"},
    {"unicode_", "a text string"},
    {"void", "void"},
    {"void0", "void"},
    {"clongfloat", "complex"},
}};

template <class Table>
auto Find(const Table& table, std::string_view text) -> std::optional<decltype(table[0].second)> {
  for (const auto& [name, value] : table) {
    if (name == text) return value;
  }
  return std::nullopt;
}

bool IsByteOrder(char c) { return c == '<' || c == '>' || c == '=' || c == '|'; }

// The element type of a descr in any of the forms that NumPy accepts; `type` is `descr` without its byte
// order, which a name does not have.
std::optional<DType> TypeOf(std::string_view descr, std::string_view type) {
  if (const auto found = Find(kTypes, type)) return *found;
  if (const auto found = Find(kLetters, type)) return *found;
  if (const auto found = Find(kNames, descr)) return *found;
  return std::nullopt;
}

// A description of a NumPy type that is not supported; "" for a text that is not a known type.
std::string_view OtherTypeOf(std::string_view descr, std::string_view type) {
  const auto other = Find(kOtherTypes, type);
  if (other && (type.size() == 1 || descr == type)) return *other;
  // Dates have a unit: "M8[ns]".
  if (type.starts_with('M') || type.starts_with("datetime64")) return "a date";
  if (type.starts_with('m') || type.starts_with("timedelta64")) return "a time span";
  const bool plain = type.size() < 2 ||
                     (type[1] != '0' && type.find_first_not_of("0123456789", 1) == std::string_view::npos);
  if (type.empty() || !plain) return "";
  switch (type.front()) {
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
    case 'V':
      return "void";
    default:
      return "";
  }
}

Error Refused(std::string_view descr, std::string_view type, std::string_view where) {
  const std::string shown = "'descr' is " + Quote(descr, 40);
  if (type.starts_with('O') || descr.starts_with("object")) {
    return ErrorAt(ErrorCode::kUnsupportedFormat, where,
                   shown +
                       ": an array of Python objects, which is never read because it can hold programs; save "
                       "an array of numbers");
  }
  const std::string_view other = OtherTypeOf(descr, type);
  if (!other.empty()) {
    return ErrorAt(ErrorCode::kTypeNotAdmitted, where, "TYP-1",
                   shown + " (" + std::string(other) + "), neither bool nor one of the element types",
                   "; save the array as one of them");
  }
  if (type.find_first_of(",(") != std::string_view::npos ||
      (!type.empty() && type[0] >= '0' && type[0] <= '9')) {
    return ErrorAt(
        ErrorCode::kUnsupportedFormat, where,
        shown + ": a structured type, whose elements are not single numbers; save each field by itself");
  }
  return ErrorAt(ErrorCode::kMalformedFile, where,
                 shown +
                     ", which is not a known type such as '<f4', 'f' or 'float32'; write the "
                     "file again with numpy.save");
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
  const std::optional<DType> dtype = TypeOf(descr, type);
  if (!dtype) return Refused(descr, type, where);
  if (stated && *stated != *dtype) {
    return ErrorAt(
        ErrorCode::kTypeMismatch, where, "TYP-2",
        shown + " (" + std::string(Name(*dtype)) + ") and " + std::string(Name(*stated)) +
            " is stated; nothing is converted",
        ": state " + std::string(Name(*dtype)) + " or save the array as " + std::string(Name(*stated)));
  }
  return NpyDescr{*dtype, big_endian};
}

std::string NpyDescrText(DType dtype) {
  if (dtype == DType::kBFloat16) return "|V2";
  for (const auto& [text, type] : kTypes) {
    if (type == dtype) return (ByteWidth(dtype) == 1 ? "|" : "<") + std::string(text);
  }
  return "";
}

}  // namespace supremum::io
