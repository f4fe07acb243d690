// Prints the table of docs/mpi.md: the results of MPI_MAX beside those of JoinOp, which must be right.
//
//   mpirun -n 4 build/release/bin/mpi_max
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string>

#include "bindings/mpi/ranks.h"

namespace {

constexpr int kCount = 5;

using Bits = std::array<std::uint32_t, kCount>;

std::string Text(const Bits& row) {
  std::string text;
  for (const std::uint32_t bits : row) {
    std::array<char, 16> digits = {};
    std::snprintf(digits.data(), digits.size(), text.empty() ? "%08x" : " %08x", bits);
    text += digits.data();
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  struct Row {
    const char* text;
    std::uint32_t first, others, right;
  };
  constexpr std::array<Row, 5> kRows = {{
      {"NaN on rank 0, 1 on the others", 0x7FC0'0000, 0x3F80'0000, 0x7FC0'0000},
      {"1 on rank 0, NaN on the others", 0x3F80'0000, 0x7FC0'0000, 0x7FC0'0000},
      {"+0 on rank 0, -0 on the others", 0x0000'0000, 0x8000'0000, 0x0000'0000},
      {"-0 on rank 0, +0 on the others", 0x8000'0000, 0x0000'0000, 0x0000'0000},
      {"a negative NaN on rank 0, NaN on the others", 0xFFC0'0001, 0x7FC0'0000, 0x7FC0'0000},
  }};
  int wrong = 0;
  {
    const supremum::test::OwnedJoin join(supremum::DType::kFloat32);
    const int rank = supremum::test::OwnRank();
    for (const Row& row : kRows) {
      Bits own = {}, reduced = {}, all_reduced = {}, joined = {};
      own.fill(rank == 0 ? row.first : row.others);
      MPI_Reduce(own.data(), reduced.data(), kCount, MPI_FLOAT, MPI_MAX, 0, MPI_COMM_WORLD);
      MPI_Allreduce(own.data(), all_reduced.data(), kCount, MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD);
      MPI_Allreduce(own.data(), joined.data(), kCount, MPI_FLOAT, join.op(), MPI_COMM_WORLD);
      wrong += static_cast<int>(std::ranges::count_if(joined, [&](auto bits) { return bits != row.right; }));
      if (rank != 0) continue;
      std::printf("| %s | %s | %s | %s |\n", row.text, Text(reduced).c_str(), Text(all_reduced).c_str(),
                  Text(joined).c_str());
    }
  }
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
