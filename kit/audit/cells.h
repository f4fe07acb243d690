// Tensors and untrusted texts as cells of Markdown's tables.
#ifndef SUPREMUM_KIT_AUDIT_CELLS_H_
#define SUPREMUM_KIT_AUDIT_CELLS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "audit/report.h"

namespace supremum::cli {

/// The most elements, and the most inputs, that a cell shows.
inline constexpr std::int64_t kShownInCell = 8;

/// Untrusted text as code, shortened.
std::string CodeCell(std::string_view text);

/// Untrusted text as text, shortened.
std::string TextCell(std::string_view text);

/// "[2] -0 (0x80000000), 1 (0x3f800000)", at most kShownInCell elements.
std::string TensorCell(DType dtype, const TensorBits& bits);

/// The tensor, "accepted", or the text of a runner's answer.
std::string AnswerCell(const AuditCase& one, const Answer& answer);

/// How many of the cases have each type: "float32 12, float64 3".
std::string TypesCell(const Audit& audit, std::span<const std::size_t> cases);

}  // namespace supremum::cli

#endif  // SUPREMUM_KIT_AUDIT_CELLS_H_
