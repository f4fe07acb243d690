// Helpers for the tests of formats: small files, small tensors, limits of a file's size.
#ifndef SUPREMUM_TESTS_IO_FORMATS_FORMAT_TESTING_H_
#define SUPREMUM_TESTS_IO_FORMATS_FORMAT_TESTING_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "io/formats/byte_order.h"
#include "io/formats/npy_header.h"
#include "support/bytes.h"
#include "support/errors.h"
#include "supremum/dtype.h"
#include "supremum/shape.h"
#include "supremum/tensor.h"

namespace supremum::test {

inline void WriteBytes(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  ASSERT_TRUE(file.good()) << path;
}

inline std::string ReadBytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The names of the files in `folder`, hidden ones included.
inline std::vector<std::string> FilesIn(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

/// A tensor whose bytes tell their position; bools are a pattern of both.
inline Tensor MakeTensor(DType dtype, DimsView shape) {
  Tensor tensor = Tensor::Create(dtype, shape).value();
  unsigned next = 11;
  for (std::byte& byte : tensor.bytes()) {
    byte = static_cast<std::byte>(dtype == DType::kBool ? next >> 3 & 1 : next & 0xFF);
    next = next * 37 + 5;
  }
  return tensor;
}

/// A tensor as a .npy file.
inline std::string NpyOf(const Tensor& tensor) {
  return io::NpyHeaderBytes(tensor.dtype(), tensor.shape()) + io::LittleEndianBytes(tensor);
}

/// The elements of a C++ list, as a tensor.
template <Element T>
Tensor TensorOf(DimsView shape, std::initializer_list<T> elements) {
  Tensor tensor = Tensor::Create(kDTypeOf<T>, shape).value();
  EXPECT_EQ(tensor.size(), static_cast<std::int64_t>(elements.size()));
  std::copy(elements.begin(), elements.end(), tensor.Elements<T>().begin());
  return tensor;
}

inline std::string BytesOf(const Tensor& tensor) {
  if (tensor.byte_size() == 0) return "";
  return {static_cast<const char*>(tensor.data()), tensor.byte_size()};
}

inline void ExpectSame(const Tensor& actual, const Tensor& expected) {
  EXPECT_EQ(actual.dtype(), expected.dtype()) << Name(actual.dtype());
  EXPECT_EQ(ToString(actual.shape()), ToString(expected.shape()));
  EXPECT_TRUE(BytesOf(actual) == BytesOf(expected));
}

/// Ranks 0 to 3, zero extents, and the highest rank.
inline std::vector<Shape> SomeShapes() {
  return {Shape{},     Shape{1},    Shape{7},       Shape{0},       Shape{2, 3},         Shape{0, 3},
          Shape{3, 0}, Shape{1, 5}, Shape{2, 3, 4}, Shape{2, 0, 4}, Shape::Filled(64, 1)};
}

/// While it lives, no file may grow beyond `bytes`, and a write that tries fails instead of ending the
/// program.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    rlimit limit = old_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit old_ = {};
};

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_IO_FORMATS_FORMAT_TESTING_H_
