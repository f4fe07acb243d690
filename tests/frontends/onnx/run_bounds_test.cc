// Running graphs with bounds of the inputs' errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "frontends/onnx/testing.h"
#include "support/values.h"
#include "supremum/bounds.h"
#include "supremum/model.h"

namespace supremum::test {
namespace {

using testing::ElementsAre;

constexpr float kInf = std::numeric_limits<float>::infinity();

std::vector<float> Elements(const Tensor& tensor) {
  const auto elements = tensor.Elements<float>();
  return {elements.begin(), elements.end()};
}

NamedTensor Scalar(const std::string& name, float value) { return Named<float>(name, {}, {value}); }

std::vector<NamedTensor> Inputs() {
  return List(Named<float>("a", {2, 3}, {1, 5, 2, 4, 3, 6}), Named<float>("b", {2, 3}, {0, 0, 0, 5, 0, 0}));
}

ModelBuilder Fuse() {
  return TextModel(R"((float[2,3] a, float[2,3] b) => (float[2] y, float[2] z) {
    t = Max(a, b)
    y = ReduceMax <axes = [1], keepdims = 0> (t)
    z = Identity(y) })");
}

// Rules: ACC-1, ACC-2, ACC-3
TEST(RunWithBounds, EnclosuresGoThroughTheGraphAsTheyAre) {
  ModelBuilder builder = Fuse();
  const auto outputs =
      Parsed(builder)->RunWithBounds(Inputs(), List(Named<float>("a", {2, 1}, {1, 0.5}), Scalar("b", 4)));
  ASSERT_TRUE(outputs) << outputs.error().message;
  ASSERT_EQ(outputs->size(), 2u);
  for (const BoundedTensor& y : *outputs) {
    EXPECT_THAT(Elements(y.value), ElementsAre(5, 6));
    EXPECT_THAT(Elements(y.bound), ElementsAre(4, 4));
    EXPECT_THAT(Elements(y.lower), ElementsAre(4, 5.5)) << "not 5 - 4 and 6 - 4";
    EXPECT_THAT(Elements(y.upper), ElementsAre(6, 9)) << "not 5 + 4 and 6 + 4";
  }
  EXPECT_EQ(outputs->back().name, "z");
}

// Rules: ACC-2, ACC-3
TEST(RunWithBounds, InputsWithoutABoundAndConstantsAreExact) {
  ModelBuilder builder(13);
  builder.Input("a", kFloat, {2}).Initializer<float>("w", kFloat, {2}, {2, -7});
  builder.Node("Max", {"a", "w"}, {"y"}, "fuse");
  builder.Output("y", kFloat, {2}).Output("a", kFloat, {2});
  const auto model = Parsed(builder);
  const auto exact = model->RunWithBounds(List(Named<float>("a", {2}, {1, 3})), {});
  ASSERT_TRUE(exact) << exact.error().message;
  EXPECT_THAT(Elements(exact->front().bound), ElementsAre(0, 0));
  EXPECT_THAT(Elements(exact->front().lower), ElementsAre(2, 3));
  EXPECT_THAT(Elements(exact->front().upper), ElementsAre(2, 3));
  const auto bounded = model->RunWithBounds(List(Named<float>("a", {2}, {1, 3})), List(Scalar("a", 2)));
  EXPECT_THAT(Elements(bounded->front().lower), ElementsAre(2, 1));
  EXPECT_THAT(Elements(bounded->front().upper), ElementsAre(3, 5));
  EXPECT_EQ(bounded->back().name, "a") << "an input that is an output";
  EXPECT_THAT(Elements(bounded->back().value), ElementsAre(1, 3));
  EXPECT_THAT(Elements(bounded->back().lower), ElementsAre(-1, 1));
}

// Rules: ACC-2, ACC-4, RED-6
TEST(RunWithBounds, AMaximumOfNothingAddsNothingAndAnUnknownInputUnknownBounds) {
  const ModelBuilder builder = TextModel(R"((float[1,0] none, float[1] c) => (float[1] t, float[1] y) {
    t = ReduceMax <axes = [1], keepdims = 0> (none)
    y = Max(t, c) })");
  const auto model = Parsed(builder);
  const auto run = [&](float c) {
    return model->RunWithBounds(List(Named<float>("none", {1, 0}, {}), Named<float>("c", {1}, {c})),
                                List(Scalar("none", kInf), Scalar("c", 1)));
  };
  const auto outputs = run(3);
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_THAT(Elements(outputs->front().bound), ElementsAre(0));
  EXPECT_THAT(Elements(outputs->front().upper), ElementsAre(-kInf));
  EXPECT_THAT(Elements(outputs->back().bound), ElementsAre(1));
  EXPECT_THAT(Elements(outputs->back().lower), ElementsAre(2));
  EXPECT_THAT(Elements(outputs->back().upper), ElementsAre(4));
  const auto unknown = run(std::numeric_limits<float>::quiet_NaN());
  EXPECT_THAT(Elements(unknown->back().bound), ElementsAre(kInf));
  EXPECT_THAT(Elements(unknown->back().lower), ElementsAre(-kInf));
  EXPECT_THAT(Elements(unknown->back().upper), ElementsAre(kInf));
}

