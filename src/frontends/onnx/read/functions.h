// The functions of a model, and which of them a node calls.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_READ_FUNCTIONS_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_READ_FUNCTIONS_H_

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "supremum/result.h"

namespace supremum::onnx_front {

/// The functions of one model by their names. It refers to the model.
class Functions {
 public:
  explicit Functions(const onnx::ModelProto& model);

  /// The position of the function that `node` calls: that of its domain, name and overload. Nothing for a
  /// node of this library's operators.
  std::optional<int> Callee(const onnx::NodeProto& node) const;

  /// Why a node is a call of an overload that the model does not have; empty if it is not.
  std::string MissingOverload(const onnx::NodeProto& node) const;

  /// The position of a function that has domain, name and overload of another one.
  std::optional<int> repeated() const { return repeated_; }

 private:
  std::map<std::tuple<std::string_view, std::string_view, std::string>, int>
      positions_;  // by domain, name, overload
  std::optional<int> repeated_;
};

/// "function 'f'", "function 'f' (overload 'g')".
std::string TextOf(const onnx::FunctionProto& function);

/// The opset of ONNX's own domain that a function imports; `opset`, the model's, if it imports none.
std::int64_t OpsetOf(const onnx::FunctionProto& function, std::int64_t opset);

/// The attributes for which a function states defaults (IR version 9 and later). The onnx library of Debian
/// 12 does not know that field, and keeps its bytes.
///
/// Errors: kMalformedFile for bytes that are no attribute; kLimitExceeded if they take more than `max_bytes`.
Result<std::vector<onnx::AttributeProto>> DefaultsOf(const onnx::FunctionProto& function,
                                                     std::string_view source, std::int64_t max_bytes);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_READ_FUNCTIONS_H_
