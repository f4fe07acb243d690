// Streamed Max and ReduceMax against those in memory, byte by byte: every type, shape, layout and set of
// axes, in tiles of any size.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "ops/parallel.h"
#include "stream/testing.h"
#include "support/temp_dir.h"

namespace supremum {
namespace {

using stream::Output;
using stream::Source;
using stream::StreamOptions;
using test::Below;
using test::Rng;
using Axes = std::optional<std::span<const std::int64_t>>;
using Streamed = std::function<Result<void>(std::span<const Source>, Output&, const StreamOptions&)>;

// A shape of at most a few hundred elements; now and then an extent is 0.
Shape RandomShape(Rng& rng, std::size_t rank) {
  Shape shape;
  std::int64_t count = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t extents[] = {1, 2, 3, 4, 5, 17, 40};
    std::int64_t extent = extents[Below(rng, 7)];
    if (Below(rng, 40) == 0) extent = 0;
    if (extent > 1 && count * extent > 400) extent = 1;
    count *= std::max<std::int64_t>(extent, 1);
    shape.PushBack(extent);
  }
  return shape;
}

// A shape that broadcasts to `common`.
Shape RandomOperandShape(Rng& rng, const Shape& common) {
  const std::size_t dropped = Below(rng, 4) == 0 ? Below(rng, common.rank() + 1) : 0;
  Shape shape;
  for (std::size_t d = dropped; d < common.rank(); ++d) shape.PushBack(Below(rng, 4) == 0 ? 1 : common[d]);
  return shape;
}

class StreamProperty : public testing::TestWithParam<DType> {
 protected:
  std::string Target() const { return dir_.File("y.bin"); }

  // By one to three threads, in buffers of any size from the least on.
  void ExpectStreamed(Rng& rng, const Streamed& run, const Tensor& expected, std::int64_t least) {
    for (int turn = 0; turn < 4; ++turn) {
      std::vector<Source> sources;
      for (const std::string& spec : specs_) sources.push_back(test::OpenSource(spec, GetParam()));
      std::string seen;
      const auto on_elements = [&](std::span<const std::byte> bytes) {
        seen.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      };
      Output output = Output::Create(Target(), "header", GetParam(), expected.shape(), on_elements).value();
      StreamOptions options;
      options.threads = 1 + Below(rng, 3);
      options.buffer_bytes =
          least + static_cast<std::int64_t>(Below(rng, 4) == 0 ? Below(rng, 20000) : Below(rng, 500));
      double last = 0;
      options.on_progress = [&](double part) {
        EXPECT_GT(part, 0.0);
        EXPECT_GE(part, last);
        EXPECT_LE(part, 1.0);
        last = part;
      };
      const Result<void> done = run(sources, output, options);
      ASSERT_TRUE(done) << done.error().message;
      EXPECT_EQ(seen, test::ElementsOf(expected));
      ASSERT_FALSE(std::filesystem::exists(Target()));
      // Making a file durable takes time: a few do for all.
      if (++runs_ % 16 != 0) continue;
      ASSERT_TRUE(std::move(output).Finish().value().Commit());
      ASSERT_EQ(test::ReadBytes(Target()), "header" + test::ElementsOf(expected));
      std::filesystem::remove(Target());
    }
    specs_.clear();
  }

  std::string AddSource(Rng& rng, const Tensor& tensor) {
    const test::Layout layout = test::RandomLayout(rng, tensor);
    const std::string ending = layout == test::Layout::kRaw           ? ".bin"
                               : layout == test::Layout::kSafetensors ? ".safetensors"
                                                                      : ".npy";
    specs_.push_back(test::WriteAs(dir_.File("x" + std::to_string(specs_.size()) + ending), tensor, layout));
    return ToString(tensor.shape()) + (layout == test::Layout::kColumnsFirst ? " columns first" : "") + ", ";
  }

  void ExpectMax(Rng& rng, const std::vector<Shape>& shapes) {
    std::vector<Tensor> tensors;
    std::vector<TensorView> views;
    std::string trace;
    for (const Shape& shape : shapes) {
      tensors.push_back(test::RandomTensor(rng, GetParam(), shape));
      trace += AddSource(rng, tensors.back());
    }
    SCOPED_TRACE("max of " + trace);
    for (const Tensor& tensor : tensors) views.push_back(tensor.View());
    Tensor expected = Tensor::Create(GetParam(), MaxOutputShape(views).value()).value();
    ASSERT_TRUE(Max(views, expected.MutableView()));
    const Streamed run = [&](std::span<const Source> sources, Output& output, const StreamOptions& options) {
      return stream::StreamMax(sources, expected.shape(), output, options);
    };
    ExpectStreamed(rng, run, expected, stream::LeastBufferBytesOfMax(shapes.size()));
  }

