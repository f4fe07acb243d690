// Tensors that DLPack can describe: the C interface accepts them, or refuses them with the stated error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "bindings/c/testing.h"

namespace supremum {
namespace {

using test::DlTensor;
using test::Outcome;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr float kUntouched = -12345.0f;

// Two inputs of shape [2,3] and an output, all valid; a test makes one fault in them.
class DlOperands : public testing::Test {
 protected:
  std::vector<float> a_{1, 2, 3, 4, 5, 6}, b_{6, 5, 4, 3, 2, 1}, y_ = std::vector<float>(6, kUntouched);
  DlTensor x0_ = DlTensor::Of(a_, {2, 3}), x1_ = DlTensor::Of(b_, {2, 3}), output_ = DlTensor::Of(y_, {2, 3});

  /// The outcome of supremum_max, which must be that of supremum_max_prepare; an error must not change the
  /// output.
  std::string MaxOutcome() {
    const DLTensor* const inputs[2] = {x0_.get(), x1_.get()};
    supremum_max_plan* plan = nullptr;
    const supremum_status prepared = supremum_max_prepare(inputs, 2, output_.get(), nullptr, &plan);
    EXPECT_EQ(plan != nullptr, prepared == SUPREMUM_OK);
    supremum_max_destroy(plan);
    const supremum_status status = supremum_max(inputs, 2, output_.get(), nullptr);
    EXPECT_EQ(status, prepared);
    if (status != SUPREMUM_OK) {
      EXPECT_THAT(y_, Each(kUntouched));
    }
    return Outcome(status);
  }

