// A file that all ranks have open, by MPI-IO.
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

/// A part of the elements of a file: `outer` rows of `extent` x `inner` bytes, and of each row `block` along
/// the extent. With outer = 1 the part is contiguous.
///
///   row 0     |------[ block ]---|      each '-' and each unit of the block is `inner` bytes
///   row 1     |------[ block ]---|
///   ...                                 `outer` rows of `extent` units
struct Slab {
  std::int64_t outer = 1;
  std::int64_t extent = 1;
  std::int64_t inner = 1;
  mpi::Block block{0, 1};

  /// `block` along dimension `split` of row-major elements of `width` bytes.
  static Slab Along(DimsView shape, std::size_t split, mpi::Block block, std::size_t width);

  std::int64_t run() const { return block.size * inner; }
  std::int64_t bytes() const { return outer * run(); }
};

/// Every function is collective, and returns success or the same error on every rank.
class SharedFile {
 public:
  enum class Mode { kRead, kWrite };

  /// Opens `path`; errors call it `name`. No access transfers more than `message_bytes`.
  static Result<SharedFile> Open(const World& world, const std::string& path, const std::string& name,
                                 Mode mode, std::int64_t message_bytes);

  SharedFile(SharedFile&& other) noexcept;
  SharedFile& operator=(SharedFile&&) = delete;
  ~SharedFile();

  /// Fills `into` with this rank's slab of the elements that begin at byte `offset`. Errors: kIo;
  /// kMalformedFile if the file ends before the slab does.
  Result<void> Read(std::int64_t offset, const Slab& slab, std::span<std::byte> into);

  /// Errors: kIo.
  Result<void> Write(std::int64_t offset, const Slab& slab, std::span<const std::byte> from);

  /// Syncs and closes the file, so that all ranks see what was written, also on other machines. Errors: kIo.
  Result<void> Close();

 private:
  SharedFile(const World& world, MPI_File file, std::string name, std::int64_t message_bytes)
      : world_(world), file_(file), name_(std::move(name)), message_bytes_(message_bytes) {}

  /// Sets MPI's view of the file to this rank's slab. Errors: kIo.
  Result<void> SetView(std::int64_t offset, const Slab& slab);
  Result<void> Transfer(std::int64_t offset, const Slab& slab, std::byte* into, const std::byte* from);
  Result<void> Move(std::int64_t at, std::span<std::byte> into, const std::byte* from, bool together);

  World world_;
  MPI_File file_;
  std::string name_;
  std::int64_t message_bytes_;
};

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_MPI_SHARED_FILE_H_
