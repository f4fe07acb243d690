#include "shared_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <climits>
#include <utility>

namespace supremum::cli {
namespace {

// `count` elements of `type`, `stride` bytes apart. A count of MPI is an int, so that a larger count is
// composed of blocks of kMany elements and a rest.
MPI_Datatype Repeat(std::int64_t count, std::int64_t stride, MPI_Datatype type) {
  constexpr std::int64_t kMany = 1 << 30;
  MPI_Datatype made = MPI_DATATYPE_NULL;
  if (count <= kMany) {
    MPI_Type_create_hvector(static_cast<int>(count), 1, stride, type, &made);
    return made;
  }
  MPI_Datatype many = Repeat(kMany, stride, type), most = MPI_DATATYPE_NULL;
  MPI_Type_create_hvector(static_cast<int>(count / kMany), 1, kMany * stride, many, &most);
  MPI_Datatype rest = Repeat(count % kMany, stride, type);
  std::array<int, 2> lengths = {1, 1};
  std::array<MPI_Aint, 2> places = {0, count / kMany * kMany * stride};
  std::array<MPI_Datatype, 2> types = {most, rest};
  MPI_Type_create_struct(2, lengths.data(), places.data(), types.data(), &made);
  for (MPI_Datatype* used : {&many, &most, &rest}) MPI_Type_free(used);
  return made;
}

}  // namespace

Slab Slab::Along(DimsView shape, std::size_t split, mpi::Block block, std::size_t width) {
  Slab slab;
  for (std::size_t d = 0; d < split; ++d) slab.outer *= shape[d];
  slab.extent = shape[split];
  slab.inner = static_cast<std::int64_t>(width);
  for (std::size_t d = split + 1; d < shape.size(); ++d) slab.inner *= shape[d];
  slab.block = block;
  return slab;
}

Result<SharedFile> SharedFile::Open(const World& world, const std::string& path, const std::string& name,
                                    Mode mode, std::int64_t message_bytes) {
  MPI_File file = MPI_FILE_NULL;
  const int access = mode == Mode::kRead ? MPI_MODE_RDONLY : MPI_MODE_WRONLY;
  const int status = MPI_File_open(world.comm, path.c_str(), access, MPI_INFO_NULL, &file);
  const Result<void> opened =
      mpi::Agree(world.comm, MpiDone(status, fmt::format("'{}' cannot be opened", name)));
  if (!opened) {
    // Closing is collective, so that the ranks which could open it cannot close it. The program is about to
    // end.
    return opened.error();
  }
  return SharedFile(world, file, name, message_bytes);
}

SharedFile::SharedFile(SharedFile&& other) noexcept
    : world_(other.world_),
      file_(std::exchange(other.file_, MPI_FILE_NULL)),
      name_(std::move(other.name_)),
      message_bytes_(other.message_bytes_) {}

SharedFile::~SharedFile() {
  // If the file is still open here, all ranks have an error, so that the collective close is valid.
  if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
}

Result<void> SharedFile::SetView(std::int64_t offset, const Slab& slab) {
  const std::int64_t begin = offset + slab.block.begin * slab.inner;
  if (slab.bytes() == 0) {
    return MpiDone(MPI_File_set_view(file_, offset, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL), name_);
  }
  MPI_Datatype run = Repeat(slab.run(), 1, MPI_BYTE);
  MPI_Datatype runs = Repeat(slab.outer, slab.extent * slab.inner, run);
  MPI_Type_commit(&runs);
  const int status = MPI_File_set_view(file_, begin, MPI_BYTE, runs, "native", MPI_INFO_NULL);
  MPI_Type_free(&runs);
  MPI_Type_free(&run);
  return MpiDone(status, name_);
}

// One access of at most INT_MAX bytes: a read if `from` is null, otherwise a write.
Result<void> SharedFile::Move(std::int64_t at, std::span<std::byte> into, const std::byte* from,
                              bool together) {
  MPI_Status status = {};
  const int count = static_cast<int>(into.size());
  int done = MPI_SUCCESS;
  if (from == nullptr) {
    done = together ? MPI_File_read_at_all(file_, at, into.data(), count, MPI_BYTE, &status)
                    : MPI_File_read_at(file_, at, into.data(), count, MPI_BYTE, &status);
  } else {
    done = together ? MPI_File_write_at_all(file_, at, from, count, MPI_BYTE, &status)
                    : MPI_File_write_at(file_, at, from, count, MPI_BYTE, &status);
  }
  const char* const verb = from == nullptr ? "read" : "written";
  if (Result<void> ok = MpiDone(done, fmt::format("'{}' cannot be {}", name_, verb)); !ok) return ok;
  int moved = 0;
  MPI_Get_count(&status, MPI_BYTE, &moved);
  if (moved == count) return {};
  if (from == nullptr) {
    return MakeError(
        ErrorCode::kMalformedFile,
        fmt::format("'{}': the file ended while it was read: {} of {} bytes; it was changed after "
                    "its size had been checked: run again",
                    name_, moved, count));
  }
  return MakeError(ErrorCode::kIo,
                   fmt::format("'{}' cannot be written: {} of {} bytes written; check the free space", name_,
                               moved, count));
}

Result<void> SharedFile::Transfer(std::int64_t offset, const Slab& slab, std::byte* into,
                                  const std::byte* from) {
  // A contiguous slab is accessed independently. For many short runs, collective access lets MPI combine
  // them.
  const bool together = slab.outer > 1;
  Result<void> mine;
  if (together) {
    mine = SetView(offset, slab);
    if (Result<void> all = mpi::Agree(world_.comm, mine); !all) return all;
  }
  const std::int64_t begin = together ? 0 : offset + slab.block.begin * slab.inner;
  const std::int64_t message = std::clamp<std::int64_t>(message_bytes_, 1, INT_MAX);
  std::int64_t rounds = (slab.bytes() + message - 1) / message;
  if (together) {
    const int status = MPI_Allreduce(MPI_IN_PLACE, &rounds, 1, MPI_INT64_T, MPI_MAX, world_.comm);
    if (Result<void> ok = MpiDone(status, "MPI_Allreduce"); !ok) return ok;
  }
  for (std::int64_t round = 0; round < rounds; ++round) {
    const std::int64_t at = std::min(round * message, slab.bytes());
    const auto count = static_cast<std::size_t>(std::min(message, slab.bytes() - at));
    // After an error this rank continues, since the other ranks wait in the collective call; the first error
    // is kept.
    const Result<void> moved = Move(begin + at, {into == nullptr ? nullptr : into + at, count},
                                    from == nullptr ? nullptr : from + at, together);
    if (mine && !moved) mine = moved;
    if (!mine && !together) break;
  }
  return mpi::Agree(world_.comm, mine);
}

Result<void> SharedFile::Read(std::int64_t offset, const Slab& slab, std::span<std::byte> into) {
  return Transfer(offset, slab, into.data(), nullptr);
}

Result<void> SharedFile::Write(std::int64_t offset, const Slab& slab, std::span<const std::byte> from) {
  // Not null, since a null pointer means a read.
  static const std::byte kNothing{};
  return Transfer(offset, slab, nullptr, from.empty() ? &kNothing : from.data());
}

Result<void> SharedFile::Close() {
  Result<void> done = MpiDone(MPI_File_sync(file_), fmt::format("'{}' cannot be written to disk", name_));
  const Result<void> closed = MpiDone(MPI_File_close(&file_), fmt::format("'{}' cannot be closed", name_));
  file_ = MPI_FILE_NULL;
  if (done) done = closed;
  return mpi::Agree(world_.comm, done);
}

}  // namespace supremum::cli
