// Type and shape inference.
#include "onnx/infer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "onnx/testing.h"
#include "support/values.h"
#include "supremum/reference.h"

namespace supremum::test {
namespace {

using onnx_front::CommonShape;
using onnx_front::InferCommonShape;

Dim Parse(const std::string& text) {
  if (text == "?") return {};
  if (std::isdigit(static_cast<unsigned char>(text[0])) != 0) return Dim{std::stoll(text), ""};
  return Dim{std::nullopt, text};
}

// Shapes as lists of "2", "N" or "?"; "unknown" alone is a shape of unknown rank.
struct Inputs {
  explicit Inputs(const std::vector<std::vector<std::string>>& shapes) {
    for (const auto& shape : shapes) {
      ValueInfo info;
      info.name = std::string(1, static_cast<char>('a' + infos.size()));
      if (shape != std::vector<std::string>{"unknown"}) {
        info.shape.emplace();
        for (const std::string& dim : shape) info.shape->push_back(Parse(dim));
      }
      infos.push_back(info);
    }
    for (const ValueInfo& info : infos) pointers.push_back(&info);
  }
  std::vector<ValueInfo> infos;
  std::vector<const ValueInfo*> pointers;
};

std::string Common(const std::vector<std::vector<std::string>>& shapes, MaxVersion version = kLatestMax) {
  const Inputs inputs(shapes);
  const Result<CommonShape> common = InferCommonShape(inputs.pointers, version);
  if (!common) return std::string(InfoOf(common.error().code).name);
  return (common->shape ? ToString(*common->shape) : "unknown") +
         (common->undecided.empty() ? "" : " undecided");
}

// Rules: BRO-1, BRO-2, BRO-3, BRO-4
TEST(InferCommonShape, FollowsTheRulesAsFarAsExtentsAreKnown) {
  EXPECT_EQ(Common({{"2", "1"}, {"3"}}), "[2,3]");
  EXPECT_EQ(Common({{}, {}}), "[]");
  EXPECT_EQ(Common({{"0"}, {"1"}}), "[0]");
  EXPECT_EQ(Common({{"0"}, {"3"}}), "not_broadcastable");
  EXPECT_EQ(Common({{"N", "3"}, {"3"}}), "[N,3]");
  EXPECT_EQ(Common({{"N", "3"}, {"N", "1"}}), "[N,3]");
  EXPECT_EQ(Common({{"N"}, {"1"}}), "[N]");
  EXPECT_EQ(Common({{"N"}, {"4"}}), "[4] undecided");
  EXPECT_EQ(Common({{"N"}, {"0"}}), "[0] undecided");
  EXPECT_EQ(Common({{"N"}, {"M"}}), "[?] undecided");
  EXPECT_EQ(Common({{"N"}, {"M"}, {"5"}}), "[5] undecided");
  EXPECT_EQ(Common({{"?"}, {"1"}}), "[?]");
  EXPECT_EQ(Common({{"?"}, {"?"}}), "[?] undecided");
  EXPECT_EQ(Common({{"?"}, {"N"}}), "[?] undecided");
  EXPECT_EQ(Common({{"?", "2"}, {"2"}}), "[?,2]");
  EXPECT_EQ(Common({{"unknown"}}), "unknown");
  EXPECT_EQ(Common({{"unknown"}, {"2"}}), "unknown undecided");
  EXPECT_EQ(Common({{"unknown"}, {"2"}, {"3"}}), "not_broadcastable") << "whatever the first turns out to be";
  EXPECT_EQ(Common({std::vector<std::string>(64, "1"), {"2"}}).size(), 2 * 64u + 1);
  EXPECT_EQ(Common({std::vector<std::string>(65, "1")}), "rank");
}

// Rules: MAX-3
TEST(InferCommonShape, AsksForOneShapeInTheVersionsThatDoNotBroadcast) {
  EXPECT_EQ(Common({{"2", "3"}, {"2", "3"}}, MaxVersion::k6), "[2,3]");
  EXPECT_EQ(Common({{"2", "3"}, {"1", "3"}}, MaxVersion::k6), "not_broadcastable");
  EXPECT_EQ(Common({{"2", "3"}, {"3"}}, MaxVersion::k1), "not_broadcastable");
  EXPECT_EQ(Common({{"N"}, {"N"}}, MaxVersion::k6), "[N]");
  EXPECT_EQ(Common({{"N"}, {"3"}}, MaxVersion::k6), "[3] undecided");
  EXPECT_EQ(Common({{"N"}, {"M"}}, MaxVersion::k6), "[N] undecided");
  EXPECT_EQ(Common({{"?"}}, MaxVersion::k6), "[?]");
}

// A symbolic answer is right for every number that its symbols may have.
// Rules: BRO-2
TEST(InferCommonShape, IsRightForEveryAssignmentOfNumbersToSymbols) {
  Rng rng(17);
  const char* texts[] = {"1", "1", "2", "3", "0", "N", "M", "?"};
  int decided = 0, undecided = 0, refused = 0;
  for (int round = 0; round < 4000; ++round) {
    std::vector<std::vector<std::string>> shapes(1 + Below(rng, 3));
    for (auto& shape : shapes) {
      shape.resize(Below(rng, 3));
      for (auto& dim : shape) dim = texts[Below(rng, 8)];
    }
    const Inputs inputs(shapes);
    const Result<CommonShape> common = InferCommonShape(inputs.pointers, kLatestMax);
    bool all_fit = true, any_fits = false;
    for (int assignment = 0; assignment < 200; ++assignment) {
      std::map<std::string, std::int64_t> numbers{{"N", static_cast<std::int64_t>(Below(rng, 4))},
                                                  {"M", static_cast<std::int64_t>(Below(rng, 4))}};
      std::vector<std::vector<std::int64_t>> actual;
      for (const ValueInfo& info : inputs.infos) {
        auto& shape = actual.emplace_back();
        for (const Dim& dim : *info.shape) {
          shape.push_back(dim.value             ? *dim.value
                          : !dim.symbol.empty() ? numbers[dim.symbol]
                                                : static_cast<std::int64_t>(Below(rng, 4)));
        }
      }
      const auto result = reference::BroadcastShape(actual);
      all_fit = all_fit && result;
      any_fits = any_fits || result;
      if (!result || !common) continue;
      ASSERT_EQ(result->size(), common->shape->size());
      for (std::size_t d = 0; d < result->size(); ++d) {
        const Dim& dim = (*common->shape)[d];
        if (dim.value) {
          ASSERT_EQ(*dim.value, (*result)[d]);
        } else if (!dim.symbol.empty()) {
          ASSERT_EQ(numbers[dim.symbol], (*result)[d]);
        }
      }
    }
    if (!common) {
      ASSERT_FALSE(any_fits);
      ++refused;
    } else if (common->undecided.empty()) {
      ASSERT_TRUE(all_fit);
      ++decided;
    } else {
      ASSERT_FALSE(all_fit) << "it could have been decided: " << common->undecided;
      ++undecided;
    }
  }
  EXPECT_GT(decided, 500);
  EXPECT_GT(undecided, 300);
  EXPECT_GT(refused, 100);
}

TEST(Infer, GoesThroughMaxConstantAndIdentity) {
  ModelBuilder builder(13);
  builder.Input("x", kFloat, {"N", 1}).Input("other", onnx::TensorProto::BOOL, {2});
  builder.Constant("c", MakeTensorProto<float>("", kFloat, {4}, {1, 2, 3, 4}));
  builder.Node("Identity", {"x"}, {"same"});
  builder.Node("Max", {"same", "c"}, {"m"});
  builder.Node("Not", {"other"}, {"n"});
  builder.Node("Max", {"m", "m"}, {"y"});
  builder.Output("y", kFloat, {kUnknownDim, kUnknownDim}).Output("n", onnx::TensorProto::BOOL, std::nullopt);
  const auto model = Parsed(builder);
  ASSERT_TRUE(model) << model.error().message;
  const auto infos = model->Infer();
  ASSERT_TRUE(infos) << infos.error().message;
  std::map<std::string, std::string> known;
  for (const ValueInfo& info : *infos) known[info.name] = ToString(info);
  EXPECT_EQ(infos->front().name, "x") << "inputs come first";
  const std::map<std::string, std::string> expected = {
      {"x", "float32[N,1]"}, {"other", "bool[2]"}, {"c", "float32[4]"},  {"same", "float32[N,1]"},
      {"m", "float32[N,4]"}, {"n", "bool[?...]"},  {"y", "float32[N,4]"}};
  EXPECT_EQ(known, expected);
}

// Rules: TYP-2, TYP-3, E1, E2
TEST(Infer, ReportsWhatIsWrongWhateverTheInputsAre) {
  const auto refused = [](const ModelBuilder& builder, ErrorCode code,
                          const std::vector<std::string>& parts = {}) {
    const auto model = Parsed(builder);
    ExpectError(model ? ErrorOf(model->Infer()) : model.error(), code, parts);
  };
  refused(TypedMaxModel({{kFloat, {1}}, {onnx::TensorProto::DOUBLE, {1}}}, kFloat), ErrorCode::kTypeMismatch,
          {"node 'fuse' (Max)", "'x0'", "float64"});
  refused(MaxModel({{1}}, std::nullopt, 8, onnx::TensorProto::INT8), ErrorCode::kTypeNotAdmitted);
  refused(MaxModel({{1}}, std::nullopt, 13, onnx::TensorProto::BOOL), ErrorCode::kTypeNotAdmitted);
  refused(MaxModel({{"N", 2}, {3}}), ErrorCode::kNotBroadcastable);
  refused(MaxModel({{"N", 2}}, {"N", 3}), ErrorCode::kOutputShapeMismatch);
  refused(MaxModel({{"N", 2}}, {2}), ErrorCode::kOutputShapeMismatch);
}

}  // namespace
}  // namespace supremum::test
