// The elements of a tensor, one by one.
#ifndef SUPREMUM_TOOLS_VALUES_H_
#define SUPREMUM_TOOLS_VALUES_H_

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "supremum/tensor.h"
#include "terminal.h"

namespace supremum::cli {

/// A title, and a line for each of the first `limit` elements: index, decimal, hexadecimal float, bits. Where
/// that is not all of them, a last line says so.
std::string ValuesText(const std::string& name, const Tensor& tensor, std::uint64_t limit,
                       const Terminal& terminal);

/// The element at position `linear`: {"index": [0, 1], "value": "-0", "hex_float": "-0x0p+0", "bits":
/// "0x80000000"}. All values are texts, since JSON has no NaN and readers round large integers; "hex_float"
/// is null where there is none.
nlohmann::ordered_json ElementJson(const Tensor& tensor, std::int64_t linear);

/// The first `limit` of them.
nlohmann::ordered_json ValuesJson(const Tensor& tensor, std::uint64_t limit);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_VALUES_H_
