// Runs the tests between MPI_Init and MPI_Finalize, on every rank.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>

namespace {

int rank = 0;

// One rank tells what passes; every rank tells what fails, and then ends all: the others may wait for what it
// left out.
class Failures : public testing::EmptyTestEventListener {
 public:
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "rank %d: %s:%d: %s\n", rank, result.file_name(), result.line_number(),
                 result.message());
  }
  void OnTestEnd(const testing::TestInfo& info) override {
    if (info.result()->Failed()) MPI_Abort(MPI_COMM_WORLD, 1);
  }
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  if (rank != 0) delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new Failures);
  const int failed = RUN_ALL_TESTS();
  MPI_Finalize();
  return failed;
}
