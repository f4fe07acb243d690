#include "ranks.h"

#include <array>
#include <utility>

namespace supremum::cli {

World World::Of(MPI_Comm comm) {
  World world;
  world.comm = comm;
  MPI_Comm_size(comm, &world.ranks);
  MPI_Comm_rank(comm, &world.rank);
  return world;
}

Result<void> MpiDone(int status, const std::string& what) {
  if (status == MPI_SUCCESS) return {};
  std::array<char, MPI_MAX_ERROR_STRING> text = {};
  int length = 0;
  MPI_Error_string(status, text.data(), &length);
  return MakeError(ErrorCode::kIo,
                   what + ": MPI reports " + std::string(text.data(), static_cast<std::size_t>(length)));
}

Result<void> DoneByRank0(const World& world, const std::function<Result<void>()>& make) {
  Result<void> made;
  if (world.rank == 0) made = make();
  int good = made ? 1 : 0;
  if (Result<void> done = MpiDone(MPI_Bcast(&good, 1, MPI_INT, 0, world.comm), "MPI_Bcast"); !done)
    return done;
  if (good == 1) return {};
  // All ranks report an error, so that the text does not name rank 0.
  return mpi::Agree(world.comm, world.rank == 0 ? made : MakeError(ErrorCode::kIo, "rank 0 has the message"));
}

Result<std::string> TextOfRank0(const World& world, const std::function<Result<std::string>()>& make) {
  std::string text;
  const Result<void> made = DoneByRank0(world, [&]() -> Result<void> {
    Result<std::string> of_rank0 = make();
    if (!of_rank0) return of_rank0.error();
    text = *std::move(of_rank0);
    return {};
  });
  if (!made) return made.error();
  int length = static_cast<int>(text.size());
  if (Result<void> done = MpiDone(MPI_Bcast(&length, 1, MPI_INT, 0, world.comm), "MPI_Bcast"); !done) {
    return done.error();
  }
  text.resize(static_cast<std::size_t>(length));
  if (Result<void> done = MpiDone(MPI_Bcast(text.data(), length, MPI_CHAR, 0, world.comm), "MPI_Bcast");
      !done) {
    return done.error();
  }
  return text;
}

Result<io::TensorPlace> FindForAll(const World& world, const std::string& spec, std::optional<DType> stated) {
  io::TensorPlace place;
  const Result<std::string> file = TextOfRank0(world, [&]() -> Result<std::string> {
    Result<io::TensorPlace> found = io::FindTensor(spec, stated);
    if (!found) return found.error();
    place = *std::move(found);
    return place.file;
  });
  if (!file) return file.error();
  place.file = *file;
  // Type, offset, byte order, order of dimensions, rank, extents.
  std::array<std::int64_t, 5 + kMaxRank> numbers = {static_cast<std::int64_t>(place.dtype), place.offset,
                                                    place.big_endian ? 1 : 0, place.fortran_order ? 1 : 0,
                                                    static_cast<std::int64_t>(place.shape.rank())};
  std::copy(place.shape.begin(), place.shape.end(), numbers.begin() + 5);
  const int count = static_cast<int>(numbers.size());
  if (Result<void> done = MpiDone(MPI_Bcast(numbers.data(), count, MPI_INT64_T, 0, world.comm), "MPI_Bcast");
      !done) {
    return done.error();
  }
  place.dtype = static_cast<DType>(numbers[0]);
  place.offset = numbers[1];
  place.big_endian = numbers[2] == 1;
  place.fortran_order = numbers[3] == 1;
  place.shape = *Shape::FromSpan(std::span(numbers).subspan(5, static_cast<std::size_t>(numbers[4])));
  return place;
}

Result<void> CheckUnchanged(const World& world, const io::TensorPlace& place) {
  return DoneByRank0(world, [&]() -> Result<void> {
    const Result<io::InputFile> file = io::InputFile::Open(place.file);
    if (!file) return file.error();
    if (file->identity() == place.identity) return {};
    return io::ChangedWhileRead(place.file);
  });
}

}  // namespace supremum::cli
