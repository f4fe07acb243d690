// supremum bench.
#include <algorithm>

#include "tools/command.h"
#include "tools/json.h"

namespace supremum::test {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

class Bench : public CommandTest {};

TEST_F(Bench, TheReportIsOfTheMeasuredRuns) {
  PrepareFuse();
  const auto json =
      ParseJson(Supremum({"bench", "fuse.onnx", "--runs", "5", "--threads", "1", "--json", "-"}).out);
  std::vector<double> times = json.at("times_s");
  ASSERT_EQ(times.size(), 5u);
  std::ranges::sort(times);
  EXPECT_EQ(json.at("min_s"), times[0]);
  EXPECT_EQ(json.at("lower_quartile_s"), times[1]);
  EXPECT_EQ(json.at("median_s"), times[2]);
  EXPECT_EQ(json.at("upper_quartile_s"), times[3]);
  EXPECT_EQ(json.at("max_s"), times[4]);
  EXPECT_GT(times[0], 0);
  // Two inputs and one output of six float32 each.
  EXPECT_EQ(json.at("bytes"), 72);
  EXPECT_DOUBLE_EQ(json.at("gb_per_s").get<double>(), 72e-9 / times[2]);
  EXPECT_EQ(json.at("threads"), 1);
  EXPECT_EQ(json.at("seed"), 1);
}

TEST_F(Bench, TheTableSaysWhatWasMeasuredAndThatItVaries) {
  PrepareFuse();
  const ProcessResult result = Supremum({"bench", "fuse.onnx", "-i", "a=a.npy", "--runs", "4"},
                                        {.environment = {{"SUPREMUM_TARGET", "portable"}}});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(ContainsRegex("\n +4  .* +72  .*  all cores  portable\n"),
                                HasSubstr("the figures vary between calls")));
}

TEST_F(Bench, AnEvenNumberOfRunsHasAMedianBetweenTwo) {
  PrepareFuse();
  const auto json =
      ParseJson(Supremum({"bench", "fuse.onnx", "--runs", "2", "--warm-up", "0", "--json", "-"}).out);
  const std::vector<double> times = json.at("times_s");
  ASSERT_EQ(times.size(), 2u);
  EXPECT_DOUBLE_EQ(json.at("median_s").get<double>(), (times[0] + times[1]) / 2);
}

TEST_F(Bench, OneDnnGraphsAreMeasuredToo) {
  std::filesystem::copy(SUPREMUM_SOURCE_DIR "/examples/onednn/best_score.json", File("graph.json"));
  const auto json = ParseJson(Supremum({"bench", "graph.json", "--runs", "3", "--json", "-"}).out);
  EXPECT_EQ(json.at("bytes"), 4 * (2 * 19 * 32 * 48 + 32 * 48));
}

TEST_F(Bench, WhatCannotRunIsAnError) {
  PrepareFuse();
  ExpectFailure(Supremum({"bench", "fuse.onnx", "--runs", "0"}), 2, {"--runs 0"});
  ExpectFailure(Supremum({"bench", "missing.onnx"}), 4, {"missing.onnx"});
  FuseModel({"N", 3}, {"N", 3}, {"N", 3}).Save(File("batch.onnx"));
  ExpectFailure(Supremum({"bench", "batch.onnx"}), 3, {"--dim N=VALUE"});
}

}  // namespace
}  // namespace supremum::test
