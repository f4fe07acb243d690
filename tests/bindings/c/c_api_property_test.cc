// Calls at random through the C interface, against the reference, in every bit, on every target that runs
// here.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bindings/c/testing.h"
#include "support/call_memory.h"
#include "support/calls.h"
#include "supremum/target.h"

namespace supremum::test {
namespace {

class CApiProperty : public testing::TestWithParam<DType> {
 protected:
  ~CApiProperty() override { supremum_use_target(""); }

  template <class MakeCall>
  void ExpectTheOracleOf(std::uint64_t calls, MakeCall make_call) {
    for (std::uint64_t seed = 0; seed < calls; ++seed) {
      Draw draw(seed);
      const Call call = make_call(draw);
      SCOPED_TRACE("seed " + std::to_string(seed) + ": " + call.Text());
      CallMemory memory(draw, call, GetParam());
      memory.FillSources(draw);
      const CallMemory expected = memory.Expected();
      for (const TargetInfo& target : Targets()) {
        if (!target.runs_here) continue;
        ASSERT_EQ(supremum_use_target(std::string(target.name).c_str()), SUPREMUM_OK);
        CallMemory actual = memory;
        ASSERT_EQ(Outcome(Run(draw, call, actual)), "ok") << target.name;
        ASSERT_TRUE(actual == expected) << target.name;
      }
    }
  }

 private:
  static supremum_status Run(Draw& draw, const Call& call, CallMemory& memory) {
    std::vector<DlTensor> tensors;
    // Some of the address as byte_offset: before the elements there are 16 bytes at least.
    for (const TensorView& source : memory.Sources()) tensors.emplace_back(source, draw.Below(17));
    std::vector<const DLTensor*> sources;
    for (DlTensor& tensor : tensors) sources.push_back(tensor.get());
    DlTensor output(memory.Output(), draw.Below(17));
    supremum_options options = SUPREMUM_OPTIONS_INIT;
    options.threads = static_cast<std::uint32_t>(call.threads);
    const auto run = [](auto* plan, supremum_status prepared, auto run_plan, auto destroy) {
      if (prepared != SUPREMUM_OK) return prepared;
      const supremum_status done = run_plan(plan);
      destroy(plan);
      return done;
    };
    if (!call.axes) {
      if (call.way == Way::kCall) return supremum_max(sources.data(), sources.size(), output.get(), &options);
      supremum_max_plan* plan = nullptr;
      const supremum_status prepared =
          supremum_max_prepare(sources.data(), sources.size(), output.get(), &options, &plan);
      return run(plan, prepared, supremum_max_run, supremum_max_destroy);
    }
    // All axes have a number of their own.
    const bool all = call.axes->size() == call.sources[0].shape.rank() && draw.Below(2) == 0;
    const std::size_t count = all ? SUPREMUM_ALL_AXES : call.axes->size();
    if (call.way == Way::kCall) {
      return supremum_reduce_max(sources[0], call.axes->data(), count, call.keepdims, output.get(), &options);
    }
    supremum_reduce_max_plan* plan = nullptr;
    const supremum_status prepared = supremum_reduce_max_prepare(
        sources[0], call.axes->data(), count, call.keepdims, output.get(), &options, &plan);
    return run(plan, prepared, supremum_reduce_max_run, supremum_reduce_max_destroy);
  }
};

INSTANTIATE_TEST_SUITE_P(AllTypes, CApiProperty, testing::ValuesIn(kAllDTypes),
                         [](const auto& param) { return std::string(Name(param.param)); });

// Rules: MAX-2, ORD-5, BRO-5, MEM-1, MEM-2
TEST_P(CApiProperty, MaxGivesTheBitsOfTheOracle) {
  if (GetParam() == DType::kBool) return;  // TYP-3: dl_operands_test.cc
  ExpectTheOracleOf(300, [](Draw& draw) { return RandomMax(draw, 6, 500); });
}

// Rules: RED-1, RED-2, RED-3, RED-6, ORD-5, MEM-1, MEM-2
TEST_P(CApiProperty, ReduceMaxGivesTheBitsOfTheOracle) {
  ExpectTheOracleOf(300, [](Draw& draw) { return RandomReduceMax(draw, 6, 500); });
}

}  // namespace
}  // namespace supremum::test
