// The operation in MPI's own collectives, against the specification's loops on one process. Every rank makes
// the same random rows of all ranks, and sends its own.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "bindings/mpi/ranks.h"
#include "support/values.h"
#include "supremum/mpi.h"
#include "supremum/mpi_c.h"
#include "supremum/reference.h"
#include "supremum/tensor.h"

namespace supremum {
namespace {

using test::BitsOf;
using test::OwnedJoin;
using test::OwnRank;
using test::RankCount;
using test::Rng;

bool op_create_fails = false;

}  // namespace
}  // namespace supremum

// Replaces the function of the MPI library, which calls it PMPI_Op_create too.
extern "C" int MPI_Op_create(MPI_User_function* function, int commutes, MPI_Op* op) {
  return supremum::op_create_fails ? MPI_ERR_INTERN : PMPI_Op_create(function, commutes, op);
}

namespace supremum {
namespace {

class MpiJoin : public testing::TestWithParam<DType> {};

INSTANTIATE_TEST_SUITE_P(AllTypes, MpiJoin, testing::ValuesIn(kAllDTypes),
                         [](const auto& param) { return std::string(Name(param.param)); });

// A row of values for each rank, one behind the other.
struct Rows {
  Rows(DType dtype, std::int64_t n, std::uint64_t seed, int count)
      : all(Tensor::Create(dtype, Shape{count, n}).value()) {
    Rng rng(seed);
    const std::vector<std::uint64_t> special = test::SpecialBits(dtype);
    for (std::int64_t i = 0; i < all.size(); ++i) {
      std::uint64_t bits = test::RandomBits(rng, dtype, special);
      // Most bytes are false: otherwise nearly every column would be true.
      if (dtype == DType::kBool) bits = rng() % 4 == 0 ? 1 + rng() % 255 : 0;
      std::memcpy(all.bytes().data() + static_cast<std::size_t>(i) * ByteWidth(dtype), &bits,
                  ByteWidth(dtype));
    }
  }

  std::int64_t length() const { return all.shape()[1]; }

  std::span<const std::byte> Row(int rank) const {
    const std::size_t bytes = static_cast<std::size_t>(length()) * ByteWidth(all.dtype());
    return all.bytes().subspan(static_cast<std::size_t>(rank) * bytes, bytes);
  }

  // The expected maximum of the first `count` rows.
  Tensor Maximum(int count) const {
    Tensor maximum = Tensor::Create(all.dtype(), Shape{length()}).value();
    const Shape shape{count, length()};
    const std::array<std::int64_t, 1> axes = {0};
    EXPECT_TRUE(reference::ReduceMax({all.dtype(), shape, {}, all.bytes().data()}, maximum.MutableView(),
                                     axes, false));
    return maximum;
  }

