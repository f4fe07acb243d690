// The attributes of the op kinds that supremum executes.
#ifndef SUPREMUM_SRC_FRONTENDS_ONEDNN_ATTRIBUTES_H_
#define SUPREMUM_SRC_FRONTENDS_ONEDNN_ATTRIBUTES_H_

#include <string>

#include "frontends/onednn/graph.h"
#include "io/json/json.h"
#include "supremum/result.h"

namespace supremum::onednn_front {

/// Reads `attrs` of an op of `kind`. `where` names the op: "g.json: op 0 'r' (ReduceMax)". Attributes of
/// other kinds are not read.
///
/// Errors: kMalformedFile for an attribute that the kind does not have, since it could change the meaning of
///   the op, and for an invalid type or value.
Result<OneDnnAttributes> ReadAttributes(Kind kind, const JsonValue& attrs, const std::string& where);

}  // namespace supremum::onednn_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONEDNN_ATTRIBUTES_H_
