// supremum_options: what each member does, and that the structure can grow.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <vector>

#include "bindings/c/testing.h"

namespace supremum {
namespace {

using test::DlTensor;
using test::Outcome;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class Options : public testing::Test {
 protected:
  std::vector<float> a_{1, 5}, b_{3}, y_{0, 0};
  DlTensor x0_ = DlTensor::Of(a_, {2}), x1_ = DlTensor::Of(b_, {1}), output_ = DlTensor::Of(y_, {2});
  const DLTensor* const inputs_[2] = {x0_.get(), x1_.get()};
  supremum_options options_ = SUPREMUM_OPTIONS_INIT;

  std::string MaxOutcome() { return Outcome(supremum_max(inputs_, 2, output_.get(), &options_)); }
  std::string ReduceOutcome() {
    std::vector<float> best{0};
    DlTensor to = DlTensor::Of(best, {});
    return Outcome(supremum_reduce_max(x0_.get(), nullptr, SUPREMUM_ALL_AXES, 0, to.get(), &options_));
  }
};

TEST_F(Options, TheInitialOnesAreTheDefaultsOfTheLibrary) {
  EXPECT_EQ(options_.size, sizeof(supremum_options));
  EXPECT_EQ(options_.opset, 0);
  EXPECT_EQ(options_.threads, 1u);
  EXPECT_EQ(options_.flags, 0u);
  EXPECT_EQ(MaxOutcome(), "ok");
  EXPECT_EQ(ReduceOutcome(), "ok");
}

// Compiled programs pass options in this layout, so it must not change.
TEST_F(Options, TheLayoutIsThatOfTheFirstRelease) {
  // If size_t has 32 bits, the 64-bit opset is at byte 4 on x86 and at byte 8 on Arm.
  constexpr std::size_t kOpset = sizeof(std::size_t) == 8 ? 8 : alignof(supremum_options);
  EXPECT_EQ(offsetof(supremum_options, size), 0u);
  EXPECT_EQ(offsetof(supremum_options, opset), kOpset);
  EXPECT_EQ(offsetof(supremum_options, threads), kOpset + 8);
  EXPECT_EQ(offsetof(supremum_options, flags), kOpset + 12);
  EXPECT_EQ(sizeof(supremum_options), kOpset + 16);
}

// Rules: TYP-3, MAX-3
TEST_F(Options, TheOpsetDecidesWhatMaxAdmits) {
  options_.opset = 7;
  EXPECT_THAT(MaxOutcome(), AllOf(StartsWith("not_broadcastable: "), HasSubstr("Max-6 does not broadcast")));
  options_.opset = 8;
  EXPECT_EQ(MaxOutcome(), "ok");
  x0_->dtype = x1_->dtype = output_->dtype = test::DlTypeOf(DType::kInt32);
  EXPECT_THAT(MaxOutcome(), AllOf(StartsWith("type_not_admitted: "), HasSubstr("Max-8 does not have")));
  options_.opset = 12;
  EXPECT_EQ(MaxOutcome(), "ok");
  options_.opset = -1;
  EXPECT_THAT(MaxOutcome(), AllOf(StartsWith("invalid_argument: "), HasSubstr("opset is -1")));
}

// Rules: TYP-4
TEST_F(Options, TheOpsetDecidesWhatReduceMaxAdmits) {
  std::vector<std::int16_t> elements{1, 2}, best{0};
  DlTensor source = DlTensor::Of(elements, {2}), output = DlTensor::Of(best, {});
  const auto outcome = [&] {
    return Outcome(supremum_reduce_max(source.get(), nullptr, SUPREMUM_ALL_AXES, 0, output.get(), &options_));
  };
  EXPECT_EQ(outcome(), "ok");
  options_.opset = 20;
  EXPECT_THAT(outcome(), AllOf(StartsWith("type_not_admitted: "), HasSubstr("ReduceMax-20 does not have")));
  options_.opset = -1;
  EXPECT_THAT(outcome(), StartsWith("invalid_argument: "));
}

// Rules: PRO-6
TEST_F(Options, IdenticalShapesOnly) {
  options_.flags = SUPREMUM_IDENTICAL_SHAPES_ONLY;
  EXPECT_THAT(MaxOutcome(), StartsWith("broadcast_refused: "));
  EXPECT_THAT(ReduceOutcome(), AllOf(StartsWith("invalid_argument: "), HasSubstr("flags are 1")));
}

TEST_F(Options, AFlagThatNobodyKnowsIsRefused) {
  options_.flags = 2;
  EXPECT_THAT(MaxOutcome(), AllOf(StartsWith("invalid_argument: "), HasSubstr("flags are 2")));
}

TEST_F(Options, AnyNumberOfThreadsIsTaken) {
  for (std::uint32_t threads : {0u, 1u, 2u, 1000u, UINT32_MAX}) {
    options_.threads = threads;
    EXPECT_EQ(MaxOutcome(), "ok");
    EXPECT_EQ(ReduceOutcome(), "ok");
  }
}

// Counts the threads of this process to see if threads other than the calling one compute.
TEST_F(Options, TheNumberOfThreadsIsThatOfTheLibrary) {
  const auto threads_of_this_process = [] {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return std::distance(begin(tasks), end(tasks));
  };
  std::vector<float> x(4'000'000), y(4'000'000);
  DlTensor source = DlTensor::Of(x, {4'000'000}), output = DlTensor::Of(y, {4'000'000});
  const DLTensor* const input = source.get();
  const auto before = threads_of_this_process();
  EXPECT_EQ(Outcome(supremum_max(&input, 1, output.get(), &options_)), "ok");
  EXPECT_EQ(Outcome(supremum_reduce_max(input, nullptr, 0, 0, output.get(), &options_)), "ok");
  EXPECT_EQ(threads_of_this_process(), before) << "one thread is the calling one";
  if (supremum_threads() == 1) GTEST_SKIP() << "no more than one thread here";
  options_.threads = 0;
  EXPECT_EQ(Outcome(supremum_max(&input, 1, output.get(), &options_)), "ok");
  EXPECT_GT(threads_of_this_process(), 1);
}

TEST_F(Options, ASizeThatNoReleaseHadIsRefused) {
  for (std::size_t size :
       {std::size_t{0}, std::size_t{8}, sizeof(supremum_options) - 1, std::size_t{4097}, SIZE_MAX}) {
    options_.size = size;
    EXPECT_THAT(MaxOutcome(), AllOf(StartsWith("invalid_argument: "), HasSubstr("SUPREMUM_OPTIONS_INIT")))
        << size;
  }
}

TEST_F(Options, OfANewerProgramAreTakenIfWhatIsNewIsZero) {
  struct Newer {
    supremum_options known = SUPREMUM_OPTIONS_INIT;
    std::uint64_t unknown[3] = {0, 0, 0};
  } newer;
  newer.known.size = sizeof(newer);
  newer.known.flags = SUPREMUM_IDENTICAL_SHAPES_ONLY;
  EXPECT_THAT(Outcome(supremum_max(inputs_, 2, output_.get(), &newer.known)),
              StartsWith("broadcast_refused: "));
  newer.known.flags = 0;
  EXPECT_EQ(Outcome(supremum_max(inputs_, 2, output_.get(), &newer.known)), "ok");
  newer.unknown[2] = 1;
  EXPECT_THAT(Outcome(supremum_max(inputs_, 2, output_.get(), &newer.known)),
              AllOf(StartsWith("invalid_argument: "),
                    HasSubstr("beyond byte " + std::to_string(sizeof(supremum_options)))));
}

}  // namespace
}  // namespace supremum
