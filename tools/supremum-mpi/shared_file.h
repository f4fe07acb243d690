// One file that all ranks have open, by MPI-IO.
#ifndef SUPREMUM_TOOLS_MPI_SHARED_FILE_H_
#define SUPREMUM_TOOLS_MPI_SHARED_FILE_H_

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "ranks.h"
#include "supremum/mpi.h"
#include "supremum/result.h"
#include "supremum/shape.h"

namespace supremum::cli {

/// A part of the elements of a file: `outer` runs, each `extent` x `inner` bytes long, and of each run the
/// block along the extent. With outer = 1 the part lies in one piece.
struct Slab {
  std::int64_t outer = 1;
  std::int64_t extent = 1;
  std::int64_t inner = 1;
  mpi::Block block{0, 1};

  /// Of row-major elements of that many bytes: `block` along dimension `split`.
  static Slab Along(DimsView shape, std::size_t split, mpi::Block block, std::size_t width);

  std::int64_t run() const { return block.size * inner; }
  std::int64_t bytes() const { return outer * run(); }
};

/// Every function but Where is collective, and gives every rank success or the same error.
class SharedFile {
 public:
  enum class Mode { kRead, kWrite };

  /// `path` is what is opened, `name` what texts call it. No access moves more than `message_bytes`.
  static Result<SharedFile> Open(const World& world, const std::string& path, const std::string& name,
                                 Mode mode, std::int64_t message_bytes);

  SharedFile(SharedFile&& other) noexcept;
  SharedFile& operator=(SharedFile&&) = delete;
  ~SharedFile();

  /// Fills `into` with this rank's part of the elements that begin at byte `offset`. Errors: kIo;
  /// kMalformedFile where the file ends before that.
  Result<void> Read(std::int64_t offset, const Slab& slab, std::span<std::byte> into);

  /// Errors: kIo.
  Result<void> Write(std::int64_t offset, const Slab& slab, std::span<const std::byte> from);

  /// What was written is on its way to the disk; on a file system of several machines, all see it. Errors:
  /// kIo.
  Result<void> Close();

 private:
  SharedFile(const World& world, MPI_File file, std::string name, std::int64_t message_bytes)
      : world_(world), file_(file), name_(std::move(name)), message_bytes_(message_bytes) {}

  /// Makes the file look as if it had this rank's part alone. Errors: kIo.
  Result<void> Show(std::int64_t offset, const Slab& slab);
  Result<void> Transfer(std::int64_t offset, const Slab& slab, std::byte* into, const std::byte* from);
  Result<void> Move(std::int64_t at, std::span<std::byte> into, const std::byte* from, bool together);

  World world_;
  MPI_File file_;
  std::string name_;
  std::int64_t message_bytes_;
};

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_MPI_SHARED_FILE_H_