  /// The identity, as ReduceMax of no axes.
  std::string ReduceOutcome() {
    const supremum_status status = supremum_reduce_max(x0_.get(), nullptr, 0, 0, output_.get(), nullptr);
    if (status != SUPREMUM_OK) {
      EXPECT_THAT(y_, Each(kUntouched));
    }
    return Outcome(status);
  }
};

TEST_F(DlOperands, TheUnspoiledOnesAreTaken) {
  EXPECT_EQ(MaxOutcome(), "ok");
  EXPECT_THAT(y_, ElementsAre(6, 5, 4, 4, 5, 6));
  EXPECT_EQ(ReduceOutcome(), "ok");
  EXPECT_THAT(y_, ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST_F(DlOperands, ANullTensor) {
  const DLTensor* const inputs[2] = {x0_.get(), nullptr};
  EXPECT_THAT(Outcome(supremum_max(inputs, 2, output_.get(), nullptr)),
              StartsWith("invalid_argument: invalid argument: input 1 is a null pointer"));
  EXPECT_THAT(Outcome(supremum_max(inputs, 1, nullptr, nullptr)), HasSubstr("the output is a null pointer"));
  EXPECT_THAT(Outcome(supremum_max(nullptr, 1, output_.get(), nullptr)),
              StartsWith("invalid_argument: invalid argument: the list of inputs is a null pointer"));
  EXPECT_THAT(Outcome(supremum_reduce_max(nullptr, nullptr, 0, 0, output_.get(), nullptr)),
              HasSubstr("the source is a null pointer"));
  EXPECT_THAT(Outcome(supremum_reduce_max(x0_.get(), nullptr, 0, 0, nullptr, nullptr)),
              HasSubstr("the output is a null pointer"));
}

// Rules: MAX-1
TEST_F(DlOperands, AWrongNumberOfInputs) {
  EXPECT_THAT(Outcome(supremum_max(nullptr, 0, output_.get(), nullptr)),
              AllOf(StartsWith("input_count: "), HasSubstr("was given 0")));
  const DLTensor* const inputs[1] = {x0_.get()};
  EXPECT_THAT(Outcome(supremum_max(inputs, 2147483648u, output_.get(), nullptr)),
              AllOf(StartsWith("input_count: "), HasSubstr("was given 2147483648")));
}

TEST_F(DlOperands, NullDataWhereThereAreElements) {
  x1_->data = nullptr;
  x1_->byte_offset = 64;
  EXPECT_THAT(MaxOutcome(),
              AllOf(StartsWith("invalid_argument: "), HasSubstr("input 1 has shape [2,3] and no data")));
}

TEST_F(DlOperands, NullDataWhereThereAreNone) {
  for (DlTensor* tensor : {&x0_, &x1_, &output_}) {
    (*tensor)->shape[0] = 0;
    (*tensor)->data = nullptr;
  }
  EXPECT_EQ(MaxOutcome(), "ok");
  EXPECT_EQ(ReduceOutcome(), "ok");
  EXPECT_THAT(y_, Each(kUntouched));
}

TEST_F(DlOperands, AByteOffsetMovesTheFirstElement) {
  x0_->shape[0] = x1_->shape[0] = output_->shape[0] = 1;
  x0_->byte_offset = 3 * sizeof(float);
  output_->byte_offset = 2 * sizeof(float);
  EXPECT_EQ(MaxOutcome(), "ok");
  EXPECT_THAT(y_, ElementsAre(kUntouched, kUntouched, 6, 5, 6, kUntouched));
}

TEST_F(DlOperands, AByteOffsetThatLeavesTheAddressSpace) {
  x1_->byte_offset = UINT64_MAX - 8;
  EXPECT_THAT(MaxOutcome(), AllOf(StartsWith("invalid_argument: "),
                                  HasSubstr("input 1 has byte_offset 18446744073709551607")));
}

// The first element is at the last address: the offset itself fits.
TEST_F(DlOperands, AByteOffsetBehindWhichTheElementsLeaveTheAddressSpace) {
  for (DlTensor* const operand : {&x0_, &x1_, &output_}) {
    DLTensor* const tensor = operand->get();
    const std::uint64_t whole = tensor->byte_offset;
    for (const std::uint64_t short_by : {0U, 3U, 4U, 8U, 22U}) {
      tensor->byte_offset = UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(tensor->data) - short_by;
      EXPECT_THAT(MaxOutcome(), AllOf(StartsWith("invalid_shape: "), HasSubstr("leave the address space")));
      if (operand != &x1_) {
        EXPECT_THAT(ReduceOutcome(),
                    AllOf(StartsWith("invalid_shape: "), HasSubstr("leave the address space")));
      }
    }
    tensor->byte_offset = whole;
  }
  EXPECT_THAT(y_, Each(kUntouched));
}

// Rules: MEM-1
TEST_F(DlOperands, StridesCountElementsAndMayBeNegativeOrZero) {
  std::int64_t backwards[] = {3, -1}, repeated[] = {0, 1};
  x0_->strides = backwards;
  x0_->byte_offset = 2 * sizeof(float);
  x1_->strides = repeated;
  EXPECT_EQ(MaxOutcome(), "ok");
  EXPECT_THAT(y_, ElementsAre(6, 5, 4, 6, 5, 4));
}

TEST_F(DlOperands, AScalarNeedsNeitherShapeNorStrides) {
  x0_->ndim = x1_->ndim = output_->ndim = 0;
  x0_->shape = x1_->shape = output_->shape = nullptr;
  EXPECT_EQ(MaxOutcome(), "ok");
  EXPECT_THAT(y_, ElementsAre(6, kUntouched, kUntouched, kUntouched, kUntouched, kUntouched));
  std::int64_t none[1] = {};
  x0_->strides = none;
  EXPECT_EQ(ReduceOutcome(), "ok");
}

TEST_F(DlOperands, ANullShape) {
  x1_->shape = nullptr;
  EXPECT_THAT(
      MaxOutcome(),
      StartsWith("invalid_argument: invalid argument: input 1 has rank 2 and its shape is a null pointer"));
}

// Rules: BRO-4
TEST_F(DlOperands, ARankOutsideOf0To64) {
  for (const int rank : {-1, -2147483647 - 1, 65, 2147483647}) {
    x1_->ndim = rank;
    EXPECT_THAT(MaxOutcome(),
                AllOf(StartsWith("rank: "), HasSubstr("input 1 has rank " + std::to_string(rank))));
    output_->ndim = rank;
    EXPECT_THAT(ReduceOutcome(), AllOf(StartsWith("rank: "), HasSubstr("the output has rank")));
    output_->ndim = 2;
  }
}

TEST_F(DlOperands, AnyDeviceButTheCpuAndPinnedHostMemory) {
  for (const int device : {0, 2, 4, 7, 8, 9, 10, 12, 13, 14, 17, -1, 2147483647}) {
    std::memcpy(&x1_->device.device_type, &device, sizeof(device));
    EXPECT_THAT(MaxOutcome(), AllOf(StartsWith("unsupported_device: unsupported device: input 1 is on"),
                                    HasSubstr("device type " + std::to_string(device) + ";")));
  }
  output_->device.device_type = kDLCUDA;
  EXPECT_THAT(ReduceOutcome(), AllOf(StartsWith("unsupported_device: "), HasSubstr("the output")));
  x0_->device.device_id = 7;  // which of several CPUs is nobody's business
  for (const DLDeviceType host : {kDLCPU, kDLCUDAHost, kDLROCMHost}) {
    x0_->device.device_type = x1_->device.device_type = output_->device.device_type = host;
    EXPECT_EQ(ReduceOutcome(), "ok");
    EXPECT_EQ(MaxOutcome(), "ok");
  }
}

// Rules: TYP-1, TYP-4
TEST_F(DlOperands, EveryTypeOfDLPackIsOneOfTheLibrarysOrRefused) {
  std::vector<std::byte> x(64), y(64);
  const Shape shape{2};
  int taken = 0;
  for (unsigned code = 0; code < 256; ++code) {
    for (unsigned bits = 0; bits < 256; ++bits) {
      DlTensor source(TensorView{DType::kUInt8, shape, {}, x.data()}),
          to(TensorView{DType::kUInt8, shape, {}, y.data()});
      source->dtype = to->dtype = {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bits), 1};
      bool known = false;
      for (const DType dtype : kAllDTypes) {
        const DLDataType type = test::DlTypeOf(dtype);
        known = known || (type.code == code && type.bits == bits);
      }
      const supremum_status status = supremum_reduce_max(source.get(), nullptr, 0, 0, to.get(), nullptr);
      ASSERT_EQ(status, known ? SUPREMUM_OK : SUPREMUM_ERROR_TYPE_NOT_ADMITTED) << code << " " << bits;
      taken += known ? 1 : 0;
    }
  }
  EXPECT_EQ(taken, 13);
}

// Rules: TYP-1
TEST_F(DlOperands, MoreThanOneLane) {
  for (const unsigned lanes : {0u, 2u, 4u, 65535u}) {
    x0_->dtype.lanes = x1_->dtype.lanes = output_->dtype.lanes = static_cast<std::uint16_t>(lanes);
    const std::string text =
        "input 0 has type DLPack's code 2 with 32 bits and " + std::to_string(lanes) + " lanes";
    EXPECT_THAT(MaxOutcome(),
                AllOf(StartsWith("type_not_admitted: "), HasSubstr(text), HasSubstr("last dimension")));
    EXPECT_THAT(ReduceOutcome(), AllOf(StartsWith("type_not_admitted: "), HasSubstr("the source has type")));
  }
}

// Rules: TYP-2
TEST_F(DlOperands, TwoTypesOfWhichOneIsNoneOfTheLibrarys) {
  x1_->dtype.lanes = 2;
  EXPECT_THAT(MaxOutcome(),
              AllOf(StartsWith("type_mismatch: "), HasSubstr("input 1 has type DLPack's code 2"),
                    HasSubstr("input 0 has type float32")));
}

TEST_F(DlOperands, ASourceOfAllAddressesIsRefusedWherePointersHave32Bits) {
  if (sizeof(void*) > 4) GTEST_SKIP() << "2^32 bytes are a part of the addresses";
  std::vector<std::int64_t> shape = {65536, 65536}, kept = {65536};
  std::vector<std::uint8_t> maxima(65536);
  DLTensor source = *x0_.get(), output = *output_.get();
  source.dtype = output.dtype = test::DlTypeOf(DType::kUInt8);
  source.shape = shape.data();
  output.data = maxima.data();
  output.ndim = 1;
  output.shape = kept.data();
  const std::int64_t axis = 1;
  EXPECT_EQ(supremum_reduce_max(&source, &axis, 1, 0, &output, nullptr), SUPREMUM_ERROR_INVALID_SHAPE);
}

}  // namespace
}  // namespace supremum
