#include "generate/model_proto.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <string>

#include "io/formats/tensor_proto.h"

namespace supremum::io {
namespace {

onnx::ModelProto Parse(const OneNodeModel& model) {
  onnx::ModelProto proto;
  EXPECT_TRUE(proto.ParseFromString(ModelBytes(model)));
  return proto;
}

TEST(ModelProto, AMaxHasItsInputsInOrder) {
  OneNodeModel model;
  model.dtype = DType::kBFloat16;
  model.inputs = {Shape{2, 3}, Shape{}, Shape{0}};
  model.output = Shape{2, 3};
  const onnx::ModelProto proto = Parse(model);
  ASSERT_EQ(proto.graph().node_size(), 1);
  const onnx::NodeProto& node = proto.graph().node(0);
  EXPECT_EQ(node.op_type(), "Max");
  EXPECT_THAT(node.input(), testing::ElementsAre("x0", "x1", "x2"));
  EXPECT_THAT(node.output(), testing::ElementsAre("y"));
  EXPECT_EQ(node.attribute_size(), 0);
  ASSERT_EQ(proto.graph().input_size(), 3);
  for (const onnx::ValueInfoProto& input : proto.graph().input()) {
    EXPECT_EQ(input.type().tensor_type().elem_type(), onnx::TensorProto::BFLOAT16);
    EXPECT_TRUE(input.type().tensor_type().has_shape());
  }
  EXPECT_EQ(proto.graph().input(0).type().tensor_type().shape().dim(1).dim_value(), 3);
  EXPECT_EQ(proto.graph().input(1).type().tensor_type().shape().dim_size(), 0);
  EXPECT_TRUE(proto.graph().input(2).type().tensor_type().shape().dim(0).has_dim_value());
  EXPECT_EQ(proto.graph().output(0).type().tensor_type().shape().dim_size(), 2);
}

TEST(ModelProto, AnOutputWithoutAShapeStatesNone) {
  OneNodeModel model;
  model.inputs = {Shape{2}};
  EXPECT_FALSE(Parse(model).graph().output(0).type().tensor_type().has_shape());
}

// Rules: RED-5
TEST(ModelProto, AxesStandWhereTheOpsetWantsThem) {
  OneNodeModel model;
  model.op_type = "ReduceMax";
  model.inputs = {Shape{2, 3}};
  model.axes = {1, -2};
  model.keepdims = false;
  model.opset = 17;
  onnx::ModelProto proto = Parse(model);
  EXPECT_THAT(proto.graph().node(0).input(), testing::ElementsAre("x0"));
  ASSERT_EQ(proto.graph().node(0).attribute_size(), 2);
  EXPECT_EQ(proto.graph().node(0).attribute(0).name(), "axes");
  EXPECT_THAT(proto.graph().node(0).attribute(0).ints(), testing::ElementsAre(1, -2));
  EXPECT_EQ(proto.graph().node(0).attribute(1).name(), "keepdims");
  EXPECT_EQ(proto.graph().node(0).attribute(1).i(), 0);
  EXPECT_EQ(proto.graph().initializer_size(), 0);

  model.opset = 18;
  model.noop_with_empty_axes = true;
  proto = Parse(model);
  EXPECT_THAT(proto.graph().node(0).input(), testing::ElementsAre("x0", "axes"));
  ASSERT_EQ(proto.graph().initializer_size(), 1);
  const Tensor axes = TensorFromProto(proto.graph().initializer(0), "axes", 100).value();
  ASSERT_EQ(axes.size(), 2);
  EXPECT_EQ(axes.Elements<std::int64_t>()[1], -2);
  EXPECT_EQ(proto.graph().node(0).attribute(1).name(), "noop_with_empty_axes");
  EXPECT_EQ(proto.graph().input_size(), 1);
}

TEST(ModelProto, TheIrVersionIsTheOldestThatHasTheOpset) {
  const std::pair<int, int> versions[] = {{1, 3},  {8, 3},  {9, 4},  {10, 5}, {11, 6},  {12, 7}, {14, 7},
                                          {15, 8}, {18, 8}, {19, 9}, {20, 9}, {21, 10}, {23, 11}};
  for (const auto& [opset, version] : versions) {
    OneNodeModel model;
    model.inputs = {Shape{1}};
    model.opset = opset;
    EXPECT_EQ(Parse(model).ir_version(), version) << opset;
    EXPECT_EQ(Parse(model).opset_import(0).version(), opset);
  }
}

TEST(ModelProto, TheSameDescriptionGivesTheSameBytes) {
  OneNodeModel model;
  model.op_type = "ReduceMax";
  model.opset = 20;
  model.inputs = {Shape{2, 3}};
  model.axes = {0};
  model.keepdims = true;
  EXPECT_EQ(ModelBytes(model), ModelBytes(model));
}

}  // namespace
}  // namespace supremum::io
