// The elements of a tensor, one by one.
#ifndef SUPREMUM_TOOLS_CLI_VALUES_H_
#define SUPREMUM_TOOLS_CLI_VALUES_H_

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/terminal.h"
#include "supremum/tensor.h"

namespace supremum::cli {

/// A title, and a line for each of the first `limit` elements: index, decimal, hexadecimal float, bits. If
/// there are more elements, a last line has the counts.
std::string ValuesText(const std::string& name, const Tensor& tensor, std::uint64_t limit,
                       const Terminal& terminal);

/// The element at position `linear`: {"index": [0, 1], "value": "-0", "hex_float": "-0x0p+0", "bits":
/// "0x80000000"}. All values are strings, since JSON has no NaN and JSON readers round large integers;
/// "hex_float" is null for integers, bools and NaN.
nlohmann::ordered_json ElementJson(const Tensor& tensor, std::int64_t linear);

/// The first `limit` elements, each as ElementJson.
nlohmann::ordered_json ValuesJson(const Tensor& tensor, std::uint64_t limit);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_VALUES_H_
