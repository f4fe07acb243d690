// What error texts call an operand, and the texts that more than one room needs.
#ifndef SUPREMUM_SRC_CORE_INPUT_NAME_H_
#define SUPREMUM_SRC_CORE_INPUT_NAME_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "supremum/result.h"
#include "supremum/shape.h"

namespace supremum {

/// "input 'x'", or "input 2" where the inputs have no names.
std::string InputName(std::span<const std::string_view> names, std::size_t m);

/// BRO-4: `who` has more than 64 dimensions.
Error RankError(const std::string& who, std::size_t rank);

/// `who` has an extent below zero in dimension `d`.
Error NegativeExtentError(const std::string& who, DimsView shape, std::size_t d);

}  // namespace supremum

#endif  // SUPREMUM_SRC_CORE_INPUT_NAME_H_