// Random graphs over two inputs, run again on inputs that have been moved within their bounds. Small whole
// numbers: every sum is exact.
// Rules: ACC-1, ACC-2, ACC-3
TEST(RunWithBounds, EveryRunOnPerturbedInputsIsWithinTheBoundsAndTheEnclosure) {
  std::size_t cases = 0, at_an_end = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    ModelBuilder builder(13);
    std::vector<std::string> names{"a", "b", "w"};
    builder.Input("a", kFloat, {2, 3}).Input("b", kFloat, {1, 3});
    builder.Initializer<float>("w", kFloat, {2, 1}, {-20, 20});
    for (int i = 0; i < 5; ++i) {
      const std::string y = "n" + std::to_string(i);
      const auto any = [&] { return names[Below(rng, names.size())]; };
      if (Below(rng, 3) == 0) {
        ModelBuilder::SetInts(builder.Node("ReduceMax", {any()}, {y}), "axes",
                              {static_cast<std::int64_t>(Below(rng, 2))});
      } else {
        builder.Node("Max", {any(), any(), any()}, {y});
      }
      builder.Output(y, kFloat, std::nullopt);
      names.push_back(y);
    }
    const auto whole = [&](std::size_t n, std::size_t below, int from) {
      std::vector<float> numbers(n);
      for (float& number : numbers) number = static_cast<float>(static_cast<int>(Below(rng, below)) + from);
      return numbers;
    };
    const auto a = whole(6, 60, -30), b = whole(3, 60, -30), ea = whole(6, 9, 0), eb = whole(3, 9, 0);
    const auto model = Parsed(builder);
    ASSERT_TRUE(model) << model.error().message;
    RunOptions with_threads;
    with_threads.threads = 2;
    const auto said = model->RunWithBounds(List(Named("a", {2, 3}, a), Named("b", {1, 3}, b)),
                                           List(Named("a", {2, 3}, ea), Named("b", {3}, eb)), with_threads);
    ASSERT_TRUE(said) << said.error().message;
    for (int run = 0; run < 8; ++run) {
      const auto moved = [&](std::vector<float> values, const std::vector<float>& bounds) {
        for (std::size_t i = 0; i < values.size(); ++i) {
          const float part = static_cast<float>(static_cast<int>(Below(rng, 3)) - 1);
          values[i] += bounds[i] * (run == 0 ? 1 : run == 1 ? -1 : part);
        }
        return values;
      };
      const auto truth = model->Run(List(Named("a", {2, 3}, moved(a, ea)), Named("b", {1, 3}, moved(b, eb))));
      ASSERT_TRUE(truth);
      for (std::size_t k = 0; k < truth->size(); ++k) {
        const auto y_true = Elements((*truth)[k].tensor), y = Elements((*said)[k].value);
        const auto e = Elements((*said)[k].bound), low = Elements((*said)[k].lower),
                   high = Elements((*said)[k].upper);
        for (std::size_t i = 0; i < y.size(); ++i) {
          ASSERT_LE(std::abs(y_true[i] - y[i]), e[i]) << "seed " << seed;
          ASSERT_LE(low[i], y_true[i]) << "seed " << seed;
          ASSERT_LE(y_true[i], high[i]) << "seed " << seed;
          ASSERT_TRUE(y[i] - e[i] <= low[i] && high[i] <= y[i] + e[i]) << "seed " << seed;
          if (run < 2) {
            ASSERT_EQ(y_true[i], run == 0 ? high[i] : low[i]) << "seed " << seed;
          }
          ++cases;
          at_an_end += e[i] > 0 && std::abs(y_true[i] - y[i]) == e[i];
        }
      }
    }
  }
  std::cout << "accuracy: graphs of float32: " << cases << " cases, bound attained in " << at_an_end << "\n";
  EXPECT_GT(cases, 12'000u);
  EXPECT_GT(at_an_end, 500u);
}

