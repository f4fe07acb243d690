// Targets: listing them and choosing one.
#include "supremum/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hwy/targets.h"
#include "kernels/targets.h"
#include "support/errors.h"
#include "supremum/max.h"

namespace supremum {
namespace {

using test::ExpectError;
using testing::HasSubstr;
using testing::Not;

class Target : public testing::Test {
 protected:
  void TearDown() override {
    hwy::SetSupportedTargetsForTest(0);
    ASSERT_TRUE(UseTarget(""));
  }
};

TEST_F(Target, ListEndsWithPortableWhichRunsEverywhere) {
  const std::vector<TargetInfo> targets = Targets();
  ASSERT_FALSE(targets.empty());
  EXPECT_EQ(targets.back().name, "portable");
  EXPECT_TRUE(targets.back().runs_here);
  std::set<std::string_view> names;
  for (const TargetInfo& target : targets) EXPECT_TRUE(names.insert(target.name).second) << target.name;
}

TEST_F(Target, NamesAreHighwaysInLowerCase) {
  std::set<std::string> known;
  for (int bit = 0; bit < 63; ++bit) {
    std::string name = hwy::TargetName(std::int64_t{1} << bit);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    known.insert(name);
    if (name == "rvv") known.insert({"rvv_128", "rvv_256"});  // and the bits of a vector
  }
  for (const TargetInfo& target : Targets()) {
    if (target.name != "portable") {
      EXPECT_TRUE(known.contains(std::string(target.name))) << target.name;
    }
  }
}

TEST_F(Target, ThoseLeftOutAreNamedAndCannotBeUsed) {
  const std::vector<TargetInfo> targets = Targets();
  std::set<std::string> names;
  for (const std::string& name : LeftOutTargets()) {
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_FALSE(name.empty());
    EXPECT_NE(name, "?");
    for (const TargetInfo& target : targets) EXPECT_NE(target.name, name);
    EXPECT_FALSE(UseTarget(name)) << name;
  }
  EXPECT_FALSE(UseTarget("ssse3")) << "decision 0027";
#if defined(HWY_AVX3_ZEN4) && HWY_ARCH_X86  // Highway 1.1 and later
  EXPECT_TRUE(names.contains("avx3_zen4"));
#endif
}

TEST_F(Target, TheFirstThatRunsHereIsActive) {
  for (const TargetInfo& target : Targets()) {
    if (!target.runs_here) continue;
    EXPECT_EQ(ActiveTarget(), target.name);
    break;
  }
}

TEST_F(Target, ANamedOneIsActiveUntilTheEmptyNameChoosesTheBestAgain) {
  const std::string best(ActiveTarget());
  for (const TargetInfo& target : Targets()) {
    if (!target.runs_here) continue;
    ASSERT_TRUE(UseTarget(target.name));
    EXPECT_EQ(ActiveTarget(), target.name);
    EXPECT_EQ(&kernels::ActiveKernels(), kernels::RunnableTables().Find(target.name));
  }
  ASSERT_TRUE(UseTarget(""));
  EXPECT_EQ(ActiveTarget(), best);
}

TEST_F(Target, AnUnknownOneIsRefusedAndNothingChanges) {
  ASSERT_TRUE(UseTarget("portable"));
  for (const char* name : {"avx9", "AVX2", " portable", "portable\n"}) {
    const Result<void> used = UseTarget(name);
    ASSERT_FALSE(used) << name;
    EXPECT_EQ(used.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(used.error().message, HasSubstr("this build has no target"));
    EXPECT_THAT(used.error().message, HasSubstr("portable"));
    EXPECT_THAT(used.error().message, Not(HasSubstr("\n")));
  }
  EXPECT_EQ(ActiveTarget(), "portable");
}

TEST_F(Target, OneThatThisProcessorDoesNotRunIsRefused) {
  const std::vector<TargetInfo> targets = Targets();
  if (targets.size() == 1) GTEST_SKIP() << "this build has portable alone";
#if defined(__riscv)
  // Highway does not choose; of two lengths, a processor has one.
  const auto other = std::find_if(targets.begin(), targets.end(),
                                  [](const TargetInfo& target) { return !target.runs_here; });
  ASSERT_NE(other, targets.end());
  ExpectError(UseTarget(other->name), ErrorCode::kInvalidArgument,
              {"this processor does not run the target '" + std::string(other->name) + "'", "portable"});
#else
  hwy::SetSupportedTargetsForTest(HWY_STATIC_TARGET);  // as if the processor had no more than it must
  const std::string first(targets.front().name);
  EXPECT_FALSE(Targets().front().runs_here);
  ExpectError(UseTarget(first), ErrorCode::kInvalidArgument,
              {"this processor does not run the target '" + first + "'", "portable"});
#endif
}

// A table whose join of lines leaves a mark: what a plan computes shows which table it uses.
TEST_F(Target, APlanUsesTheOneThatWasActiveWhenItWasPrepared) {
  static kernels::KernelTable marked;
  marked = kernels::PortableKernels();
  marked.target = "marked";
  static constexpr auto write_marks = [](std::byte* y, std::size_t n) {
    const std::int32_t mark = -77;
    for (std::size_t i = 0; i < n; ++i) std::memcpy(y + i * sizeof(mark), &mark, sizeof(mark));
  };
  kernels::RowKernels& row = marked.rows[static_cast<std::size_t>(DType::kInt32)];  // a plan may take either
  row.join = [](kernels::Row, kernels::Row, kernels::MutableRow y, std::size_t n) { write_marks(y.data, n); };
  row.join_lines = [](const kernels::Lines&, const kernels::Lines&, const kernels::LinesTo& y) {
    write_marks(y.data, y.n);
  };
  const std::int32_t a[] = {1, 5}, b[] = {3, 4};
  std::int32_t y[2];
  const Shape shape{2};
  const auto prepare = [&] {
    return MaxPlan::Prepare({TensorView::Of(a, shape), TensorView::Of(b, shape)},
                            MutableTensorView::Of(y, shape));
  };
  const Result<MaxPlan> before = prepare();
  kernels::UseKernels(&marked);
  EXPECT_EQ(ActiveTarget(), "marked");
  const Result<MaxPlan> during = prepare();
  ASSERT_TRUE(UseTarget(""));
  const Result<MaxPlan> after = prepare();
  ASSERT_TRUE(before && during && after);
  before->Run();
  EXPECT_THAT(y, testing::ElementsAre(3, 5));
  during->Run();
  EXPECT_THAT(y, testing::ElementsAre(-77, -77));
  after->Run();
  EXPECT_THAT(y, testing::ElementsAre(3, 5));
}

}  // namespace
}  // namespace supremum
