// File names for untrusted tensor names.
#ifndef SUPREMUM_TOOLS_CLI_FILE_NAME_H_
#define SUPREMUM_TOOLS_CLI_FILE_NAME_H_

#include <set>
#include <string>
#include <string_view>

#include "supremum/result.h"

namespace supremum::cli {

/// Turns tensor names into distinct names of files in one folder: no separators, no hidden files, nothing
/// that a shell or `NAME=FILE` would interpret, at most 250 bytes.
///
///   letters, digits, '_', and '.' and '-' except in the first place: unchanged;   any other byte: %XX
///   "": %empty;   too long: the beginning, then %sha256- and the hash of the name;   already used, ignoring
///   letter case: %copy2 and so on
///
/// A '%' that is not followed by two upper-case hexadecimal digits never comes from a name, so that different
/// names have different files.
class FileNames {
 public:
  /// `ending` is appended to every name: ".npy".
  explicit FileNames(std::string_view ending) : ending_(ending) {}

  /// Errors: those of Sha256Of.
  Result<std::string> For(std::string_view tensor_name);

 private:
  std::string ending_;
  std::set<std::string> taken_;  // in lower case: some file systems ignore case
};

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_FILE_NAME_H_
