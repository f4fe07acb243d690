// The operands of a call, as the rules see them.
#include "rules/views.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "supremum/shape.h"

namespace supremum::test {
namespace {

TEST(Views, TheOutputIsTheLastOperand) {
  const Shape input_shape{2, 3}, output_shape{4};
  const std::vector<TensorView> inputs = {{DType::kFloat32, input_shape, {}, nullptr}};
  const MutableTensorView output{DType::kInt8, output_shape, {}, nullptr};
  const Views views(inputs, &output, {});
  ASSERT_EQ(views.count(), 2u);
  EXPECT_EQ(views.who(0), "input 0");
  EXPECT_EQ(views.shape_text(0), "[2,3]");
  EXPECT_EQ(views.extent(0, 1), 3);
  EXPECT_EQ(views.who(1), "the output");
  EXPECT_EQ(views.type(1).dtype, DType::kInt8);
  EXPECT_EQ(views.rank(1), 1u);
  EXPECT_EQ(views.extent(1, 0), 4);
  EXPECT_EQ(views.shape_text(1), "[4]");
  EXPECT_EQ(views.WithoutOutput().count(), 1u);
}

TEST(OperandNames, SayWhatAnErrorCallsAnOperand) {
  const std::vector<std::string_view> named = {"left", ""};
  OperandNames names;
  EXPECT_EQ(names.Input(1), "input 1");
  EXPECT_EQ(names.Output(), "the output");
  names.one_source = true;
  EXPECT_EQ(names.Input(0), "the source");
  names.inputs = named;
  names.output = "best";
  EXPECT_EQ(names.Input(0), "input 'left'");
  EXPECT_EQ(names.Output(), "output 'best'");
  names.part = "the bound of ";
  EXPECT_EQ(names.Input(0), "the bound of input 'left'");
  EXPECT_EQ(names.Output(), "the bound of output 'best'");
  names.only = "the axes";
  EXPECT_EQ(names.Input(0), "the axes");
}

}  // namespace
}  // namespace supremum::test