class RunWithBoundsError : public testing::Test {
 protected:
  void ExpectRefused(const std::vector<NamedTensor>& bounds, ErrorCode code,
                     std::vector<std::string> parts) const {
    parts.push_back("'m.onnx'");
    ExpectError(model_->RunWithBounds(Inputs(), bounds), code, parts);
  }
  const Result<Model> model_ = Parsed(Fuse());
};

// Rules: ACC-2
TEST_F(RunWithBoundsError, NamesTheBoundThatIsWrong) {
  ExpectRefused(List(Scalar("q", 1)), ErrorCode::kInvalidArgument, {"no input 'q'", "'a', 'b'"});
  ExpectRefused(List(Scalar("a", 1), Scalar("a", 2)), ErrorCode::kInvalidArgument,
                {"the bound of input 'a' is given twice"});
  // A bound is refused for a value that a node computes.
  ExpectRefused(List(Scalar("t", 1)), ErrorCode::kInvalidArgument, {"no input 't'"});
  ExpectRefused(List(Named<double>("b", {}, {1})), ErrorCode::kTypeMismatch,
                {"the bound of input 'b' has type float64", "TYP-2"});
  ExpectRefused(List(Named<float>("b", {2}, {1, 1})), ErrorCode::kNotBroadcastable,
                {"the bound of input 'b' has shape [2] and input 'b' has shape [2,3]"});
  ExpectRefused(List(Named<float>("b", {3}, {1, 1, -1})), ErrorCode::kNegativeBound,
                {"negative bound: 'm.onnx': ", "the bound of input 'b' is below zero at index [2]"});
}

// Rules: ACC-2, E1
TEST_F(RunWithBoundsError, ABoundBelowZeroIsReportedAfterEverythingElse) {
  const ModelBuilder builder = TextModel("(float[2] a, float[3] b) => (float[2] y) { y = Max(a, b) }");
  const auto inputs = List(Named<float>("a", {2}, {1, 2}), Named<float>("b", {3}, {1, 2, 3}));
  ExpectError(Parsed(builder)->RunWithBounds(inputs, List(Scalar("a", -1))), ErrorCode::kNotBroadcastable);
}

// Rules: ACC-2, RED-5
TEST_F(RunWithBoundsError, AxesAreExact) {
  for (bool computed : {false, true}) {
    const ModelBuilder builder = TextModel(
        std::string("(float[2,3] x, int64[1] axes) => (float[] y) { ") +
            (computed ? "same = Identity(axes) y = ReduceMax(x, same) }" : "y = ReduceMax(x, axes) }"),
        18);
    const auto model = Parsed(builder);
    const auto run = [&](std::int64_t bound) {
      return model->RunWithBounds(
          List(Named<float>("x", {2, 3}, {1, 5, 2, 4, 3, 6}), Named<std::int64_t>("axes", {1}, {1})),
          List(Named<std::int64_t>("axes", {}, {bound}), Scalar("x", 1)));
    };
    const auto exact = run(0);
    ASSERT_TRUE(exact) << exact.error().message;
    EXPECT_THAT(Elements(exact->front().upper), ElementsAre(6, 7));
    ExpectError(run(1), ErrorCode::kInvalidArgument,
                {"(ReduceMax, output 'y')", computed ? "input 'same' holds the axes" : "input 'axes' holds"});
  }
}

// Rules: ACC-3
TEST_F(RunWithBoundsError, WhatIsKnownCountsTowardsTheLimitOfMemory) {
  // t, y and z: 6 + 2 + 2 elements of 4 bytes; of a and b three layers, of the rest four.
  const std::int64_t needed = 4 * (3 * 12 + 4 * 10);
  RunOptions options;
  options.max_bytes = needed;
  EXPECT_TRUE(model_->RunWithBounds(Inputs(), {}, options));
  options.max_bytes = needed - 1;
  ExpectError(model_->RunWithBounds(Inputs(), {}, options), ErrorCode::kLimitExceeded);
}

}  // namespace
}  // namespace supremum::test
