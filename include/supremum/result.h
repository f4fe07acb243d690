// Errors as values: one closed list of codes, and Result<T> with the member names of C++23's std::expected.
#ifndef SUPREMUM_RESULT_H_
#define SUPREMUM_RESULT_H_

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "supremum/cxx20.h"

namespace supremum {

/// The kind of an error. Values never change; a later version may add some. They are in the order in which
/// errors are reported: if several apply, the one with the lowest value is reported (docs/semantics.md,
/// section 7). docs/errors.md has an example of each.
enum class ErrorCode : std::uint8_t {
  kIo = 1,                    ///< a file cannot be opened, read or written; for its content: kMalformedFile
  kMalformedFile = 2,         ///< a file violates its format, or a model violates ONNX's rules
  kUnsupportedFormat = 3,     ///< a file uses a valid feature that is not supported (object arrays)
  kUnsupportedOperator = 4,   ///< a node that supremum does not execute
  kLimitExceeded = 5,         ///< more bytes, elements or names than a stated limit allows
  kOutOfMemory = 6,           ///< memory within the stated limits could not be allocated
  kInvalidArgument = 7,       ///< a call or a command contradicts itself or names what does not exist
  kUnsupportedDevice = 8,     ///< a tensor that is not in the processor's memory
  kInputCount = 10,           ///< MAX-1, RED-5: a number of inputs that the operator does not take
  kTypeMismatch = 20,         ///< TYP-2: two tensors of one operator differ in type
  kTypeNotAdmitted = 21,      ///< TYP-3, TYP-4, TYP-5: the operator's version does not have this type
  kSparseTensor = 30,         ///< PRO-1: a sparse tensor, which is never supported
  kShapeNotExplicit = 31,     ///< PRO-2: an extent that is no number where the profile, or a run, needs one
  kTypeNotExplicit = 32,      ///< PRO-3: a type that is not stated
  kDefaultedAttribute = 33,   ///< PRO-4: an absent attribute that must be stated
  kBroadcastRefused = 34,     ///< PRO-6: identical_shapes_only is set and two shapes differ
  kRank = 40,                 ///< BRO-4: more than 64 dimensions, or strides of another rank than the shape
  kInvalidShape = 41,         ///< an extent below zero, or strides that leave the address space
  kAxis = 50,                 ///< RED-2, RED-5: an axis out of range, repeated, or negative if not admitted
  kAxesGiven = 51,            ///< RED-4: axes of oneDNN's ReduceMax as neither attribute nor input, or both
  kNotBroadcastable = 60,     ///< E1: BRO-2, MAX-3
  kOutputShapeMismatch = 61,  ///< E2: the given or declared output shape is not the computed one
  kOverlap = 70,              ///< MEM-1, MEM-2: elements of the output alias, or it overlaps an input
  kNegativeBound = 80,        ///< ACC-2: an error bound below zero
};

/// One line of the table of errors.
struct ErrorInfo {
  ErrorCode code;
  std::string_view name;   ///< "not_broadcastable": stable, for programs
  std::string_view rules;  ///< the rules of docs/semantics.md that require it; "" if none does
  std::string_view title;  ///< "E1 not broadcastable": begins every message
};

inline constexpr std::array<ErrorInfo, 24> kErrorTable = {{
    {ErrorCode::kIo, "io", "", "I/O error"},
    {ErrorCode::kMalformedFile, "malformed_file", "", "malformed file"},
    {ErrorCode::kUnsupportedFormat, "unsupported_format", "", "unsupported format"},
    {ErrorCode::kUnsupportedOperator, "unsupported_operator", "", "unsupported operator"},
    {ErrorCode::kLimitExceeded, "limit_exceeded", "", "limit exceeded"},
    {ErrorCode::kOutOfMemory, "out_of_memory", "", "out of memory"},
    {ErrorCode::kInvalidArgument, "invalid_argument", "", "invalid argument"},
    {ErrorCode::kUnsupportedDevice, "unsupported_device", "", "unsupported device"},
    {ErrorCode::kInputCount, "input_count", "MAX-1 RED-5", "wrong number of inputs"},
    {ErrorCode::kTypeMismatch, "type_mismatch", "TYP-2", "type mismatch"},
    {ErrorCode::kTypeNotAdmitted, "type_not_admitted", "TYP-3 TYP-4 TYP-5", "type not admitted"},
    {ErrorCode::kSparseTensor, "sparse_tensor", "PRO-1", "sparse tensor refused"},
    {ErrorCode::kShapeNotExplicit, "shape_not_explicit", "PRO-2", "shape not explicit"},
    {ErrorCode::kTypeNotExplicit, "type_not_explicit", "PRO-3", "type not explicit"},
    {ErrorCode::kDefaultedAttribute, "defaulted_attribute", "PRO-4", "attribute left to its default"},
    {ErrorCode::kBroadcastRefused, "broadcast_refused", "PRO-6", "broadcasting refused"},
    {ErrorCode::kRank, "rank", "BRO-4", "rank not supported"},
    {ErrorCode::kInvalidShape, "invalid_shape", "", "invalid shape"},
    {ErrorCode::kAxis, "axis", "RED-2 RED-5", "wrong axis"},
    {ErrorCode::kAxesGiven, "axes_given", "RED-4", "axes not given exactly once"},
    {ErrorCode::kNotBroadcastable, "not_broadcastable", "E1 BRO-2 MAX-3", "E1 not broadcastable"},
    {ErrorCode::kOutputShapeMismatch, "output_shape_mismatch", "E2 PRO-5", "E2 output shape mismatch"},
    {ErrorCode::kOverlap, "overlap", "MEM-1 MEM-2", "overlapping memory"},
    {ErrorCode::kNegativeBound, "negative_bound", "ACC-2", "negative bound"},
}};

/// The table's line for `code`. Requires: `code` is an enumerator.
constexpr const ErrorInfo& InfoOf(ErrorCode code) {
  for (const ErrorInfo& info : kErrorTable) {
    if (info.code == code) return info;
  }
  return kErrorTable.front();
}

/// The identifier of a rule of docs/semantics.md, such as "BRO-2" or "E1"; empty where there is none.
class RuleId {
 public:
  constexpr RuleId() = default;
  /// Requires: at most seven characters. A longer literal does not compile.
  // NOLINTNEXTLINE(google-explicit-constructor): a rule is written as a literal
  consteval RuleId(const char* id) {
    for (std::size_t i = 0; id[i] != '\0'; ++i) id_.at(i) = id[i];
    id_.back() = '\0';
  }

