// A file that gets its name only when it is complete.
#ifndef SUPREMUM_SRC_IO_FILES_ATOMIC_FILE_H_
#define SUPREMUM_SRC_IO_FILES_ATOMIC_FILE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/files/open_folder.h"
#include "io/files/output_files.h"
#include "io/files/temporaries.h"
#include "supremum/result.h"

namespace supremum::io {

/// Collects bytes in a temporary file in the target's folder; Commit renames it over the target. Destroyed
/// without Commit, or after any error, it leaves the target as it was and no temporary file behind. A
/// symbolic link stays one: what it points to is replaced. A target that is neither file nor folder (a pipe,
/// /dev/stdout) is written to directly.
///
///   Result<AtomicFile> file = AtomicFile::Create("y.npy");
///   if (!file) return file.error();
///   if (auto done = file->Write(bytes); !done) return done.error();
///   return file->Commit();
class AtomicFile {
 public:
  /// Errors: kIo, with the target's name and the system's reason.
  static Result<AtomicFile> Create(const std::string& target);

  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  /// Appends, and starts writing to the disk early, so that Sync has less to wait for. Errors: kIo.
  Result<void> Write(std::span<const std::byte> bytes);

  /// The free space of its file system, in bytes; nullopt for a target that is written to directly, or if the
  /// system does not report it.
  std::optional<std::int64_t> FreeBytes() const;

  /// Makes the bytes durable and ends writing; Commit does it too. So several files can be written and made
  /// durable before the first of them gets its name. Errors: kIo.
  Result<void> Sync();

  /// Makes the bytes durable and gives them the target's name. Errors: kIo.
  Result<void> Commit();

 private:
  AtomicFile(std::string name, OutputTarget target);
  Error Fail(std::string_view verb, int error_number);
  void Discard() noexcept;

  std::string name_;  // as the caller wrote it, for error texts
  OutputTarget target_;
  FolderEntry temporary_;
  int descriptor_ = -1;  // open until the file has its name
  bool synced_ = false;
  std::int64_t written_ = 0;
  std::int64_t writeback_ = 0;  // up to this byte, the system was asked to start writing to the disk
};

/// Removes all temporary files of this process, for a program that a signal ends. To be called from a thread,
/// not from a signal handler. A thread that creates, renames or discards such a file afterwards blocks until
/// the process ends.
void DiscardTemporaries() noexcept;

/// Commits the file, or returns the error that `file` holds.
Result<void> CommitStaged(Result<AtomicFile> file);

/// Create, Write and Commit in one call, for content that is in memory.
Result<void> WriteFileAtomically(const std::string& target, std::string_view content);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FILES_ATOMIC_FILE_H_
