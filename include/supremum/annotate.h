// Writes into an ONNX model the types, shapes and attributes that the rules want stated.
#ifndef SUPREMUM_ANNOTATE_H_
#define SUPREMUM_ANNOTATE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum {

/// One change of a model.
struct Annotation {
  std::string place;    ///< the graph: "" for the main graph, else "node 'loop' (Loop), attribute 'body'"
  std::string subject;  ///< "value 't'", "node 'pool' (ReduceMax)", "symbol 'N'"
  std::string text;     ///< "is stated as float32[2,3]", "has keepdims=1", "is 4"
};

struct AnnotatedModel {
  std::vector<std::byte> bytes;  ///< the model, serialized
  std::vector<Annotation> annotations;
  std::vector<std::string> notes;  ///< why something could not be inferred, and which nodes break a rule
};

struct AnnotateOptions {
  /// Values of symbolic dimensions, written in place of the symbols.
  std::map<std::string, std::int64_t> dims = {};
  /// Maximum memory of the model's messages and of what is derived from them, in bytes.
  std::int64_t max_bytes = kDefaultMaxBytes;
};

/// States what follows for every Max and ReduceMax node of the main graph and of subgraphs. These are the
/// types and shapes of its inputs and outputs (PRO-2, PRO-3, PRO-5) and the attributes that have their
/// default (PRO-4). The model's own statements are kept. An unknown extent, or a symbol, becomes a number if
/// the number follows; shapes after other operators are inferred by the onnx library, as in CheckModel. So
/// the model computes the same bits, and any runtime may check the added statements. Values in functions
/// cannot be stated, and their nodes are not changed.
///
/// Errors: those of CheckModel. A node that breaks a rule is left as it is.
///
///   Result<AnnotatedModel> model = AnnotateModel(bytes, "net.onnx", {.dims = {{"batch", 1}}});
Result<AnnotatedModel> AnnotateModel(std::span<const std::byte> bytes, const std::string& source,
                                     const AnnotateOptions& options = {});

}  // namespace supremum

#endif  // SUPREMUM_ANNOTATE_H_
