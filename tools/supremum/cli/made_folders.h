// Folders that are created for outputs, and removed if they stay empty.
#ifndef SUPREMUM_TOOLS_CLI_MADE_FOLDERS_H_
#define SUPREMUM_TOOLS_CLI_MADE_FOLDERS_H_

#include <filesystem>
#include <system_error>
#include <vector>

namespace supremum::cli {

/// Removes the folders that it created, if they are empty, when it is destroyed, or when a signal ends the
/// program.
class MadeFolders {
 public:
  MadeFolders() = default;
  MadeFolders(const MadeFolders&) = delete;
  MadeFolders& operator=(const MadeFolders&) = delete;
  ~MadeFolders();

  /// Creates `folder` and its missing parents.
  std::error_code Make(const std::filesystem::path& folder);

  /// Keeps the folders, even empty ones.
  void Keep();

 private:
  std::vector<std::filesystem::path> made_;  // parents first
};

/// Removes all created folders that are empty, before a signal ends the program. A thread that creates one
/// afterwards blocks until the end.
void DiscardMadeFolders() noexcept;

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_MADE_FOLDERS_H_
