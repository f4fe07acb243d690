// Every error of Max: its code, its text, and that nothing was written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "support/errors.h"
#include "supremum/max.h"

namespace supremum {
namespace {

using enum ErrorCode;

// Valid operands of shape [2,3]; a test makes one fault in them.
struct Operands {
  std::vector<float> a = std::vector<float>(6, 1), b = std::vector<float>(6, 2);
  std::vector<float> y = std::vector<float>(20, test::kUntouched);
  Shape a_shape{2, 3}, b_shape{2, 3}, y_shape{2, 3}, strides;
  std::vector<std::int64_t> high = std::vector<std::int64_t>(65, 1);
  std::vector<TensorView> inputs{TensorView::Of(a.data(), a_shape), TensorView::Of(b.data(), b_shape)};
  MutableTensorView output = MutableTensorView::Of(y.data(), y_shape);
  std::vector<std::string_view> names{"left", "right"};
  MaxOptions options{.input_names = names, .output_name = "best"};

  Operands() = default;
  Operands(const Operands&) = delete;  // views are of its own shapes
  Operands& operator=(const Operands&) = delete;

  void SetShape(std::size_t input, const Shape& shape) {
    (input == 0 ? a_shape : b_shape) = shape;
    inputs[input].shape = input == 0 ? a_shape : b_shape;
  }
  void SetStrides(std::size_t input, const Shape& of_input) {
    strides = of_input;
    inputs[input].strides = strides;
  }
  void SetTypes(DType dtype, MaxVersion version) {
    inputs[0].dtype = inputs[1].dtype = output.dtype = dtype;
    options.version = version;
  }