  void ExpectReduceMax(Rng& rng, const Shape& shape, const Axes& axes) {
    const Tensor tensor = test::RandomTensor(rng, GetParam(), shape);
    SCOPED_TRACE("reduce-max of " + AddSource(rng, tensor) + "over " + (axes ? ToString(*axes) : "all"));
    const ReduceMaxOptions options{.axes = axes, .keepdims = Below(rng, 2) == 0};
    Tensor expected =
        Tensor::Create(GetParam(), ReduceMaxOutputShape(tensor.View(), options).value()).value();
    ASSERT_TRUE(ReduceMax(tensor.View(), expected.MutableView(), options));
    const Streamed run = [&](std::span<const Source> sources, Output& output, const StreamOptions& how) {
      return stream::StreamReduceMax(sources[0], axes, output, how);
    };
    ExpectStreamed(rng, run, expected, stream::LeastBufferBytesOfReduceMax());
  }

  int runs_ = 0;

 private:
  test::TempDir dir_;
  std::vector<std::string> specs_;
};

class StreamMaxProperty : public StreamProperty {};  // without bool, which Max has not

// Rules: MAX-2, BRO-1, BRO-3, BRO-4, BRO-5, ORD-5
TEST_P(StreamMaxProperty, MaxIsThatInMemory) {
  Rng rng(71 + static_cast<unsigned>(GetParam()));
  for (int i = 0; i < 25; ++i) {
    const Shape common = RandomShape(rng, Below(rng, 6));
    std::vector<Shape> shapes;
    const std::size_t count = 1 + Below(rng, 4);
    for (std::size_t m = 0; m < count; ++m) shapes.push_back(RandomOperandShape(rng, common));
    ASSERT_NO_FATAL_FAILURE(ExpectMax(rng, shapes));
  }
}

// Rules: MAX-2, BRO-2
TEST_P(StreamMaxProperty, MaxOfLargerShapesIsThatInMemory) {
  Rng rng(171 + static_cast<unsigned>(GetParam()));
  for (const std::vector<Shape>& shapes : std::vector<std::vector<Shape>>{{{3000}, {3000}},
                                                                          {{40, 70}, {70}},
                                                                          {{40, 70}, {40, 1}},
                                                                          {{50, 1}, {1, 60}},
                                                                          {{7, 11, 40}, {11, 1}, {7, 1, 40}},
                                                                          {{2, 1, 150}, {100, 1}},
                                                                          {{}, {1500}, {1}}}) {
    ASSERT_NO_FATAL_FAILURE(ExpectMax(rng, shapes));
  }
}

// Rules: RED-1, RED-3, RED-6, ORD-4, ORD-5
TEST_P(StreamProperty, ReduceMaxIsThatInMemory) {
  Rng rng(271 + static_cast<unsigned>(GetParam()));
  for (int i = 0; i < 40; ++i) {
    const Shape shape = RandomShape(rng, Below(rng, 6));
    std::vector<std::int64_t> axes;
    for (std::size_t d = 0; d < shape.rank(); ++d) {
      const auto axis = static_cast<std::int64_t>(d);
      if (Below(rng, 2) == 0) {
        axes.push_back(Below(rng, 2) == 0 ? axis : axis - static_cast<std::int64_t>(shape.rank()));
      }
    }
    ASSERT_NO_FATAL_FAILURE(ExpectReduceMax(rng, shape, Below(rng, 8) == 0 ? Axes() : Axes(axes)));
  }
}

// Rules: RED-1
TEST_P(StreamProperty, ReduceMaxOfLargerShapesIsThatInMemory) {
  Rng rng(371 + static_cast<unsigned>(GetParam()));
  const Shape shape{13, 17, 19};
  for (unsigned set = 0; set < 8; ++set) {
    std::vector<std::int64_t> axes;
    for (unsigned d = 0; d < 3; ++d) {
      if ((set >> d & 1) != 0) axes.push_back(d);
    }
    ASSERT_NO_FATAL_FAILURE(ExpectReduceMax(rng, shape, Axes(axes)));
  }
}

// Rules: BRO-4, RED-1, RED-3
TEST_P(StreamProperty, ReduceMaxOfTheHighestRankIsThatInMemory) {
  Rng rng(471 + static_cast<unsigned>(GetParam()));
  Shape shape = Shape::Filled(kMaxRank, 1);
  shape[0] = 3;
  shape[31] = 5;
  shape[63] = 40;
  for (const std::vector<std::int64_t>& axes :
       std::vector<std::vector<std::int64_t>>{{}, {0}, {31}, {63}, {-64, 30}, {31, -1}}) {
    ASSERT_NO_FATAL_FAILURE(ExpectReduceMax(rng, shape, Axes(axes)));
  }
}

// The least memory makes steps of 64 bytes; one thread needs no share of several, and reports after each.
TEST(Stream, AReduceMaxOnOneThreadReportsEachStep) {
  const test::TempDir dir;
  Rng rng(6);
  const Tensor tensor = test::RandomTensor(rng, DType::kFloat32, Shape{1000});
  const Source source =
      test::OpenSource(test::WriteAs(dir.File("x.bin"), tensor, test::Layout::kRaw), DType::kFloat32);
  Output output = Output::Create(dir.File("y.bin"), "", DType::kFloat32, Shape{}).value();
  std::vector<double> reports;
  StreamOptions options;
  options.buffer_bytes = stream::LeastBufferBytesOfReduceMax();
  options.on_progress = [&](double part) { reports.push_back(part); };
  ASSERT_TRUE(stream::StreamReduceMax(source, {}, output, options));
  ASSERT_EQ(reports.size(), 63u);
  for (std::size_t i = 0; i < reports.size(); ++i) {
    EXPECT_DOUBLE_EQ(reports[i], std::min(1.0, static_cast<double>(16 * (i + 1)) / 1000));
  }
}

// Memory in addition to the two tiles of the output: each worker has a step and its maxima, and each worker
// except the first has a tile. Each of these buffers has 2^18 bytes here, which is the largest useful size.
TEST(Stream, AReduceMaxTakesNoMoreMemoryThanItIsGiven) {
  const test::TempDir dir;
  Tensor tensor = Tensor::Create(DType::kUInt8, Shape{2, 1 << 21}).value();
  std::ranges::fill(tensor.bytes(), std::byte{1});
  const Source source =
      test::OpenSource(test::WriteAs(dir.File("x.bin"), tensor, test::Layout::kRaw), DType::kUInt8);
  const std::int64_t part = std::int64_t{1} << 18;
  const std::int64_t workers = static_cast<std::int64_t>(ThreadCount(2));
  const std::vector<std::int64_t> axes = {0};
  for (const std::int64_t parts : {7, 8, 9, 10, 11, 12, 13}) {
    std::size_t longest = 0;
    const auto on_elements = [&](std::span<const std::byte> bytes) {
      longest = std::max(longest, bytes.size());
    };
    Output output = Output::Create(dir.File("y.bin"), "", DType::kUInt8, Shape{1 << 21}, on_elements).value();
    StreamOptions options;
    options.threads = 2;
    options.buffer_bytes = parts * part;
    ASSERT_TRUE(stream::StreamReduceMax(source, Axes(axes), output, options));
    EXPECT_LE((3 * workers - 1) * part + 2 * static_cast<std::int64_t>(longest), options.buffer_bytes)
        << parts;
  }
}

TEST(Stream, AnInputThatIsChangedMeanwhileIsAnError) {
  test::TempDir dir;
  Rng rng(5);
  const Tensor tensor = test::RandomTensor(rng, DType::kFloat32, Shape{1000});
  const std::string path = dir.File("x.bin");
  for (int turn = 0; turn < 4; ++turn) {
    const bool reduce = turn % 2 == 1;
    const std::uintmax_t size = turn < 2 ? 4001 : 2500;  // of 4000
    const std::string spec = test::WriteAs(path, tensor, test::Layout::kRaw);
    const Source source = test::OpenSource(spec, DType::kFloat32);
    const std::span<const Source> sources(&source, 1);
    Output output =
        Output::Create(dir.File("y.bin"), "", DType::kFloat32, reduce ? Shape{} : tensor.shape()).value();
    StreamOptions options;
    options.buffer_bytes = 2000;
    options.on_progress = [&](double) { std::filesystem::resize_file(path, size); };
    const Result<void> done = reduce ? stream::StreamReduceMax(source, {}, output, options)
                                     : stream::StreamMax(sources, tensor.shape(), output, options);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::kIo);
    EXPECT_NE(done.error().message.find("x.bin' was changed while it was read"), std::string::npos)
        << done.error().message;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryType, StreamMaxProperty, testing::ValuesIn(kNumberDTypes),
                         [](const auto& param) { return std::string(Name(param.param)); });
INSTANTIATE_TEST_SUITE_P(EveryType, StreamProperty, testing::ValuesIn(kAllDTypes),
                         [](const auto& param) { return std::string(Name(param.param)); });

}  // namespace
}  // namespace supremum
