#include "core/operand_errors.h"

#include <string>

#include "core/quote.h"

namespace supremum {

std::string InputName(std::span<const std::string_view> names, std::size_t m) {
  if (m >= names.size()) return "input " + std::to_string(m);
  return "input " + Quote(names[m]);
}

std::string SourceName(std::string_view name) { return name.empty() ? "the source" : "input " + Quote(name); }

Error RankError(const std::string& who, std::size_t rank, std::string_view step) {
  return MakeError(ErrorCode::kRank, "BRO-4",
                   who + " has rank " + std::to_string(rank) + "; at most " + std::to_string(kMaxRank) +
                       " dimensions are supported",
                   ". Merge dimensions before " + std::string(step));
}

Error NegativeExtentError(const std::string& who, DimsView shape, std::size_t d) {
  return MakeError(ErrorCode::kInvalidShape, who + " has shape " + ToString(shape) + "; extent " +
                                                 std::to_string(shape[d]) + " in dimension " +
                                                 std::to_string(d) + " is negative");
}

Error NoSuchTypeError(DType dtype) {
  return MakeError(ErrorCode::kTypeNotAdmitted,
                   "no element type has the number " + std::to_string(static_cast<int>(dtype)));
}

Error DifferentShapesError(std::string_view what, MaxVersion version) {
  return MakeError(ErrorCode::kNotBroadcastable, "MAX-3",
                   std::string(what) + ToString(version) + " does not broadcast",
                   ": give all inputs one shape, or import opset 8 or later");
}

Error TypeNotAdmittedError(const std::string& who, std::string_view type, MaxVersion version,
                           std::string_view advice) {
  return MakeError(ErrorCode::kTypeNotAdmitted, "TYP-3",
                   who + " has type " + std::string(type) + ", which " + ToString(version) + " does not have",
                   "; " + std::string(advice));
}

Error TypeNotAdmittedError(const std::string& who, std::string_view type, ReduceMaxVersion version) {
  std::string rule = "TYP-4";
  std::string advice =
      "ONNX's opset 12 has int8 and uint8 too, 13 bfloat16, 20 bool; none has int16 or uint16";
  if (version == ReduceMaxVersion::kOneDnn) {
    rule = "TYP-5";
    advice = "it takes float32, bfloat16 and float16";
  } else if (version == ReduceMaxVersion::kSupremum) {
    rule = "TYP-1";
    advice = "it is none of the library's types";
  }
  return MakeError(ErrorCode::kTypeNotAdmitted, who + " has type " + std::string(type) + ", which " +
                                                    ToString(version) + " does not have (" + rule + "); " +
                                                    advice);
}

Error TypeMismatchError(const std::string& who, std::string_view type, const std::string& first,
                        std::string_view first_type) {
  return MakeError(ErrorCode::kTypeMismatch, "TYP-2",
                   who + " has type " + std::string(type) + " and " + first + " has type " +
                       std::string(first_type) +
                       "; all inputs and the output must have one type, nothing is converted");
}

Error NotBroadcastableError(const ClashingOperand& first, const ClashingOperand& second, std::size_t j,
                            std::size_t rank) {
  return MakeError(ErrorCode::kNotBroadcastable, "BRO-2",
                   first.name + " has shape " + first.shape + " and " + second.name + " has shape " +
                       second.shape + "; in dimension " + std::to_string(j) + " of the common rank " +
                       std::to_string(rank) + " their extents are " + std::to_string(first.extent) + " and " +
                       std::to_string(second.extent) + ", which differ and neither is 1",
                   ". Make them equal, or one of them 1");
}

}  // namespace supremum
