// supremum reduce-max: what it computes, reads and writes. reduce_max_error_test.cc has what it refuses.

#include "tools/report.h"

namespace supremum::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ReduceMaxVerb : public ReportTest {
 protected:
  void SetUp() override { WriteTensor<float>("x.npy", {2, 3}, {1, -2, 3, -4, 5, -6}); }

  /// Reduces to y.npy with --json - and returns what the JSON says of it.
  nlohmann::json Json(const std::vector<std::string>& arguments) const {
    return Report(With({"reduce-max"}, With(arguments, {"-o", "y.npy"})));
  }

  nlohmann::json ShapeOf(std::vector<std::string> arguments) const {
    const nlohmann::json json = Json(std::move(arguments));
    return json.is_null() ? json : json.at("outputs").at(0).at("shape");
  }

  template <Element T>
  std::vector<T> Reduced(const std::vector<std::string>& arguments) const {
    return Json(arguments).is_null() ? std::vector<T>() : ReadElements<T>("y.npy");
  }
};

// Rules: RED-1, RED-2
TEST_F(ReduceMaxVerb, TheGivenAxesAreReduced) {
  EXPECT_THAT(Reduced<float>({"x.npy", "--axes", "0"}), ElementsAre(1, 5, 3));
  EXPECT_THAT(Reduced<float>({"x.npy", "--axes", "-2"}), ElementsAre(1, 5, 3));
  EXPECT_THAT(Reduced<float>({"x.npy", "--axes", "1"}), ElementsAre(3, 5));
  EXPECT_THAT(Reduced<float>({"x.npy", "--axes=-1"}), ElementsAre(3, 5));
  EXPECT_THAT(Reduced<float>({"x.npy", "--axes", "-1,0"}), ElementsAre(5));
  const ProcessResult result = Supremum({"reduce-max", "x.npy", "--axes", "0", "-o", "y.npy"});
  EXPECT_THAT(result.out, HasSubstr("y     float32  [3]      1    5    0"));
}

