// Names of files for tensors whose names nobody vouches for.
#ifndef SUPREMUM_TOOLS_FILE_NAME_H_
#define SUPREMUM_TOOLS_FILE_NAME_H_

#include <set>
#include <string>
#include <string_view>

#include "supremum/result.h"

namespace supremum::cli {

/// Turns tensor names into names of files in one folder: no separators, nothing hidden, nothing that a shell
/// or `NAME=FILE` would read otherwise, at most 250 bytes, and never the same twice.
///
///   letters, digits, '_', and '.' and '-' but for the first place: as they are;   any other byte: %XX
///   "": %empty;   too long: the beginning, then %sha256- and the hash of the name;   taken, letter case
///   aside: %copy2 and so on
///
/// A '%' that is not followed by two upper-case hexadecimal digits comes from no name, so that different
/// names stay different.
class FileNames {
 public:
  /// `ending` is appended to every name: ".npy".
  explicit FileNames(std::string_view ending) : ending_(ending) {}

  /// Errors: those of Sha256Of.
  Result<std::string> For(std::string_view tensor_name);

 private:
  std::string ending_;
  std::set<std::string> taken_;  // in lower case: some file systems do not tell case apart
};

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_FILE_NAME_H_
