// The functions of the C interface: calls, plans, shapes, the library itself.
#include "supremum/c_api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bindings/c/testing.h"
#include "core/out_of_memory.h"
#include "support/allocations.h"
#include "support/out_of_memory.h"
#include "supremum/target.h"

namespace supremum {
namespace {

using test::DlTensor;
using test::Outcome;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::int64_t kLast[] = {-1};

class CApi : public testing::Test {
 protected:
  std::vector<float> a_{1, 2, 3, 4, 5, 6}, b_{6, 1, 4}, y_ = std::vector<float>(6), best_{0, 0};
  DlTensor x0_ = DlTensor::Of(a_, {2, 3}), x1_ = DlTensor::Of(b_, {3}), output_ = DlTensor::Of(y_, {2, 3}),
           rows_ = DlTensor::Of(best_, {2});
  const DLTensor* const inputs_[2] = {x0_.get(), x1_.get()};

  supremum_max_plan* MaxPlan() {
    supremum_max_plan* plan = nullptr;
    EXPECT_EQ(Outcome(supremum_max_prepare(inputs_, 2, output_.get(), nullptr, &plan)), "ok");
    return plan;
  }
  supremum_reduce_max_plan* ReducePlan() {
    supremum_reduce_max_plan* plan = nullptr;
    EXPECT_EQ(Outcome(supremum_reduce_max_prepare(x0_.get(), kLast, 1, 0, rows_.get(), nullptr, &plan)),
              "ok");
    return plan;
  }
};

// Rules: MAX-2, BRO-5
TEST_F(CApi, MaxBroadcasts) {
  EXPECT_EQ(Outcome(supremum_max(inputs_, 2, output_.get(), nullptr)), "ok");
  EXPECT_THAT(y_, ElementsAre(6, 2, 4, 6, 5, 6));
}

// Rules: RED-1, RED-2
TEST_F(CApi, ReduceMaxReducesTheAxesThatItIsGiven) {
  EXPECT_EQ(Outcome(supremum_reduce_max(x0_.get(), kLast, 1, 0, rows_.get(), nullptr)), "ok");
  EXPECT_THAT(best_, ElementsAre(3, 6));
  std::vector<float> one{0};
  DlTensor scalar = DlTensor::Of(one, {});
  EXPECT_EQ(Outcome(supremum_reduce_max(x0_.get(), nullptr, SUPREMUM_ALL_AXES, 0, scalar.get(), nullptr)),
            "ok");
  EXPECT_THAT(one, ElementsAre(6));
}

// Rules: RED-2
TEST_F(CApi, WrongAxesAreRefused) {
  const std::int64_t far[] = {2}, twice[] = {1, -1};
  const auto outcome = [&](const std::int64_t* axes, std::size_t count) {
    return Outcome(supremum_reduce_max(x0_.get(), axes, count, 0, rows_.get(), nullptr));
  };
  EXPECT_THAT(outcome(far, 1), AllOf(StartsWith("axis: "), HasSubstr("the source has rank 2")));
  EXPECT_THAT(outcome(twice, 2), AllOf(StartsWith("axis: "), HasSubstr("names already")));
  EXPECT_THAT(outcome(nullptr, 1), AllOf(StartsWith("invalid_argument: "), HasSubstr("the list of axes")));
}

// Rules: BRO-2
TEST_F(CApi, BroadcastShapesGivesTheCommonShape) {
  const std::int64_t first[] = {2, 1, 4}, second[] = {3, 1};
  const std::int64_t* const shapes[] = {first, second, nullptr};
  const std::int32_t ranks[] = {3, 2, 0};
  std::int64_t shape[SUPREMUM_MAX_RANK] = {};
  std::int32_t rank = -1;
  EXPECT_EQ(Outcome(supremum_broadcast_shapes(shapes, ranks, 3, shape, &rank)), "ok");
  EXPECT_THAT(std::vector<std::int64_t>(shape, shape + rank), ElementsAre(2, 3, 4));
}

// Rules: E1, BRO-4
TEST_F(CApi, BroadcastShapesRefuses) {
  std::int64_t first[] = {2, 3}, second[] = {4};
  const std::int64_t* shapes[] = {first, second};
  std::int32_t ranks[] = {2, 1};
  std::int64_t shape[SUPREMUM_MAX_RANK] = {-7};
  std::int32_t rank = -7;
  const auto outcome = [&](std::size_t count = 2) {
    return Outcome(supremum_broadcast_shapes(shapes, ranks, count, shape, &rank));
  };
  EXPECT_THAT(outcome(), AllOf(StartsWith("not_broadcastable: E1"), HasSubstr("input 1 has shape [4]")));
  EXPECT_THAT(outcome(0), StartsWith("input_count: "));
  EXPECT_THAT(outcome(SIZE_MAX), StartsWith("input_count: "));
  second[0] = -1;
  EXPECT_THAT(outcome(), AllOf(StartsWith("invalid_shape: "), HasSubstr("input 1")));
  ranks[1] = 65;
  EXPECT_THAT(outcome(), AllOf(StartsWith("rank: "), HasSubstr("input 1 has rank 65")));
  ranks[1] = -1;
  EXPECT_THAT(outcome(), AllOf(StartsWith("rank: "), HasSubstr("input 1 has rank -1")));
  ranks[1] = 1;
  shapes[1] = nullptr;
  EXPECT_THAT(outcome(), AllOf(StartsWith("invalid_argument: "), HasSubstr("the shape of input 1")));
  EXPECT_THAT(Outcome(supremum_broadcast_shapes(nullptr, ranks, 1, shape, &rank)),
              StartsWith("invalid_argument: "));
  EXPECT_THAT(Outcome(supremum_broadcast_shapes(shapes, nullptr, 1, shape, &rank)),
              StartsWith("invalid_argument: "));
  EXPECT_THAT(Outcome(supremum_broadcast_shapes(shapes, ranks, 1, nullptr, &rank)),
              StartsWith("invalid_argument: "));
  EXPECT_THAT(Outcome(supremum_broadcast_shapes(shapes, ranks, 1, shape, nullptr)),
              StartsWith("invalid_argument: "));
  EXPECT_EQ(shape[0], -7);
  EXPECT_EQ(rank, -7);
}

// Rules: RED-3
TEST_F(CApi, ReduceMaxShapeIsThatOfTheOutput) {
  std::int64_t shape[SUPREMUM_MAX_RANK] = {};
  std::int32_t rank = -1;
  x0_->data = nullptr;
  const auto outcome = [&](int keepdims) {
    return Outcome(supremum_reduce_max_shape(x0_.get(), kLast, 1, keepdims, nullptr, shape, &rank));
  };
  EXPECT_EQ(outcome(0), "ok");
  EXPECT_THAT(std::vector<std::int64_t>(shape, shape + rank), ElementsAre(2));
  EXPECT_EQ(outcome(1), "ok");
  EXPECT_THAT(std::vector<std::int64_t>(shape, shape + rank), ElementsAre(2, 1));
  x0_->ndim = 1;
  x0_->shape[0] = -1;
  EXPECT_THAT(outcome(0), StartsWith("invalid_shape: "));
  EXPECT_EQ(rank, 2) << "written on success alone";
  EXPECT_THAT(Outcome(supremum_reduce_max_shape(x0_.get(), kLast, 1, 0, nullptr, nullptr, &rank)),
              StartsWith("invalid_argument: "));
  EXPECT_THAT(Outcome(supremum_reduce_max_shape(x0_.get(), kLast, 1, 0, nullptr, shape, nullptr)),
              StartsWith("invalid_argument: "));
}

// Rules: MEM-3
TEST_F(CApi, APlanRunsOnWhatItsInputsHoldThenWithoutAllocating) {
  supremum_max_plan* const max = MaxPlan();
  supremum_reduce_max_plan* const reduce = ReducePlan();
  EXPECT_GT(supremum_max_memory_bytes(max), 0u);
  EXPECT_GT(supremum_reduce_max_memory_bytes(reduce), 0u);
  const std::size_t before = test::Allocations();
  a_[0] = 9;
  EXPECT_EQ(supremum_max_run(max), SUPREMUM_OK);
  EXPECT_EQ(supremum_reduce_max_run(reduce), SUPREMUM_OK);
  EXPECT_EQ(test::Allocations(), before);
  EXPECT_THAT(y_, ElementsAre(9, 2, 4, 6, 5, 6));
  EXPECT_THAT(best_, ElementsAre(9, 6));
  supremum_max_destroy(max);
  supremum_reduce_max_destroy(reduce);
}

// Rules: MEM-2, MEM-3
TEST_F(CApi, APlanIsBoundToOtherMemoryOrStaysAsItWas) {
  supremum_max_plan* const plan = MaxPlan();
  std::vector<float> c{7, 7, 7, 7, 7, 7}, d{0, 8, 0}, z(6);
  const void* others[2] = {c.data(), d.data()};
  const std::size_t before = test::Allocations();
  EXPECT_EQ(supremum_max_rebind(plan, others, 2, z.data()), SUPREMUM_OK);
  EXPECT_EQ(test::Allocations(), before);
  EXPECT_THAT(Outcome(supremum_max_rebind(plan, others, 1, z.data())), StartsWith("input_count: "));
  EXPECT_THAT(Outcome(supremum_max_rebind(plan, others, 2, d.data())), StartsWith("overlap: "));
  EXPECT_THAT(Outcome(supremum_max_rebind(plan, others, 2, nullptr)), StartsWith("invalid_argument: "));
  EXPECT_THAT(Outcome(supremum_max_rebind(plan, nullptr, 2, z.data())), StartsWith("invalid_argument: "));
  EXPECT_EQ(supremum_max_run(plan), SUPREMUM_OK);
  EXPECT_THAT(z, ElementsAre(7, 8, 7, 7, 8, 7));
  supremum_max_destroy(plan);
}

// Rules: MEM-2, MEM-3
TEST_F(CApi, AReducePlanIsBoundToOtherMemoryOrStaysAsItWas) {
  supremum_reduce_max_plan* const plan = ReducePlan();
  std::vector<float> c{7, 0, 0, 0, 8, 0}, z(2);
  EXPECT_EQ(supremum_reduce_max_rebind(plan, c.data(), z.data()), SUPREMUM_OK);
  EXPECT_THAT(Outcome(supremum_reduce_max_rebind(plan, c.data(), c.data())), StartsWith("overlap: "));
  EXPECT_THAT(Outcome(supremum_reduce_max_rebind(plan, nullptr, z.data())), StartsWith("invalid_argument: "));
  EXPECT_EQ(supremum_reduce_max_run(plan), SUPREMUM_OK);
  EXPECT_THAT(z, ElementsAre(7, 8));
  supremum_reduce_max_destroy(plan);
}

TEST_F(CApi, WithoutAPlanThereIsAnErrorOrNothingToDo) {
  const void* others[2] = {a_.data(), b_.data()};
  EXPECT_THAT(Outcome(supremum_max_prepare(inputs_, 2, output_.get(), nullptr, nullptr)),
              HasSubstr("the address for the plan"));
  EXPECT_THAT(Outcome(supremum_reduce_max_prepare(x0_.get(), kLast, 1, 0, rows_.get(), nullptr, nullptr)),
              HasSubstr("the address for the plan"));
  EXPECT_EQ(supremum_max_run(nullptr), SUPREMUM_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(supremum_reduce_max_run(nullptr), SUPREMUM_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(supremum_max_rebind(nullptr, others, 2, y_.data()), SUPREMUM_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(supremum_reduce_max_rebind(nullptr, a_.data(), y_.data()), SUPREMUM_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(supremum_max_memory_bytes(nullptr), 0u);
  EXPECT_EQ(supremum_reduce_max_memory_bytes(nullptr), 0u);
  supremum_max_destroy(nullptr);
  supremum_reduce_max_destroy(nullptr);
}

// The status as a Result, without an allocation if memory is out.
Result<void> ResultOf(supremum_status status) {
  if (status == SUPREMUM_OK) return {};
  if (status == SUPREMUM_ERROR_OUT_OF_MEMORY) return OutOfMemoryError();
  return Error{static_cast<ErrorCode>(status), supremum_last_error()};
}

TEST_F(CApi, AnAllocationThatFailsIsOutOfMemoryWhicheverItIs) {
  test::WalkOutOfMemory("max", [&] { return ResultOf(supremum_max(inputs_, 2, output_.get(), nullptr)); });
  {
    const test::FailingAllocations failing(0);
    EXPECT_EQ(supremum_reduce_max(x0_.get(), kLast, 1, 0, rows_.get(), nullptr), SUPREMUM_OK)
        << "it allocates nothing";
  }
  const auto walk = [](const char* what, auto* plan, auto prepare, auto destroy) {
    auto* const before = plan;
    test::WalkOutOfMemory(what, [&] {
      plan = before;
      const supremum_status status = prepare(&plan);
      EXPECT_EQ(plan == before, status != SUPREMUM_OK) << "on an error it is as it was";
      if (status == SUPREMUM_OK) destroy(plan);
      return ResultOf(status);
    });
  };
  walk(
      "max_prepare", reinterpret_cast<supremum_max_plan*>(this),
      [&](auto* plan) { return supremum_max_prepare(inputs_, 2, output_.get(), nullptr, plan); },
      supremum_max_destroy);
  walk(
      "reduce_max_prepare", reinterpret_cast<supremum_reduce_max_plan*>(this),
      [&](auto* plan) {
        return supremum_reduce_max_prepare(x0_.get(), kLast, 1, 0, rows_.get(), nullptr, plan);
      },
      supremum_reduce_max_destroy);
}

TEST_F(CApi, WhereNotEvenATextIsToBeHadTheErrorIsOutOfMemory) {
  test::FailingAllocations failing(0);
  EXPECT_EQ(supremum_max_run(nullptr), SUPREMUM_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(supremum_use_target("no such target, of which the text is long"), SUPREMUM_ERROR_OUT_OF_MEMORY);
  EXPECT_STREQ(supremum_last_error(),
               "out of memory: an allocation failed; free memory, or use smaller tensors");
}

TEST(Library, SaysItsVersionAndHowManyThreadsComputeAtMost) {
  EXPECT_STREQ(supremum_version(), SUPREMUM_VERSION);
  EXPECT_GE(supremum_threads(), 1u);
}

TEST(Library, UsesTheTargetThatIsChosen) {
  const std::string best = supremum_target();
  EXPECT_EQ(best, ActiveTarget());
  for (const TargetInfo& target : Targets()) {
    const std::string name(target.name);
    EXPECT_EQ(supremum_use_target(name.c_str()) == SUPREMUM_OK, target.runs_here) << name;
    if (target.runs_here) {
      EXPECT_EQ(supremum_target(), name);
    }
  }
  EXPECT_EQ(supremum_use_target(nullptr), SUPREMUM_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(supremum_target(), "portable") << "an error changes nothing";
  EXPECT_EQ(supremum_use_target(""), SUPREMUM_OK);
  EXPECT_EQ(supremum_target(), best);
}

}  // namespace
}  // namespace supremum
