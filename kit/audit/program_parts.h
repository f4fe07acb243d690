// What programs in several languages share.
#ifndef SUPREMUM_KIT_AUDIT_PROGRAM_PARTS_H_
#define SUPREMUM_KIT_AUDIT_PROGRAM_PARTS_H_

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "audit/programs.h"

namespace supremum::cli {

/// Two lines of comment, which begin with `mark`: "# NumPy 1.24.2, case a/b/float32.", and what the case
/// tests. They are printable ASCII without backslashes, so that they stay comments in every language.
std::string RemarkOf(const Exhibit& exhibit, std::string_view mark);

/// The first elements as numbers, for a comment: "-0, 1, nan".
std::string ValuesOf(DType dtype, const TensorBits& tensor);

/// The elements as numbers in C: "0x80000000, 0x3f800000", in lines that continue with `indent`.
std::string NumbersOf(DType dtype, const TensorBits& tensor, std::string_view indent);

/// The bytes of the elements as one text in quotes, in the order of this machine if no other is given:
/// "\"00000080 0000803f\"". A long one is several texts in lines that begin with `indent`, with `plus`
/// between them.
std::string BytesOf(DType dtype, const TensorBits& tensor, std::string_view plus, std::string_view indent,
                    std::endian order = std::endian::native);

/// "2, 3"
std::string ListOf(std::span<const std::int64_t> numbers);

/// The shape of Max's output; nothing if the shapes do not broadcast.
std::optional<std::vector<std::int64_t>> BroadcastOf(std::span<const TensorBits> inputs);

/// For each dimension of ReduceMax's input, whether it is reduced; nothing if it has no such axis.
std::optional<std::vector<bool>> ReducedOf(const AuditCase& one);

/// The beginning of a program in C++, after its includes: what it needs to make tensors and to compare them.
/// `type` is the type of elements in C++.
std::string CppBegin(const Exhibit& exhibit, std::string_view includes, std::string_view type);

/// A line for each input x0, x1, ..., for the expected elements, and for y, memory for as many.
std::string CppTensors(const AuditCase& one);

/// The programs in one language: nothing if the runtime is another one, or as ProgramOf says.
std::optional<Program> PythonProgram(const Exhibit& exhibit);
std::optional<Program> NodeProgram(const Exhibit& exhibit);
std::optional<Program> EigenProgram(const Exhibit& exhibit);
std::optional<Program> OneDnnProgram(const Exhibit& exhibit);
std::optional<Program> XnnpackProgram(const Exhibit& exhibit);

}  // namespace supremum::cli

#endif  // SUPREMUM_KIT_AUDIT_PROGRAM_PARTS_H_
