// The extents of a model that are not numbers, before anything else reads them.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_READ_BIND_SYMBOLS_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_READ_BIND_SYMBOLS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "supremum/result.h"

namespace onnx {
class ModelProto;
}

namespace supremum::onnx_front {

/// Checks the numbers that a caller gives to symbolic dimensions; `symbols` are those that there are, and
/// `unknown` is true if there are extents that have neither a number nor a name.
///
/// Errors: kInvalidArgument for a symbol that is not one of them, and for a negative number.
Result<void> CheckDims(const std::map<std::string, std::int64_t>& dims, const std::set<std::string>& symbols,
                       bool unknown, std::string_view source);

/// Writes the numbers into the model, in place of the symbols of every shape that it states, in subgraphs
/// too. An extent of -1, which some exporters write for one that they do not know, is removed, which makes it
/// unknown: ONNX does not define negative extents, and the onnx library would compute with them.
///
/// Returns: a note on the first extent of -1, if there is one.
/// Errors: those of CheckDims; kMalformedFile for an extent below -1.
Result<std::optional<std::string>> BindSymbols(const std::map<std::string, std::int64_t>& dims,
                                               std::string_view source, onnx::ModelProto* model);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_READ_BIND_SYMBOLS_H_
