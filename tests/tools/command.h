// The command, run in a folder of the test's own.
#ifndef SUPREMUM_TESTS_TOOLS_COMMAND_H_
#define SUPREMUM_TESTS_TOOLS_COMMAND_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "../../tools/supremum/command.h"
#include "io/formats/tensor_file.h"
#include "support/model_builder.h"
#include "support/process.h"
#include "support/temp_dir.h"
#include "supremum/tensor.h"

namespace supremum::test {

/// True if the command is built with sanitizers, which make each run slower.
#if defined(SUPREMUM_SANITIZED)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

inline constexpr std::int32_t kFloat = onnx::TensorProto::FLOAT;

template <Element T>
Tensor TensorOf(const Shape& shape, const std::vector<T>& values) {
  Tensor tensor = std::move(Tensor::Create(kDTypeOf<T>, shape)).value();
  std::ranges::copy(values, tensor.Elements<T>().begin());
  return tensor;
}

inline void WriteText(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

inline std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// `arguments`, and behind them `more`.
inline std::vector<std::string> With(std::vector<std::string> arguments,
                                     const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// Files are named relative to dir(), where the command runs.
class CommandTest : public ::testing::Test {
 protected:
  /// Runs the command in a child process of the test. Limits and users are for the built program: they also
  /// concern its start.
  ProcessResult Supremum(const std::vector<std::string>& arguments, ProcessOptions options = {}) const {
    if (options.limits.empty() && !options.user) options.main = cli::RunCommand;
    return Fresh(arguments, options);
  }

  /// The same by the built program, whose memory is that of a user's.
  ProcessResult Fresh(std::vector<std::string> arguments, ProcessOptions options = {}) const {
    arguments.insert(arguments.begin(), SUPREMUM_COMMAND);
    options.directory = dir_.path();
    return RunProcess(arguments, options);
  }

  /// Runs a line of shell in which `supremum` is the built command.
  ProcessResult Shell(const std::string& line) const {
    const std::string folder = std::filesystem::path(SUPREMUM_COMMAND).parent_path();
    return RunProcess({"sh", "-c", "PATH='" + folder + "':\"$PATH\"\n" + line}, {.directory = dir_.path()});
  }

  std::string File(const std::string& name) const { return dir_.File(name); }
  bool Exists(const std::string& name) const { return std::filesystem::exists(File(name)); }

  /// The bytes of all files below dir(), by their names; folders are none of them.
  std::map<std::string, std::string> Everything() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(dir_.path())) {
      const std::string name = entry.path().lexically_relative(dir_.path()).string();
      if (entry.is_directory()) continue;
      files[name] = entry.is_regular_file() ? ReadText(entry.path().string()) : "";
    }
    return files;
  }

  template <Element T>
  void WriteTensor(const std::string& name, const Shape& shape, const std::vector<T>& values) const {
    const auto format = io::FormatOfPath(name).value();
    io::WriteTensor(File(name), format, "t", TensorOf(shape, values)).value();
  }

  /// The elements of a file of that type.
  template <Element T>
  std::vector<T> ReadElements(const std::string& name) const {
    const auto read =
        io::ReadTensor(File(name), {.stated_dtype = kDTypeOf<T>, .max_bytes = kDefaultMaxBytes});
    if (!read) {
      ADD_FAILURE() << read.error().message;
      return {};
    }
    const std::span<const T> elements = read->tensor.template Elements<T>();
    return {elements.begin(), elements.end()};
  }

  /// fuse.onnx: y = Max(a, b), all float32 [2,3]; a.npy and b.npy for its inputs, b.bin with the bytes of
  /// b.npy.
  void PrepareFuse() const {
    FuseModel({2, 3}, {2, 3}).Save(File("fuse.onnx"));
    WriteTensor<float>("a.npy", {2, 3}, {1, -2, 3, -4, 5, -6});
    WriteTensor<float>("b.npy", {2, 3}, {-1, 2, -3, 4, -5, 6});
    WriteTensor<float>("b.bin", {2, 3}, {-1, 2, -3, 4, -5, 6});
  }

  /// Writes the inputs of all verbs: the files of PrepareFuse, e.npy for a bound, and the folder of a case.
  void PrepareVerbs() const {
    PrepareFuse();
    WriteTensor<float>("e.npy", {2, 3}, {0, 1, 0, 1, 0, 1});
    ASSERT_EQ(Supremum({"gen", "--shape", "2", "--output", "case"}).status, 0);
  }

  static ModelBuilder FuseModel(const ModelShape& a, const ModelShape& b, const ModelShape& y = {2, 3}) {
    ModelBuilder model;
    model.Input("a", kFloat, a).Input("b", kFloat, b).Output("y", kFloat, y);
    model.Node("Max", {"a", "b"}, {"y"}, "fuse");
    return model;
  }

 private:
  TempDir dir_;
};

/// A failure: that status, nothing on standard output, and one line on standard error with these parts.
inline void ExpectFailure(const ProcessResult& result, int status,
                          const std::vector<std::string>& parts = {}) {
  EXPECT_EQ(result.status, status) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, ::testing::StartsWith("supremum: "));
  EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
  for (const std::string& part : parts) EXPECT_THAT(result.err, ::testing::HasSubstr(part));
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_TOOLS_COMMAND_H_
