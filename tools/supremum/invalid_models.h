// Models of the conformance cases that must be refused, from JSON.
#ifndef SUPREMUM_TOOLS_INVALID_MODELS_H_
#define SUPREMUM_TOOLS_INVALID_MODELS_H_

#include <nlohmann/json.hpp>
#include <string_view>

#include "formats/model_proto.h"
#include "supremum/tensor.h"

namespace supremum::cli {

/// A model as conformance/README.md describes it. Throws std::exception saying what cannot be understood.
formats::AnyModel AnyModelOf(const nlohmann::ordered_json& json);

/// A tensor of the elements in `text`: hex numbers of the type's full width with blanks between them, `X*6`
/// for six of X. Throws std::exception saying what is wrong.
Tensor TensorOfBits(DType dtype, const Shape& shape, std::string_view text);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_INVALID_MODELS_H_
