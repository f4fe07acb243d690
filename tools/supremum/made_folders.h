// Folders that are made for outputs, and taken back if nothing comes into them.
#ifndef SUPREMUM_TOOLS_MADE_FOLDERS_H_
#define SUPREMUM_TOOLS_MADE_FOLDERS_H_

#include <filesystem>
#include <system_error>
#include <vector>

namespace supremum::cli {

/// Those that were not there before are removed with this object, and by a signal, if they are empty then.
class MadeFolders {
 public:
  MadeFolders() = default;
  MadeFolders(const MadeFolders&) = delete;
  MadeFolders& operator=(const MadeFolders&) = delete;
  ~MadeFolders();

  /// Makes `folder` and those around it, as far as they are not there.
  std::error_code Make(const std::filesystem::path& folder);

  /// They stay, whatever is in them.
  void Keep();

 private:
  std::vector<std::filesystem::path> made_;  // from the outside in
};

/// Removes the empty ones of all that were made, for a program that is about to be ended by a signal. Whoever
/// still makes one afterwards waits for the end.
void DiscardMadeFolders() noexcept;

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_MADE_FOLDERS_H_