  void ExpectRefused(ErrorCode code, const std::vector<std::string>& parts) {
    test::ExpectError(Max(inputs, output, options), code, parts);
    test::ExpectError(MaxPlan::Prepare(inputs, output, options), code, parts);
    EXPECT_THAT(y, testing::Each(test::kUntouched)) << "an error must leave the output as it was";
  }
};

// Rules: MAX-1, MAX-3, TYP-2, TYP-3, BRO-2, BRO-4, PRO-6, E1, E2
TEST(MaxError, OneFaultIsRefusedByItsOwnText) {
  const struct {
    ErrorCode code;
    std::vector<std::string> parts;
    std::function<void(Operands&)> spoil;
  } cases[] = {
      {kInputCount, {"takes 1 to 2147483647 inputs and was given 0"}, [](auto& o) { o.inputs.clear(); }},
      {kTypeMismatch,
       {"input 'right' has type int32", "input 'left' has type float32"},
       [](auto& o) { o.inputs[1].dtype = DType::kInt32; }},
      {kTypeMismatch, {"output 'best' has type uint32"}, [](auto& o) { o.output.dtype = DType::kUInt32; }},
      {kTypeNotAdmitted,
       {"input 'left' has type int32", "Max-8 does not have", "opset"},
       [](auto& o) { o.SetTypes(DType::kInt32, MaxVersion::k8); }},
      {kTypeNotAdmitted,
       {"bfloat16, which Max-12 does not have"},
       [](auto& o) { o.SetTypes(DType::kBFloat16, MaxVersion::k12); }},
      {kTypeNotAdmitted,
       {"bool, which Max-13 does not have (TYP-3); no version of Max has it"},
       [](auto& o) { o.SetTypes(DType::kBool, MaxVersion::k13); }},
      {kTypeNotAdmitted,
       {"none of the library's types"},
       [](auto& o) { o.SetTypes(static_cast<DType>(77), MaxVersion::k13); }},
      {kBroadcastRefused,
       {"input 'left' has shape [2,3]", "input 'right' has shape [3]", "ranks are 2 and 1"},
       [](auto& o) {
         o.SetShape(1, {3});
         o.options.identical_shapes_only = true;
       }},
      {kRank, {"input 'right' has rank 65", "at most 64"}, [](auto& o) { o.inputs[1].shape = o.high; }},
      {kRank, {"output 'best' has rank 65"}, [](auto& o) { o.output.shape = o.high; }},
      {kRank, {"input 'left'", "strides [1]"}, [](auto& o) { o.SetStrides(0, {1}); }},
      {kInvalidShape,
       {"input 'right'", "[2,-3]", "dimension 1"},
       [](auto& o) {
         o.SetShape(1, {2, -3});
       }},
      {kInvalidShape,
       {"more than 2^63-1 elements"},
       [](auto& o) {
         o.SetShape(1, {INT64_MAX, 3});
         o.SetStrides(1, {0, 0});
       }},
      {kInvalidShape,
       {"input 'right'", "leave the address space"},
       [](auto& o) {
         o.SetStrides(1, {INT64_MAX / 2, 1});
       }},
      {kInvalidShape,
       {"'best' has shape [2,-3]"},
       [](auto& o) {
         o.y_shape = {2, -3};
       }},
      {kInvalidShape,
       {"'best' has shape [9223372036854775807"},
       [](auto& o) {
         o.y_shape = {INT64_MAX, INT64_MAX};
       }},
      {kNotBroadcastable,
       {"input 'left' has shape [2,3]", "input 'right' has shape [4]", "in dimension 1 of the common rank 2",
        "extents are 3 and 4"},
       [](auto& o) { o.SetShape(1, {4}); }},
      {kNotBroadcastable,
       {"input 0 has", "input 1 has"},
       [](auto& o) {
         o.SetShape(1, {4});
         o.options = {};
       }},
      {kNotBroadcastable,
       {"input 'left' has shape [2,3]", "input 'right' has shape [1,3]", "dimension 0", "extents are 2 and 1",
        "MAX-3"},
       [](auto& o) {
         o.SetShape(1, {1, 3});
         o.options.version = MaxVersion::k1;
       }},
      {kInvalidArgument, {"input 'right'", "null"}, [](auto& o) { o.inputs[1].data = nullptr; }},
      {kInvalidArgument, {"output 'best'"}, [](auto& o) { o.output.data = nullptr; }},
  };
  for (const auto& item : cases) {
    SCOPED_TRACE(item.parts[0]);
    Operands operands;
    EXPECT_TRUE(Max(operands.inputs, operands.output, operands.options));
    operands.y.assign(operands.y.size(), test::kUntouched);
    item.spoil(operands);
    operands.ExpectRefused(item.code, item.parts);
  }
  for (const Shape& shape : {Shape{3, 2}, Shape{6}, Shape{1, 2, 3}, Shape{2, 4}, Shape{}}) {
    Operands operands;
    operands.output.shape = shape;
    operands.ExpectRefused(kOutputShapeMismatch,
                           {"output 'best' has shape " + ToString(shape), "computed shape is [2,3]"});
  }
}

// A call without a plan returns the same error as a plan: the tensors are dense, and their elements extend
// beyond the last address.
TEST(MaxError, AnAddressBehindWhichTheElementsLeaveTheAddressSpace) {
  for (const std::uintptr_t before_the_end : {0U, 3U, 7U, 22U}) {
    void* const last = reinterpret_cast<void*>(UINTPTR_MAX - before_the_end);
    Operands left, right, output, in_place;
    left.inputs[0].data = right.inputs[1].data = output.output.data = last;
    in_place.inputs[0].data = in_place.output.data = last;
    left.ExpectRefused(kInvalidShape, {"input 'left'", "leave the address space"});
    right.ExpectRefused(kInvalidShape, {"input 'right'", "leave the address space"});
    output.ExpectRefused(kInvalidShape, {"output 'best'", "leave the address space"});
    in_place.ExpectRefused(kInvalidShape, {"leave the address space"});
  }
}

// Rules: MEM-1
TEST(MaxError, AnOutputThatMeetsAnAddressTwice) {
  for (const Shape& strides : {Shape{0, 1}, Shape{1, 1}, Shape{3, 0}, Shape{-2, 1}}) {
    Operands operands;
    operands.output.strides = strides;
    operands.output.data = operands.y.data() + 6;
    operands.ExpectRefused(kOverlap,
                           {"output 'best'", "strides " + ToString(strides), "share an address", "MEM-1"});
  }
}

// Rules: MEM-2
TEST(MaxError, AnOutputThatOverlapsAnInputThatItIsNot) {
  for (std::ptrdiff_t distance : {-5, -1, 1, 5}) {
    Operands operands;
    operands.inputs[1].data = operands.y.data() + 5;
    operands.output.data = operands.y.data() + 5 + distance;
    operands.ExpectRefused(kOverlap, {"output 'best' shares memory with input 'right'", "MEM-2"});
  }
  Operands transposed, row;
  transposed.inputs[1].data = transposed.y.data();
  transposed.SetStrides(1, {1, 2});
  transposed.ExpectRefused(kOverlap, {"input 'right'"});
  row.SetShape(1, {3});
  row.inputs[1].data = row.y.data();
  row.ExpectRefused(kOverlap, {"input 'right'"});
}

// Section 7: count, type, profile, rank, E1, E2, overlap. Each step corrects the first of the errors that
// are left.
// Rules: E1, E2
TEST(MaxError, OfSeveralErrorsTheEarliestInTheOrderIsReported) {
  Operands o;
  const Shape four{4}, wrong_strides{1};
  o.inputs.push_back({DType::kInt8, o.high, {}, o.a.data()});
  o.names.push_back("third");
  o.options.input_names = o.names;
  o.options.identical_shapes_only = true;
  o.inputs[1].shape = four;
  o.output.strides = wrong_strides;
  o.output.data = o.a.data();
  const auto code = [&] { return Max(o.inputs, o.output, o.options).error().code; };

  EXPECT_EQ(code(), kTypeMismatch);
  o.inputs[2].dtype = DType::kFloat32;
  EXPECT_EQ(code(), kBroadcastRefused);
  o.options.identical_shapes_only = false;
  EXPECT_EQ(code(), kRank);
  o.inputs.pop_back();
  EXPECT_EQ(code(), kRank) << "of the output's strides";
  o.output.strides = {};
  EXPECT_EQ(code(), kNotBroadcastable);
  o.inputs[1].shape = o.b_shape;
  o.output.shape = four;
  EXPECT_EQ(code(), kOutputShapeMismatch);
  o.output.shape = o.y_shape;
  o.output.data = o.a.data() + 1;
  EXPECT_EQ(code(), kOverlap);
  o.output.data = o.a.data();
  EXPECT_TRUE(Max(o.inputs, o.output, o.options));
}

// Strides whose sums hardly ever coincide, and are too many to enumerate.
Shape HardStrides(std::size_t rank, Shape& shape) {
  shape = Shape();
  Shape strides;
  std::uint64_t random = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    shape.PushBack(3);
    strides.PushBack(static_cast<std::int64_t>(2'000'000'000'000'000 + (random >> 13)));
  }
  return strides;
}

// Rules: MEM-1, MEM-2
TEST(MaxError, MemoryThatCannotBeShownToBeApartIsRefusedInOtherWords) {
  Operands o;
  const Shape strides = HardStrides(20, o.y_shape);
  o.output = {DType::kFloat32, o.y_shape, strides, o.y.data()};
  o.inputs = {{DType::kFloat32, o.y_shape, {}, o.a.data()}};
  o.ExpectRefused(kOverlap, {"'best' has shape",
                             "under which no two elements could be shown to have different addresses"});
  const Shape scattered = HardStrides(16, o.y_shape);
  Shape wide = RowMajorStrides(o.y_shape);
  for (std::int64_t& stride : wide) stride *= 1'000'000;
  o.inputs = {{DType::kFloat32, o.y_shape, scattered, o.a.data()}};
  const std::uintptr_t amid =
      reinterpret_cast<std::uintptr_t>(o.a.data()) + std::uintptr_t{16 * 4 * 2'100'000'000'000'000};
  o.output = {DType::kFloat32, o.y_shape, wide, reinterpret_cast<void*>(amid)};
  test::ExpectError(MaxPlan::Prepare(o.inputs, o.output, o.options), kOverlap,
                    {"output 'best' cannot be shown to be apart from input 'left'"});
}

}  // namespace
}  // namespace supremum