  Tensor all;
};

constexpr std::int64_t kLengths[] = {0, 1, 2, 3, 6, 7, 8, 64, 1000, 20'011};

// Rules: ORD-1, ORD-2, ORD-3, ORD-4, ORD-5, TYP-1
TEST_P(MpiJoin, TwoRowsGiveTheBitsOfMaxInEitherOrder) {
  const OwnedJoin join(GetParam());
  for (const std::int64_t n : kLengths) {
    const Rows rows(GetParam(), n, static_cast<std::uint64_t>(n) + 7, 2);
    const Tensor expected = rows.Maximum(2);
    for (const int first : {0, 1}) {
      Tensor inout = Tensor::Create(GetParam(), Shape{n}).value();
      std::ranges::copy(rows.Row(1 - first), inout.bytes().begin());
      ASSERT_EQ(MPI_Reduce_local(rows.Row(first).data(), inout.data(), static_cast<int>(n),
                                 BitsOf(GetParam()), join.op()),
                MPI_SUCCESS);
      ASSERT_TRUE(std::ranges::equal(inout.bytes(), expected.bytes())) << n << " elements";
    }
  }
  int commutes = 0;
  ASSERT_EQ(MPI_Op_commutative(join.op(), &commutes), MPI_SUCCESS);
  EXPECT_EQ(commutes, 1);
}

// Rules: ORD-1, ORD-2, ORD-3, ORD-4, ORD-5, TYP-1
TEST_P(MpiJoin, AllreduceGivesEveryRankTheBitsOfOneProcess) {
  const OwnedJoin join(GetParam());
  for (const std::int64_t n : kLengths) {
    const Rows rows(GetParam(), n, static_cast<std::uint64_t>(n), RankCount());
    Tensor values = Tensor::Create(GetParam(), Shape{n}).value();
    std::ranges::copy(rows.Row(OwnRank()), values.bytes().begin());
    ASSERT_EQ(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(n), BitsOf(GetParam()), join.op(),
                            MPI_COMM_WORLD),
              MPI_SUCCESS);
    ASSERT_TRUE(std::ranges::equal(values.bytes(), rows.Maximum(RankCount()).bytes())) << n << " elements";
  }
}

// Rules: ORD-3, ORD-4, ORD-5
TEST_P(MpiJoin, ReduceScatterGivesEachRankItsPart) {
  const OwnedJoin join(GetParam());
  for (const std::int64_t n : kLengths) {
    const Rows rows(GetParam(), n, static_cast<std::uint64_t>(n) + 77, RankCount());
    // Two sizes differ by at most 1, and some are 0.
    std::vector<int> counts;
    for (int rank = 0; rank < RankCount(); ++rank) {
      counts.push_back(static_cast<int>(n / RankCount() + (rank < n % RankCount() ? 1 : 0)));
    }
    const auto own = counts.begin() + OwnRank();
    const std::size_t width = ByteWidth(GetParam()), size = static_cast<std::size_t>(*own) * width;
    const std::size_t begin = static_cast<std::size_t>(std::accumulate(counts.begin(), own, 0)) * width;
    std::vector<std::byte> part(size);
    ASSERT_EQ(MPI_Reduce_scatter(rows.Row(OwnRank()).data(), part.data(), counts.data(), BitsOf(GetParam()),
                                 join.op(), MPI_COMM_WORLD),
              MPI_SUCCESS);
    const Tensor expected = rows.Maximum(RankCount());
    ASSERT_TRUE(std::ranges::equal(part, expected.bytes().subspan(begin, size))) << n << " elements";
  }
}

// Rules: ORD-5
TEST_P(MpiJoin, ReduceToEachRankAndScanGiveTheBitsOfOneProcess) {
  const OwnedJoin join(GetParam());
  const Rows rows(GetParam(), 4097, 5, RankCount());
  const int count = static_cast<int>(rows.length());
  const void* const own = rows.Row(OwnRank()).data();
  Tensor result = Tensor::Create(GetParam(), Shape{rows.length()}).value();
  for (int root = 0; root < RankCount(); ++root) {
    ASSERT_EQ(MPI_Reduce(own, result.data(), count, BitsOf(GetParam()), join.op(), root, MPI_COMM_WORLD),
              MPI_SUCCESS);
    if (root != OwnRank()) continue;
    ASSERT_TRUE(std::ranges::equal(result.bytes(), rows.Maximum(RankCount()).bytes()));
  }
  ASSERT_EQ(MPI_Scan(own, result.data(), count, BitsOf(GetParam()), join.op(), MPI_COMM_WORLD), MPI_SUCCESS);
  if (OwnRank() == 0) return;  // the first row as it is: MPI joins nothing
  EXPECT_TRUE(std::ranges::equal(result.bytes(), rows.Maximum(OwnRank() + 1).bytes()));
}

// Rules: ORD-2, ORD-3, ORD-4
TEST(MpiJoin, OneNaNAndOnePositiveZeroReachEveryRankFromAnyRank) {
  const OwnedJoin join(DType::kFloat32);
  for (int from = 0; from < RankCount(); ++from) {
    std::array<std::uint32_t, 3> bits = {0x8000'0000, 0x8000'0000, 0xFF80'0000};
    if (OwnRank() == from) {
      bits[0] = 0x0000'0000;
      bits[1] = 0xFFA0'0001;  // a signalling NaN with a sign
    }
    std::array<float, 3> row = {};
    std::memcpy(row.data(), bits.data(), sizeof bits);
    ASSERT_EQ(MPI_Allreduce(MPI_IN_PLACE, row.data(), 3, MPI_FLOAT, join.op(), MPI_COMM_WORLD), MPI_SUCCESS);
    std::memcpy(bits.data(), row.data(), sizeof bits);
    EXPECT_EQ(bits[0], 0x0000'0000u) << "+0 from rank " << from;
    EXPECT_EQ(bits[1], 0x7FC0'0000u) << "NaN from rank " << from;
    EXPECT_EQ(bits[2], 0xFF80'0000u) << "a column of -inf";
  }
}

TEST(MpiJoin, UnknownTypesAndErrorsOfMpiAreErrors) {
  EXPECT_EQ(mpi::JoinOp(static_cast<DType>(99)).error().code, ErrorCode::kTypeNotAdmitted);
  op_create_fails = true;
  const Result<MPI_Op> join = mpi::JoinOp(DType::kFloat32);
  MPI_Op op = MPI_OP_NULL;
  EXPECT_EQ(supremum_mpi_join_op({kDLFloat, 32, 1}, &op), MPI_ERR_INTERN);
  op_create_fails = false;
  ASSERT_FALSE(join);
  EXPECT_EQ(join.error().code, ErrorCode::kIo);
  EXPECT_NE(join.error().message.find("MPI_Op_create: MPI says MPI_ERR_INTERN"), std::string::npos)
      << join.error().message;
}

// Rules: TYP-1
TEST_P(MpiJoin, TheOperationForCIsThatOfTheType) {
  constexpr std::array<DLDataType, kAllDTypes.size()> kTypes = {{
      {kDLBfloat, 16, 1},
      {kDLFloat, 16, 1},
      {kDLFloat, 32, 1},
      {kDLFloat, 64, 1},
      {kDLInt, 8, 1},
      {kDLInt, 16, 1},
      {kDLInt, 32, 1},
      {kDLInt, 64, 1},
      {kDLUInt, 8, 1},
      {kDLUInt, 16, 1},
      {kDLUInt, 32, 1},
      {kDLUInt, 64, 1},
      {SUPREMUM_DL_BOOL, 8, 1},
  }};
  const DLDataType type = kTypes[static_cast<std::size_t>(GetParam())];
  MPI_Op op = MPI_OP_NULL;
  ASSERT_EQ(supremum_mpi_join_op(type, &op), MPI_SUCCESS);
  const Rows rows(GetParam(), 1000, 11, 2);
  Tensor inout = Tensor::Create(GetParam(), Shape{1000}).value();
  std::ranges::copy(rows.Row(1), inout.bytes().begin());
  EXPECT_EQ(MPI_Reduce_local(rows.Row(0).data(), inout.data(), 1000, BitsOf(GetParam()), op), MPI_SUCCESS);
  EXPECT_TRUE(std::ranges::equal(inout.bytes(), rows.Maximum(2).bytes()));
  EXPECT_EQ(MPI_Op_free(&op), MPI_SUCCESS);
}

// 2 GiB of addresses that all show the same 1 MiB of memory.
class Repeated {
 public:
  static constexpr std::size_t kPart = 1 << 20;
  static constexpr std::size_t kBytes = std::size_t{1} << 31;

  explicit Repeated(float value) {
    const int file = memfd_create("repeated", 0);
    EXPECT_EQ(ftruncate(file, kPart), 0);
    data_ = mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    EXPECT_NE(data_, MAP_FAILED);
    for (std::size_t at = 0; at < kBytes; at += kPart) {
      void* const part = static_cast<std::byte*>(data_) + at;
      EXPECT_EQ(mmap(part, kPart, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0), part);
    }
    close(file);
    std::ranges::fill(part(), value);
  }
  Repeated(const Repeated&) = delete;
  Repeated& operator=(const Repeated&) = delete;
  ~Repeated() { munmap(data_, kBytes); }

  void* data() const { return data_; }
  std::span<float> part() const { return {static_cast<float*>(data_), kPart / sizeof(float)}; }

 private:
  void* data_ = nullptr;
};

TEST(MpiJoin, AContiguousDatatypeMayHaveMoreBytesThanAnIntHolds) {
  if (OwnRank() != 0) return;
  const OwnedJoin join(DType::kFloat32);
  const Repeated in(2.0f), inout(1.0f);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(Repeated::kBytes / sizeof(float), MPI_FLOAT, &type);
  MPI_Type_commit(&type);
  EXPECT_EQ(MPI_Reduce_local(in.data(), inout.data(), 1, type, join.op()), MPI_SUCCESS);
  MPI_Type_free(&type);
  EXPECT_TRUE(std::ranges::all_of(inout.part(), [](float value) { return value == 2.0f; }));
}

TEST(MpiJoin, WhatIsNoTypeHasNoOperationForC) {
  MPI_Op op = MPI_OP_NULL;
  for (const DLDataType type :
       {DLDataType{kDLFloat, 32, 2}, DLDataType{kDLFloat, 8, 1}, DLDataType{99, 32, 1}}) {
    EXPECT_EQ(supremum_mpi_join_op(type, &op), MPI_ERR_TYPE);
  }
  EXPECT_EQ(op, MPI_OP_NULL);
  EXPECT_EQ(supremum_mpi_join_op({kDLFloat, 32, 1}, nullptr), MPI_ERR_ARG);
}

}  // namespace
}  // namespace supremum
