#include "io/formats/byte_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "io/formats/format_testing.h"
#include "io/formats/tensor_file.h"
#include "support/temp_dir.h"

namespace supremum::io {
namespace {

using test::ReadBytes;
using test::TempDir;
using test::TensorOf;
using testing::HasSubstr;

const std::string kLittleEndian = {1, 2, 3, 4, 5, 6, 7, 8};

Tensor OneNumber() { return TensorOf<std::uint64_t>({}, {0x0807060504030201U}); }

TEST(ByteOrder, EveryWriterWritesTheLowestByteFirst) {
  const TempDir dir;
  const std::string file = dir.File("x");
  for (const TensorFormat format : {TensorFormat::kRaw, TensorFormat::kNpy, TensorFormat::kSafetensors,
                                    TensorFormat::kTensorProto, TensorFormat::kNpz}) {
    ASSERT_TRUE(WriteTensor(file, format, "x", OneNumber()));
    EXPECT_THAT(ReadBytes(file), HasSubstr(kLittleEndian));
  }
  EXPECT_EQ(LittleEndianBytes(OneNumber()), kLittleEndian);
}

TEST(ByteOrder, TheBytesOfEachElementAreReversedWhereTheOrdersDiffer) {
  for (const bool big_endian : {false, true}) {
    std::uint16_t elements[] = {0x0102, 0x0304};
    const std::vector<std::uint16_t> same(elements, elements + 2), swapped = {0x0201, 0x0403};
    ToMachineOrder(std::as_writable_bytes(std::span(elements)), sizeof(elements[0]), big_endian);
    EXPECT_THAT(elements, testing::ElementsAreArray(big_endian == kBigEndianMachine ? same : swapped));
  }
}

TEST(ByteOrder, PiecesAreWhateverTheSwappedElementsAre) {
  std::vector<std::uint64_t> elements(1100);
  std::iota(elements.begin(), elements.end(), std::uint64_t{0x0102030405060708});
  std::vector<std::uint64_t> expected = elements;
  SwapBytes(std::as_writable_bytes(std::span(expected)), 8);
  std::vector<std::byte> seen;
  const auto use = [&](std::span<const std::byte> piece) -> Result<void> {
    seen.insert(seen.end(), piece.begin(), piece.end());
    return {};
  };
  ASSERT_TRUE(ForEachLittleEndianPiece<true>(std::as_bytes(std::span(elements)), 8, use));
  EXPECT_TRUE(std::ranges::equal(seen, std::as_bytes(std::span(expected))));
}

TEST(ByteOrder, TheFirstErrorEndsThePieces) {
  const std::vector<std::uint32_t> elements(5000);
  int calls = 0;
  const auto use = [&](std::span<const std::byte>) -> Result<void> {
    ++calls;
    return MakeError(ErrorCode::kIo, "the disk is full");
  };
  EXPECT_FALSE(ForEachLittleEndianPiece<true>(std::as_bytes(std::span(elements)), 4, use));
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace supremum::io
