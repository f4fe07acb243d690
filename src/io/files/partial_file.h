// A file that is written beside its target, can outlive the process that writes it, and gets the target's
// name only when it is complete.
#ifndef SUPREMUM_SRC_IO_FILES_PARTIAL_FILE_H_
#define SUPREMUM_SRC_IO_FILES_PARTIAL_FILE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/files/file_bytes.h"
#include "io/files/open_folder.h"
#include "io/files/output_files.h"
#include "supremum/result.h"

namespace supremum::io {

/// Two files beside the target:
///
///   .supremum-TARGET.partial         the partial file: the bytes written so far
///   .supremum-TARGET.partial.state   the resume file: the resume data of the writer, from the last Keep
///
/// Existing files of these names are used only if an earlier run of this user can have created them
/// (WhyNotOurs); others are an error and stay unchanged. Until the first Keep, the partial file is temporary:
/// it is removed with this object, and at a signal. After it, only Commit and Abandon remove it, and a later
/// process finds it with its resume data. One process at a time writes it. A target that is neither file nor
/// folder (a pipe) is written to directly, in order, and Keep is not available.
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
  /// Opens the partial file of an earlier process, or creates one. Without `resumable`, creates a temporary
  /// file of a new name: then files of the names above have no effect.
  ///
  /// Errors: kIo, also for a file, link or pipe of these names that no earlier run of this user can have
  ///   created; kInvalidArgument if another process is writing it, or if it is one of `inputs`, under
  ///   whatever name.
  static Result<PartialFile> Open(const std::string& target, std::span<const InputFile* const> inputs = {},
                                  bool resumable = true);

  PartialFile(PartialFile&& other) noexcept;
  PartialFile& operator=(PartialFile&&) = delete;
  ~PartialFile();

  /// The resume data of the last Keep, by this process or an earlier one; nullopt if there is none.
  ///
  /// Errors: kIo, kLimitExceeded for more than 16 MiB.
  Result<std::optional<std::string>> ResumeData() const;

  /// The path of the partial file, for error texts.
  std::string path() const { return lasting() ? entry_.path() : name_; }

  /// False without `resumable`, and for a pipe: nothing can be kept.
  bool lasting() const { return resumable_ && !target_.direct; }

  /// Starts writing to the disk early, so that Commit has less to wait for.
  ///
  /// Errors of this and the following: kIo. After an error, the partial file can still be resumed from the
  /// last Keep.
  Result<void> WriteAt(std::int64_t offset, std::span<const std::byte> bytes);
  Result<void> ReadAt(std::int64_t offset, std::span<std::byte> into) const;
  Result<void> Truncate(std::int64_t size);

  /// Replaces the resume file atomically. Requires: lasting().
  Result<void> Keep(std::string_view resume_data);

  /// Removes the resume file: the partial file is temporary again.
  void Abandon() noexcept;

  /// Whether Keep was called and Abandon was not, by this process or an earlier one.
  bool kept() const { return kept_; }

  /// The free space of its file system, in bytes; nullopt if the system does not report it.
  std::optional<std::int64_t> FreeBytes() const;

  /// Makes the bytes durable, and closes a pipe; Commit does it too. Several outputs can all be durable
  /// before the first of them gets its name.
  Result<void> Sync();

  /// Makes the bytes durable, gives them the target's name, and removes the resume file.
  Result<void> Commit();

 private:
  PartialFile(std::string name, OutputTarget target);
  Result<void> OpenLocked();
  Result<void> FindResumeFile();
  void RemoveResumeFile() noexcept;
  Error Fail(std::string_view verb, int error_number) const;
  FolderEntry ResumeFile() const { return {entry_.folder, entry_.name + ".state"}; }

  std::string name_;  // as the caller wrote it, for error texts
  OutputTarget target_;
  FolderEntry entry_;
  int descriptor_ = -1;
  bool resumable_ = true;
  bool kept_ = false;
  int resume_descriptor_ = -1;         // the resume file, if kept_; open, so that its inode is not reused
  std::int64_t writeback_offset_ = 0;  // up to this offset, the system was asked to start writing to the disk
};

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FILES_PARTIAL_FILE_H_