// Rules: RED-3
TEST_F(ReduceMaxVerb, ReducedDimensionsStayOnRequest) {
  WriteTensor<std::int8_t>("c.npy", {2, 1, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(ShapeOf({"c.npy", "--axes", "0"}), nlohmann::json({1, 3}));
  EXPECT_EQ(ShapeOf({"c.npy", "--axes", "0", "--keepdims"}), nlohmann::json({1, 1, 3}));
  EXPECT_EQ(ShapeOf({"c.npy", "--axes", "0,2"}), nlohmann::json::array({1}));
  EXPECT_EQ(ShapeOf({"c.npy", "--keepdims"}), nlohmann::json({1, 1, 1}));
  EXPECT_EQ(ShapeOf({"c.npy"}), nlohmann::json::array());
  EXPECT_THAT(ReadElements<std::int8_t>("y.npy"), ElementsAre(6));
}

// Rules: RED-5
TEST_F(ReduceMaxVerb, NoAxesMeanAllOfThemOrNoneAsInOnnx) {
  for (const char* semantics : {"supremum", "onnx"}) {
    for (const std::vector<std::string>& axes :
         std::vector<std::vector<std::string>>{{}, {"--axes", ""}, {"--axes="}}) {
      const std::vector<std::string> arguments = With({"x.npy", "--semantics", semantics}, axes);
      EXPECT_THAT(Reduced<float>(arguments), ElementsAre(5));
      EXPECT_THAT(Reduced<float>(With(arguments, {"--noop-with-empty-axes"})),
                  ElementsAre(1, -2, 3, -4, 5, -6));
    }
  }
  EXPECT_THAT(Reduced<float>({"x.npy", "--axes", "1", "--noop-with-empty-axes"}), ElementsAre(3, 5));
}

// Rules: RED-4
TEST_F(ReduceMaxVerb, AnEmptyListIsTheIdentityInOneDnn) {
  EXPECT_THAT(Reduced<float>({"x.npy", "--semantics", "onednn", "--axes", ""}),
              ElementsAre(1, -2, 3, -4, 5, -6));
  EXPECT_EQ(ShapeOf({"x.npy", "--semantics", "onednn", "--axes=", "--keepdims"}), nlohmann::json({2, 3}));
  EXPECT_THAT(Reduced<float>({"x.npy", "--semantics", "onednn", "--axes", "0"}), ElementsAre(1, 5, 3));
}

// Rules: TYP-1, TYP-4
TEST_F(ReduceMaxVerb, IntegersOf16BitsAndBoolsAreReduced) {
  WriteTensor<std::int16_t>("i.npy", {2, 2}, {-32768, -5, 7, 32767});
  EXPECT_THAT(Reduced<std::int16_t>({"i.npy", "--axes", "1"}), ElementsAre(-5, 32767));
  WriteTensor<std::uint16_t>("u.npy", {2}, {0, 65535});
  EXPECT_THAT(Reduced<std::uint16_t>({"u.npy"}), ElementsAre(65535));
  WriteTensor<bool>("b.npy", {2, 2}, {false, true, false, false});
  for (const char* semantics : {"supremum", "onnx"}) {
    EXPECT_THAT(Reduced<bool>({"b.npy", "--axes", "1", "--semantics", semantics}), ElementsAre(true, false));
  }
  const ProcessResult result = Supremum({"reduce-max", "b.npy", "--axes", "1", "-o", "y.npy"});
  EXPECT_THAT(result.out, HasSubstr("y     bool   [2]    false  true    0"));
  const nlohmann::json y = Json({"b.npy", "--axes", "1"}).at("outputs").at(0);
  EXPECT_EQ(y.at("dtype"), "bool");
  EXPECT_EQ(y.at("min"), false);
  EXPECT_EQ(y.at("max"), true);
}

TEST_F(ReduceMaxVerb, EveryFormatIsReadAndWrittenByItsEnding) {
  for (const char* source : {"s.npy", "s.npz", "s.pb", "s.bin"}) {
    WriteTensor<bool>(source, {2, 3}, {false, true, false, false, false, false});
    const bool raw = std::string(source) == "s.bin";
    for (const char* output : {"y.npy", "y.npz", "y.pb", "y.bin"}) {
      const std::string input = raw ? "s:bool:2x3:s.bin" : source;
      const ProcessResult result = Supremum({"reduce-max", input, "--axes", "1", "--output", output});
      EXPECT_EQ(result.status, 0) << result.err;
      if (std::string(output) == "y.bin") {
        EXPECT_EQ(ReadText(File(output)), std::string("\1\0", 2)) << source;
      } else {
        EXPECT_THAT(ReadElements<bool>(output), ElementsAre(true, false)) << source << " " << output;
      }
    }
  }
}

// Rules: TYP-1
TEST_F(ReduceMaxVerb, BFloat16IsStated) {
  WriteTensor<BFloat16>("v.npy", {2}, {BFloat16{0x3F80}, BFloat16{0x4000}});
  for (const std::string dtype : {"bfloat16", "v.npy=bf16", "0=bfloat16"}) {
    const auto y = Reduced<BFloat16>({"v.npy", "--dtype", dtype});
    ASSERT_EQ(y.size(), 1u);
    EXPECT_EQ(y[0].bits, 0x4000);
  }
}

TEST_F(ReduceMaxVerb, TheJsonIsThatOfMax) {
  const nlohmann::json json = Json({"x.npy", "--axes", "0"});
  EXPECT_EQ(json.at("verb"), "reduce-max");
  EXPECT_EQ(json.at("inputs"), nlohmann::json({"x.npy"}));
  EXPECT_EQ(json.at("outputs").at(0).at("name"), "y");
  EXPECT_EQ(json.at("outputs").at(0).at("file"), "y.npy");
  EXPECT_GE(json.at("time_s"), 0.0);
  const ProcessResult both = Supremum({"reduce-max", "x.npy", "-o", "y.npy", "--json", "r.json"});
  EXPECT_THAT(both.out, HasSubstr("y     float32  []"));
  EXPECT_EQ(ParseJson(ReadText(File("r.json"))).at("verb"), "reduce-max");
}

}  // namespace
}  // namespace supremum::test
