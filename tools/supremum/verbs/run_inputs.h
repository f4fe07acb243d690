// The inputs of a run: from files, by name or by position, or random.
#ifndef SUPREMUM_TOOLS_VERBS_RUN_INPUTS_H_
#define SUPREMUM_TOOLS_VERBS_RUN_INPUTS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/progress.h"
#include "supremum/model.h"
#include "supremum/result.h"

namespace supremum::cli {

/// The command line's options for inputs.
struct InputRequest {
  std::vector<std::string> files;  ///< as --input takes them
  std::vector<StatedDType> dtypes;
  std::optional<std::uint64_t> seed;
  std::map<std::string, std::int64_t> dims;
  std::int64_t max_bytes = kDefaultMaxBytes;  ///< of all inputs together
};

/// The inputs that a file states, in its order.
struct StatedInputs {
  std::vector<ValueInfo> required;
  std::vector<ValueInfo> optional;
  std::set<std::string> axes =
      {};  ///< those that a ReduceMax takes its axes from, which are not filled at random
};

struct GatheredInputs {
  std::vector<NamedTensor> tensors;
  std::vector<std::string> sources;  ///< beside `tensors`: the file as it was given, or "random"
};

/// The forms of --input, for the help.
std::string_view InputHelp();

/// Reads the given inputs, and fills the others with random elements if there is a seed.
///
/// Errors: kInvalidArgument for an input that is unknown, given twice or missing; kShapeNotExplicit and
///   kTypeNotExplicit for an input to be filled whose shape or type the model does not state; those of
///   ReadTensor and Tensor::Create.
Result<GatheredInputs> GatherInputs(const StatedInputs& stated, const InputRequest& request,
                                    Progress& progress);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_VERBS_RUN_INPUTS_H_
