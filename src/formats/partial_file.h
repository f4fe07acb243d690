// A file that grows beside its target, outlives the process that writes it, and appears under the target's
// name only when it is complete.
#ifndef SUPREMUM_SRC_FORMATS_PARTIAL_FILE_H_
#define SUPREMUM_SRC_FORMATS_PARTIAL_FILE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "formats/file_bytes.h"
#include "formats/open_folder.h"
#include "formats/output_files.h"
#include "supremum/result.h"

namespace supremum::formats {

/// .supremum-TARGET.partial, and beside it .supremum-TARGET.partial.state with a note of whoever writes it.
/// What has these names already is taken up only if an earlier run of this user can have left it
/// (WhyNotOurs); anything else is an error, and stays as it is. Until Keep has been called once, it is a
/// temporary file like any other: gone with the object, and at a signal. From then on only Commit and Abandon
/// end it, and a later process finds it with the note. One process at a time writes it. A target that is
/// neither file nor folder (a pipe) is written to directly, from front to back, and keeps nothing.
///
///   Result<PartialFile> file = PartialFile::Open("y.npy");
///   if (!file) return file.error();
///   if (auto done = file->Truncate(0); !done) return done.error();
///   if (auto done = file->WriteAt(0, bytes); !done) return done.error();
///   if (auto done = file->Keep("what a later process must know"); !done) return done.error();
///   ...
///   return file->Commit();
class PartialFile {
 public:
  /// Takes up what an earlier process left, or begins with nothing.
  ///
  /// Errors: kIo, also for a file, link or pipe of these names that no earlier run of this user left;
  ///   kInvalidArgument if another process is writing it, or if it is one of `inputs`, under whatever name.
  static Result<PartialFile> Open(const std::string& target, std::span<const InputFile* const> inputs = {});

  PartialFile(PartialFile&& other) noexcept;
  PartialFile& operator=(PartialFile&&) = delete;
  ~PartialFile();

  /// The note that came with the last Keep, of this process or an earlier one.
  ///
  /// Errors: kIo, kLimitExceeded for more than 16 MiB.
  Result<std::optional<std::string>> ResumeData() const;

  /// Where it lies, for texts.
  std::string path() const { return lasting() ? entry_.path() : name_; }

  /// False for a pipe: there, each byte is written once, in order, and nothing is read back.
  bool lasting() const { return !target_.direct; }

  /// What is written goes on its way to the disk at once, so that Commit has little left to wait for.
  ///
  /// Errors of this and the following: kIo. What was kept stays so.
  Result<void> WriteAt(std::int64_t offset, std::span<const std::byte> bytes);
  Result<void> ReadAt(std::int64_t offset, std::span<std::byte> into) const;
  Result<void> Truncate(std::int64_t size);

  /// Replaces the note, in one step. Requires: lasting().
  Result<void> Keep(std::string_view resume_data);

  /// Forgets the note: what there is becomes a temporary file again.
  void Abandon() noexcept;

  /// Whether Keep was called and Abandon was not, by this process or an earlier one.
  bool kept() const { return kept_; }

  /// The free space where it lies, in bytes; nullopt if the system does not say.
  std::optional<std::int64_t> FreeBytes() const;

  /// Makes the bytes durable; Commit does it too. Several outputs can all be durable before the first of them
  /// gets its name.
  Result<void> Sync();

  /// Makes the bytes durable, gives them the target's name, and removes the note.
  Result<void> Commit();

 private:
  PartialFile(std::string name, OutputTarget target);
  Result<void> OpenLocked();
  Result<void> FindResumeFile();
  void RemoveResumeFile() noexcept;
  Error Fail(std::string_view verb, int error_number) const;
  FolderEntry ResumeFile() const { return {entry_.folder, entry_.name + ".state"}; }

  std::string name_;  // as the caller wrote it, for texts
  OutputTarget target_;
  FolderEntry entry_;
  int descriptor_ = -1;
  bool kept_ = false;
  int note_ = -1;           // the note, where kept_: open, so that no other file can have its number
  std::int64_t begun_ = 0;  // before it, the system was asked to begin writing to the disk
};

}  // namespace supremum::formats

#endif  // SUPREMUM_SRC_FORMATS_PARTIAL_FILE_H_
