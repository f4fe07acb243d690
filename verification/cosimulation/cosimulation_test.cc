// The models of the proofs, compared with the processor, Highway and the kernels.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "cosimulation/cosimulate.h"
#include "exhaustive/pair_check.h"

namespace supremum {
namespace {

using test::Extent;

class Models : public testing::TestWithParam<std::tuple<DType, Extent>> {};

INSTANTIATE_TEST_SUITE_P(OfAllTypes, Models,
                         testing::Combine(testing::ValuesIn(kAllDTypes),
                                          testing::Values(Extent::kSample, Extent::kAll)),
                         [](const auto& param) {
                           return std::string(Name(std::get<0>(param.param))) + "_" +
                                  ToString(std::get<1>(param.param));
                         });

// Rules: ORD-1, ORD-2, ORD-3, ORD-4, ORD-6, TYP-1, TYP-4
TEST_P(Models, AgreeWithInstructionsOperationsAndKernelsOnEveryTarget) {
  const auto [dtype, extent] = GetParam();
  EXPECT_TRUE(test::ModelsAgree(dtype, extent == Extent::kAll ? 100'000'000 : 1'000'000));
}

TEST(ModelsControl, AWrongModelIsFound) { EXPECT_FALSE(test::WrongModelAgrees()); }

}  // namespace
}  // namespace supremum