  constexpr std::string_view text() const { return id_.data(); }
  constexpr bool empty() const { return id_[0] == '\0'; }
  friend constexpr bool operator==(const RuleId&, const RuleId&) = default;

 private:
  std::array<char, 8> id_ = {};
};

/// An error: its code, the rule that is violated, and a text for people that names the offending input, node
/// or file position, and what to do.
struct Error {
  ErrorCode code = ErrorCode::kInvalidArgument;
  std::string message;
  RuleId rule = {};               ///< that the text cites; if none, "E1" or "E2" where the code is theirs
  std::size_t details_begin = 0;  ///< what stands before it in `message` is the code's title

  /// The message without the code's title.
  std::string_view details() const { return std::string_view(message).substr(details_begin); }
};

/// An Error whose message is the code's title, a colon and `details`.
inline Error MakeError(ErrorCode code, std::string_view details) {
  std::string message(InfoOf(code).title);
  message.append(": ");
  const std::size_t details_begin = message.size();
  message.append(details);
  RuleId rule;
  if (code == ErrorCode::kNotBroadcastable) rule = "E1";
  if (code == ErrorCode::kOutputShapeMismatch) rule = "E2";
  return Error{code, std::move(message), rule, details_begin};
}

/// The same for a violated rule, which the text cites in parentheses: "title: what (BRO-2)advice". `advice`
/// begins with what separates it: "; merge dimensions".
inline Error MakeError(ErrorCode code, RuleId rule, std::string_view what, std::string_view advice = "") {
  std::string details(what);
  details.append(" (").append(rule.text()).append(")").append(advice);
  Error error = MakeError(code, details);
  error.rule = rule;
  return error;
}

/// Thrown only by Result::value(), if there is no value. The library itself does not call value().
class BadResultAccess : public std::exception {
 public:
  explicit BadResultAccess(Error error) : error_(std::move(error)) {}
  const char* what() const noexcept override { return error_.message.c_str(); }
  const Error& error() const noexcept { return error_; }

 private:
  Error error_;
};

namespace internal {
[[noreturn]] inline void ThrowBadResultAccess(const Error& error) {
#if defined(__cpp_exceptions)
  throw BadResultAccess(error);
#else
  static_cast<void>(error);
  std::abort();
#endif
}
}  // namespace internal

/// Either a T or an Error. `Result<void>` is either success or an Error.
///
///   Result<Shape> shape = BroadcastShapes({a, b});
///   if (!shape) return shape.error();
///   Use(*shape);
///
/// operator* and operator-> require has_value(), and error() its opposite. value() checks, and throws
/// BadResultAccess (aborts where exceptions are off).
template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;
  using error_type = Error;

  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  /// A value made of `arguments`, in place.
  template <class... Arguments>
  explicit Result(std::in_place_t, Arguments&&... arguments)
      : state_(std::in_place_index<0>, std::forward<Arguments>(arguments)...) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  T& operator*() & noexcept { return *get(); }
  const T& operator*() const& noexcept { return *get(); }
  T&& operator*() && noexcept { return std::move(*get()); }
  T* operator->() noexcept { return get(); }
  const T* operator->() const noexcept { return get(); }

  T& value() & {
    if (!has_value()) internal::ThrowBadResultAccess(error());
    return *get();
  }
  const T& value() const& {
    if (!has_value()) internal::ThrowBadResultAccess(error());
    return *get();
  }
  T&& value() && {
    if (!has_value()) internal::ThrowBadResultAccess(error());
    return std::move(*get());
  }
  template <class U>
  T value_or(U&& fallback) const& {
    return has_value() ? **this : static_cast<T>(std::forward<U>(fallback));
  }

  const Error& error() const& noexcept {
    assert(!has_value());
    return *std::get_if<1>(&state_);
  }
  Error&& error() && noexcept {
    assert(!has_value());
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  T* get() noexcept {
    assert(has_value());
    return std::get_if<0>(&state_);
  }
  const T* get() const noexcept {
    assert(has_value());
    return std::get_if<0>(&state_);
  }

  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;
  using error_type = Error;

  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool has_value() const noexcept { return !error_; }
  explicit operator bool() const noexcept { return has_value(); }
  void value() const {
    if (error_) internal::ThrowBadResultAccess(*error_);
  }

  const Error& error() const& noexcept {
    assert(error_);
    return *error_;
  }
  Error&& error() && noexcept {
    assert(error_);
    return *std::move(error_);
  }

 private:
  std::optional<Error> error_;
};

}  // namespace supremum

#endif  // SUPREMUM_RESULT_H_
