// Programs that show a deviation to the authors of a runtime: one file, in the runtime's own language.
#ifndef SUPREMUM_KIT_AUDIT_PROGRAMS_H_
#define SUPREMUM_KIT_AUDIT_PROGRAMS_H_

#include <optional>
#include <string>
#include <string_view>

#include "audit/cases.h"
#include "audit/protocol.h"

namespace supremum::cli {

/// A program needs no file of supremum, at most the case's ONNX model, which must be beside it.
struct Program {
  std::string_view ending;    ///< of its file: ".py"
  std::string_view language;  ///< of its block of code in Markdown: "python"
  std::string command;        ///< builds and runs it, in its folder
  std::string text;
  bool needs_model = false;  ///< it reads NAME.onnx
};

/// What a program shows.
struct Exhibit {
  const RunnerHead& head;
  const AuditCase& one;
  std::string name;  ///< of the files, without ending: letters, digits and '-'
};

/// The program that computes the case as the runner of the kit does (kit/runners), and prints the result and
/// the expected one. Its exit status is 0 if both have the same shape and bytes, or if the runtime refuses a
/// model that must be refused; any other status, also by an exception or a signal, shows the deviation.
///
/// Nothing if the runtime is not known by its name and interface, if its interface cannot express the case,
/// or if the case needs files beside the model. Texts of the runner and the case, which are untrusted, are
/// comments of printable ASCII. Elements are written as bits; those for Python and Node as bytes in the order
/// of this machine.
std::optional<Program> ProgramOf(const Exhibit& exhibit);

}  // namespace supremum::cli

#endif  // SUPREMUM_KIT_AUDIT_PROGRAMS_H_
