// A model as one C99 file and its header.
#ifndef SUPREMUM_TOOLS_EMIT_EMIT_C_H_
#define SUPREMUM_TOOLS_EMIT_EMIT_C_H_

#include <nlohmann/json.hpp>
#include <string>

#include "supremum/result.h"
#include "supremum/static_graph.h"

namespace supremum::cli {

struct EmitOptions {
  std::string entry;   ///< the function and the files' stem
  std::string model;   ///< the name of the model's file, without folders
  std::string sha256;  ///< of the model's file
};

struct EmittedC {
  std::string header;            ///< ENTRY.h
  std::string source;            ///< ENTRY.c
  nlohmann::ordered_json facts;  ///< flow facts, memory, and which theorems cover which lines
};

/// True for a name that the function may have: an identifier that neither C nor C++ reserves, of at most 40
/// characters, and none that the program uses itself.
bool IsEntryName(const std::string& name);

/// The program of a graph: a function `entry` with a parameter for each input and output, and one more for
/// the workspace if nodes compute values that are no outputs. The same arguments give the same bytes.
///
/// Requires: IsEntryName(options.entry).
/// Ensures: no allocation, no recursion, no division, no branch but those of loops with constant bounds and
///   those inside the functions on elements, which were extracted from the proofs.
/// Errors: kLimitExceeded for an array of 2^63 bytes or more, and for more parameters than C99 allows (127).
///   Where the target's size_t is too narrow, the file does not compile.
Result<EmittedC> EmitC(const StaticGraph& graph, const EmitOptions& options);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_EMIT_EMIT_C_H_
