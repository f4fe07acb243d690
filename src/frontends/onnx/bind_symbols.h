// Numbers for the symbolic dimensions of a model, before it is read.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_BIND_SYMBOLS_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_BIND_SYMBOLS_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "supremum/result.h"

namespace onnx {
class ModelProto;
}

namespace supremum::onnx_front {

/// Writes the numbers into the model, in place of the symbols of every shape that it states, in subgraphs
/// too. Errors: those of CheckDims (bind.h).
Result<void> BindSymbols(const std::map<std::string, std::int64_t>& dims, std::string_view source,
                         onnx::ModelProto* model);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_BIND_SYMBOLS_H_
