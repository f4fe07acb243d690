// Reads one logical tensor of a oneDNN graph.
#ifndef SUPREMUM_SRC_FRONTENDS_ONEDNN_READ_TENSOR_H_
#define SUPREMUM_SRC_FRONTENDS_ONEDNN_READ_TENSOR_H_

#include <string>

#include "io/json/json.h"
#include "supremum/onednn_graph.h"
#include "supremum/result.h"

namespace supremum::onednn_front {

/// Reads a tensor; `where` names its place in error texts.
///
/// Errors: kMalformedFile; kUnsupportedFormat for an opaque layout.
Result<OneDnnTensor> ReadTensor(const JsonValue& json, const std::string& where);

/// Adds to `known` what `again`, a second description of the same tensor, states.
///
/// Errors: kMalformedFile, with both descriptions, if they contradict each other.
Result<void> Merge(const OneDnnTensor& again, const std::string& where, OneDnnTensor* known);

}  // namespace supremum::onednn_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONEDNN_READ_TENSOR_H_
