// The attributes of the kinds that supremum executes.
#ifndef SUPREMUM_SRC_ONEDNN_ATTRIBUTES_H_
#define SUPREMUM_SRC_ONEDNN_ATTRIBUTES_H_

#include <string>

#include "json/json.h"
#include "onednn/graph.h"
#include "supremum/result.h"

namespace supremum::onednn_front {

/// Reads `attrs` of an op of `kind`, which `where` describes: "g.json: op 0 'r' (ReduceMax)". Those of other
/// kinds are left alone.
///
/// Errors: kMalformedFile for an attribute that the kind does not have, since it could change what the op
///   means, and for a type or a value that the attribute does not have.
Result<Attributes> ReadAttributes(Kind kind, const JsonValue& attrs, const std::string& where);

}  // namespace supremum::onednn_front

#endif  // SUPREMUM_SRC_ONEDNN_ATTRIBUTES_H_
