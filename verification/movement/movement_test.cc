// That the kernels move elements to where they belong, by one-hot inputs: a kernel that is made of joins and
// moves, none of which depends on an element, computes at each output the maximum over a fixed set of
// elements, and one-hot inputs find that set. oblivious.cc shows that nothing depends on an element.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "kernels/targets.h"
#include "movement/one_hot.h"
#include "movement/primitives.h"

namespace supremum::test {
namespace {

using kernels::KernelTable;

const kernels::TableList kTables = kernels::RunnableTables();

using Parameter = std::tuple<const KernelTable*, DType>;

std::string NameOf(const testing::TestParamInfo<Parameter>& info) {
  return std::string(std::get<0>(info.param)->target) + "_" + std::string(Name(std::get<1>(info.param)));
}

// On every instruction set that this processor runs.
class Movement : public testing::TestWithParam<Parameter> {
 protected:
  const KernelTable& table_ = *std::get<0>(GetParam());
  const DType dtype_ = std::get<1>(GetParam());

  void PrimitivesMoveEachElement(Extent extent) {
    OneHot one_hot(dtype_);
    VisitPrimitives(
        table_.For(dtype_), ByteWidth(dtype_), VectorBytes(table_) / ByteWidth(dtype_), extent,
        [&](const auto& what, Layout& layout, const auto& call) { one_hot.Check(what, layout, call); });
    Report("primitives", one_hot);
  }
  void OperatorsMoveEachElement(Extent extent) {
    kernels::UseKernels(&table_);
    OneHot one_hot(dtype_);
    VisitOperators(dtype_, extent, [&](const auto& what, Layout& layout, const auto& call) {
      one_hot.Check(what, layout, call);
    });
    kernels::UseKernels(nullptr);
    Report("operators", one_hot);
  }

 private:
  static void Report(const char* what, const OneHot& one_hot) {
    EXPECT_EQ(one_hot.wrong(), 0u) << one_hot.first();
    EXPECT_GT(one_hot.calls(), 1000u);
    std::printf("movement: %s: %llu layouts, %llu one-hot calls\n", what,
                static_cast<unsigned long long>(one_hot.layouts()),
                static_cast<unsigned long long>(one_hot.calls()));
  }
};

INSTANTIATE_TEST_SUITE_P(Sample, Movement,
                         testing::Combine(testing::ValuesIn(kTables.begin(), kTables.end()),
                                          testing::ValuesIn(kAllDTypes)),
                         NameOf);

// Rules: MAX-2, RED-1, RED-6, ORD-5, MEM-1
TEST_P(Movement, PrimitivesMoveEachElementToItsOutputs) { PrimitivesMoveEachElement(Extent::kSample); }

// Rules: MAX-2, RED-1, BRO-5, MEM-1, MEM-2
TEST_P(Movement, OperatorsMoveEachElementToItsOutputs) { OperatorsMoveEachElement(Extent::kSample); }

class EveryLength : public Movement {};
INSTANTIATE_TEST_SUITE_P(Lengths, EveryLength,
                         testing::Combine(testing::ValuesIn(kTables.begin(), kTables.end()),
                                          testing::ValuesIn(kAllDTypes)),
                         [](const testing::TestParamInfo<Parameter>& every) {
                           return NameOf(every) + "_all";
                         });

TEST_P(EveryLength, PrimitivesMoveEachElementToItsOutputs) { PrimitivesMoveEachElement(Extent::kAll); }
TEST_P(EveryLength, OperatorsMoveEachElementToItsOutputs) { OperatorsMoveEachElement(Extent::kAll); }

}  // namespace
}  // namespace supremum::test
