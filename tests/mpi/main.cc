// Runs the tests between MPI_Init and MPI_Finalize. A rank whose tests failed ends with a status other than
// 0, which is then mpirun's.
#include <gtest/gtest.h>
#include <mpi.h>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // One rank tells what passes; every rank tells what fails.
  if (rank != 0)
    delete testing::UnitTest::GetInstance()->listeners().Release(
        testing::UnitTest::GetInstance()->listeners().default_result_printer());
  class Failures : public testing::EmptyTestEventListener {
   public:
    explicit Failures(int rank) : rank_(rank) {}
    void OnTestPartResult(const testing::TestPartResult& result) override {
      if (result.failed())
        std::fprintf(stderr, "rank %d: %s:%d: %s\n", rank_, result.file_name(), result.line_number(),
                     result.message());
    }

   private:
    int rank_;
  };
  if (rank != 0) testing::UnitTest::GetInstance()->listeners().Append(new Failures(rank));
  const int failed = RUN_ALL_TESTS();
  MPI_Finalize();
  return failed;
}
