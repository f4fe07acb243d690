// More elements than 32 bits count, through a file. Run by scripts/test.sh --large.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "io/formats/tensor_file.h"
#include "support/temp_dir.h"

namespace supremum::io {
namespace {

TEST(NpyLarge, MoreThanTwoToThe31ElementsAreWrittenAndReadBack) {
  const test::TempDir folder;
  const std::string path = folder.File("x.npy");
  Result<Tensor> written = Tensor::Create(DType::kInt8, Shape{65'537, 32'800});  // 2,149,613,600 elements
  ASSERT_TRUE(written);
  std::uint64_t position = 0;
  for (std::int8_t& element : written->Elements<std::int8_t>()) {
    element = static_cast<std::int8_t>((position * 31 + (position >> 20)) % 251);
    ++position;
  }
  const Result<void> done = WriteTensor(path, TensorFormat::kNpy, "", *written);
  ASSERT_TRUE(done) << done.error().message;
  const Result<NamedTensor> read = ReadTensor(path);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->tensor.dtype(), DType::kInt8);
  EXPECT_EQ(read->tensor.shape(), written->shape());
  ASSERT_EQ(read->tensor.byte_size(), written->byte_size());
  EXPECT_EQ(std::memcmp(read->tensor.data(), written->data(), written->byte_size()), 0);
}

}  // namespace
}  // namespace supremum::io
