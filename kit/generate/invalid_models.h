// Models of the conformance cases that must be refused, from JSON.
#ifndef SUPREMUM_KIT_GENERATE_INVALID_MODELS_H_
#define SUPREMUM_KIT_GENERATE_INVALID_MODELS_H_

#include <nlohmann/json.hpp>
#include <string_view>

#include "generate/model_proto.h"
#include "supremum/tensor.h"

namespace supremum::cli {

/// A model in the form that kit/README.md describes. Throws std::exception with the reason if it is
/// invalid.
io::AnyModel AnyModelOf(const nlohmann::ordered_json& json);

/// A tensor of the elements in `text`: hexadecimal numbers of the type's full width, separated by blanks;
/// `X*6` means six times X. Throws std::exception with the reason if the text is invalid.
Tensor TensorOfBits(DType dtype, const Shape& shape, std::string_view text);

}  // namespace supremum::cli

#endif  // SUPREMUM_KIT_GENERATE_INVALID_MODELS_H_
