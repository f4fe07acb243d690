#include "io/formats/tensor_proto.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "io/formats/format_testing.h"
#include "io/formats/message_types.h"
#include "io/formats/parse_message.h"
#include "io/formats/tensor_file.h"
#include "support/temp_dir.h"

namespace supremum::io {
namespace {

using onnx::TensorProto;
using test::ExpectError;
using test::ExpectSame;
using test::MakeTensor;
using test::ReadBytes;
using test::TempDir;
using test::TensorOf;
using test::WriteBytes;

constexpr std::string_view kWhere = "initializer 'w' of m.onnx";

Result<Tensor> Read(const TensorProto& proto, std::int64_t max_bytes = kDefaultMaxBytes) {
  return TensorFromProto(proto, kWhere, max_bytes);
}

void ExpectRefused(const TensorProto& proto, ErrorCode code, std::vector<std::string> parts) {
  parts.push_back("initializer 'w' of m.onnx: ");
  ExpectError(Read(proto), code, parts);
}

TensorProto Proto(std::int32_t type, DimsView dims) {
  TensorProto proto;
  proto.set_data_type(type);
  for (const std::int64_t extent : dims) proto.add_dims(extent);
  return proto;
}

// Fills the typed field that ONNX has for the tensor's type.
TensorProto TypedProto(const Tensor& tensor) {
  TensorProto proto = Proto(OnnxFromDType(tensor.dtype()), tensor.shape());
  VisitDType(tensor.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (const T element : tensor.Elements<T>()) {
      if constexpr (std::is_same_v<T, float>) {
        proto.add_float_data(element);
      } else if constexpr (std::is_same_v<T, double>) {
        proto.add_double_data(element);
      } else if constexpr (std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>) {
        proto.add_int32_data(element.bits);
      } else if constexpr (std::is_same_v<T, std::int64_t>) {
        proto.add_int64_data(element);
      } else if constexpr (std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t>) {
        proto.add_uint64_data(element);
      } else {
        proto.add_int32_data(element);
      }
    }
  });
  return proto;
}

// Rules: TYP-1
TEST(TensorProto, EveryTypeIsReadFromItsTypedField) {
  for (const DType dtype : kAllDTypes) {
    for (const Shape& shape : test::SomeShapes()) {
      SCOPED_TRACE(std::string(Name(dtype)) + ToString(shape));
      const Tensor tensor = MakeTensor(dtype, shape);
      const auto back = Read(TypedProto(tensor));
      ASSERT_TRUE(back) << back.error().message;
      ExpectSame(*back, tensor);
    }
  }
}

TEST(TensorProto, AFileIsWhatProtobufItselfWouldWrite) {
  const TempDir dir;
  for (const Shape& shape : test::SomeShapes()) {
    const Tensor tensor = MakeTensor(DType::kFloat32, shape);
    ASSERT_TRUE(WriteTensor(dir.File("x.pb"), TensorFormat::kTensorProto, "y", tensor));
    TensorProto proto = Proto(TensorProto::FLOAT, shape);
    proto.set_name("y");
    proto.set_raw_data(LittleEndianBytes(tensor));
    EXPECT_TRUE(ReadBytes(dir.File("x.pb")) == proto.SerializeAsString()) << ToString(shape);
  }
}

TEST(TensorProto, TypesHaveNumbersAndNames) {
  for (const DType dtype : kAllDTypes) {
    EXPECT_EQ(DTypeFromOnnx(OnnxFromDType(dtype)), dtype);
    EXPECT_EQ(OnnxTypeName(OnnxFromDType(dtype)), Name(dtype));
  }
  EXPECT_EQ(OnnxFromDType(static_cast<DType>(99)), 0);
  for (const std::int32_t type : {-1, 0, 8, 14, 15, 17, 23, 42})
    EXPECT_EQ(DTypeFromOnnx(type), std::nullopt) << type;
  const std::map<int, std::string> names = {{-1, "type -1"},      {0, ""},
                                            {8, "string"},        {9, "bool"},
                                            {14, "complex64"},    {15, "complex128"},
                                            {17, "float8e4m3fn"}, {18, "float8e4m3fnuz"},
                                            {19, "float8e5m2"},   {20, "float8e5m2fnuz"},
                                            {21, "uint4"},        {22, "int4"},
                                            {23, "float4e2m1"},   {42, "type 42"}};
  for (const auto& [type, name] : names) EXPECT_EQ(OnnxTypeName(type), name);
}

TEST(TensorProto, TypesThatAreNoElementTypesAreRefused) {
  ExpectRefused(Proto(TensorProto::STRING, Shape{1}), ErrorCode::kTypeNotAdmitted,
                {"'data_type' is 8 (string)", "TYP-1"});
  ExpectRefused(Proto(22, Shape{1}), ErrorCode::kTypeNotAdmitted, {"22 (int4)"});
  ExpectRefused(Proto(77, Shape{1}), ErrorCode::kTypeNotAdmitted, {"77 (type 77)"});
  ExpectRefused(Proto(0, Shape{1}), ErrorCode::kMalformedFile, {"'data_type' is undefined (0)"});
}

TEST(TensorProto, RawDataHasExactlyTheBytesOfTheElements) {
  for (const std::size_t size : {0U, 23U, 25U}) {
    TensorProto proto = Proto(TensorProto::FLOAT, Shape{2, 3});
    proto.set_raw_data(std::string(size, 'x'));
    ExpectRefused(proto, ErrorCode::kMalformedFile,
                  {"'raw_data' has " + std::to_string(size) + " bytes", "[2,3]", "6 elements of 4 bytes"});
  }
}

TEST(TensorProto, ATypedFieldHasExactlyTheElements) {
  TensorProto proto = Proto(TensorProto::FLOAT, Shape{2});
  proto.add_float_data(1);
  ExpectRefused(proto, ErrorCode::kMalformedFile, {"'float_data' has 1 elements", "[2] has 2 elements"});
  proto.add_float_data(1);
  EXPECT_TRUE(Read(proto));
  proto.add_float_data(1);
  ExpectRefused(proto, ErrorCode::kMalformedFile, {"'float_data' has 3 elements", "[2] has 2 elements"});
}

TEST(TensorProto, ATensorWithoutElementsNeedsNoDataAndMayHaveNone) {
  TensorProto proto = Proto(TensorProto::INT32, Shape{2, 0});
  EXPECT_TRUE(Read(proto));
  proto.add_int32_data(1);
  ExpectRefused(proto, ErrorCode::kMalformedFile, {"'int32_data' has 1 elements", "has 0 elements"});
}

// Rules: TYP-2
TEST(TensorProto, TheFieldOfAnotherTypeIsRefused) {
  for (const DType dtype : kAllDTypes) {
    for (const DType other : kAllDTypes) {
      TensorProto proto = TypedProto(MakeTensor(other, Shape{1}));
      const bool same_field =
          (proto.float_data_size() > 0) == (dtype == DType::kFloat32) &&
          (proto.double_data_size() > 0) == (dtype == DType::kFloat64) &&
          (proto.int64_data_size() > 0) == (dtype == DType::kInt64) &&
          (proto.uint64_data_size() > 0) == (dtype == DType::kUInt32 || dtype == DType::kUInt64);
      if (same_field) continue;
      SCOPED_TRACE(std::string(Name(other)) + " as " + std::string(Name(dtype)));
      proto.set_data_type(OnnxFromDType(dtype));
      ExpectRefused(proto, ErrorCode::kMalformedFile, {"is not the field for " + std::string(Name(dtype))});
    }
  }
  TensorProto text = Proto(TensorProto::INT8, Shape{1});
  text.add_string_data("x");
  ExpectRefused(text, ErrorCode::kMalformedFile, {"'string_data' has 1 elements", "int32_data"});
}

TEST(TensorProto, DataInTwoFieldsIsRefused) {
  TensorProto proto = Proto(TensorProto::INT8, Shape{1});
  proto.set_raw_data("a");
  proto.add_int32_data(1);
  ExpectRefused(proto, ErrorCode::kMalformedFile,
                {"'int32_data' has 1 elements", "'raw_data' has 1 bytes", "only one"});
  proto.clear_raw_data();
  proto.add_int64_data(1);
  ExpectRefused(proto, ErrorCode::kMalformedFile, {"'int64_data'"});
}

TEST(TensorProto, ValuesOutsideTheirTypeAreRefusedWithTheirIndex) {
  const struct {
    std::int32_t type;
    std::int32_t least, most;
  } cases[] = {
      {TensorProto::INT8, -128, 127},  {TensorProto::UINT8, 0, 255},     {TensorProto::INT16, -32768, 32767},
      {TensorProto::UINT16, 0, 65535}, {TensorProto::FLOAT16, 0, 65535}, {TensorProto::BFLOAT16, 0, 65535},
      {TensorProto::BOOL, 0, 1}};
  for (const auto& item : cases) {
    SCOPED_TRACE(OnnxTypeName(item.type));
    TensorProto proto = Proto(item.type, Shape{3});
    proto.add_int32_data(item.least);
    proto.add_int32_data(item.most);
    proto.add_int32_data(0);
    EXPECT_TRUE(Read(proto));
    for (const std::int32_t value : {item.least - 1, item.most + 1, INT32_MIN, INT32_MAX}) {
      proto.set_int32_data(2, value);
      ExpectRefused(proto, ErrorCode::kMalformedFile,
                    {"int32_data[2] is " + std::to_string(value), "outside " + OnnxTypeName(item.type),
                     std::to_string(item.least) + " to " + std::to_string(item.most)});
    }
  }
  TensorProto wide = Proto(TensorProto::UINT32, Shape{1});
  wide.add_uint64_data(4294967296);
  ExpectRefused(wide, ErrorCode::kMalformedFile, {"uint64_data[0] is 4294967296", "0 to 4294967295"});
}

// Rules: TYP-4
TEST(TensorProto, AByteOfRawDataThatIsNoBoolIsRefusedWithItsIndex) {
  TensorProto proto = Proto(TensorProto::BOOL, Shape{2, 2});
  proto.set_raw_data(std::string("\0\1\1\0", 4));
  const auto tensor = Read(proto);
  ASSERT_TRUE(tensor) << tensor.error().message;
  ExpectSame(*tensor, TensorOf<bool>(Shape{2, 2}, {false, true, true, false}));
  for (const int value : {2, 127, 128, 255}) {
    (*proto.mutable_raw_data())[3] = static_cast<char>(value);
    ExpectRefused(proto, ErrorCode::kMalformedFile,
                  {"raw_data[3] is " + std::to_string(value) + ", outside bool (0 to 1)", "uint8"});
  }
}

TEST(TensorProto, ExtremeValuesAreKept) {
  TensorProto proto = Proto(TensorProto::UINT64, Shape{1});
  proto.add_uint64_data(UINT64_MAX);
  const Tensor greatest = Read(proto).value();
  EXPECT_EQ(greatest.Elements<std::uint64_t>()[0], UINT64_MAX);
  proto = Proto(TensorProto::INT64, Shape{1});
  proto.add_int64_data(INT64_MIN);
  const Tensor least = Read(proto).value();
  EXPECT_EQ(least.Elements<std::int64_t>()[0], INT64_MIN);
}

TEST(TensorProto, NegativeDimensionsAreRefused) {
  ExpectRefused(Proto(TensorProto::FLOAT, Shape{2, -3}), ErrorCode::kInvalidShape,
                {"dims[1] is -3", "not negative"});
}

// Rules: BRO-4
TEST(TensorProto, MoreThan64DimensionsAreRefused) {
  TensorProto proto = Proto(TensorProto::INT8, Shape::Filled(64, 1));
  proto.set_raw_data("a");
  EXPECT_TRUE(Read(proto));
  proto.add_dims(1);
  ExpectRefused(proto, ErrorCode::kRank, {"'dims' has rank 65", "at most 64", "BRO-4"});
}

TEST(TensorProto, AnAbsurdShapeTakesNoMemory) {
  TensorProto proto = Proto(TensorProto::DOUBLE, Shape{65536, 65536});
  ExpectError(Read(proto, INT64_MAX), ErrorCode::kMalformedFile, {"4294967296 elements"});
  proto = Proto(TensorProto::DOUBLE, Shape{INT64_MAX, 2});
  ExpectError(Read(proto, INT64_MAX), ErrorCode::kMalformedFile, {"more than 2^63 - 1 elements"});
  proto = Proto(TensorProto::DOUBLE, Shape{INT64_MAX});
  ExpectError(Read(proto, INT64_MAX), ErrorCode::kMalformedFile, {"9223372036854775807 elements"});
}

TEST(TensorProto, MoreBytesThanTheLimitAreRefused) {
  const TensorProto proto = TypedProto(MakeTensor(DType::kInt8, Shape{4}));
  ExpectError(Read(proto, 3), ErrorCode::kLimitExceeded, {"initializer 'w' of m.onnx", "3 bytes"});
  EXPECT_TRUE(Read(proto, 4));
}

TEST(TensorProto, DataInAnotherFileIsRefused) {
  TensorProto proto = Proto(TensorProto::FLOAT, Shape{1});
  proto.set_data_location(TensorProto::EXTERNAL);
  ExpectRefused(proto, ErrorCode::kUnsupportedFormat, {"'data_location'", "another file"});
  proto.clear_data_location();
  proto.add_external_data()->set_key("location");
  ExpectRefused(proto, ErrorCode::kUnsupportedFormat, {"'external_data'", "another file"});
}

TEST(TensorProto, ASegmentIsRefused) {
  TensorProto proto = Proto(TensorProto::FLOAT, Shape{1});
  proto.mutable_segment()->set_begin(0);
  ExpectRefused(proto, ErrorCode::kUnsupportedFormat, {"'segment'"});
}

// Rules: PRO-1
TEST(TensorProtoFile, ASparseTensorIsRefusedAsSuch) {
  const TempDir dir;
  onnx::SparseTensorProto sparse;
  *sparse.mutable_values() = TypedProto(TensorOf<float>(Shape{1}, {1}));
  *sparse.mutable_indices() = TypedProto(TensorOf<std::int64_t>(Shape{1}, {2}));
  sparse.add_dims(5);
  WriteBytes(dir.File("x.pb"), sparse.SerializeAsString());
  ExpectError(ReadTensorProto(dir.File("x.pb"), kDefaultMaxBytes), ErrorCode::kSparseTensor,
              {"/x.pb'", "PRO-1"});
}

TEST(TensorProtoFile, WhatIsNoTensorProtoIsRefusedWithoutAWord) {
  const TempDir dir;
  const std::string path = dir.File("x.pb");
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.set_producer_name("test");
  model.mutable_graph()->set_name("graph");
  model.mutable_graph()->add_node()->set_op_type("Max");
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  WriteBytes(path, "");
  ExpectError(ReadTensorProto(path, kDefaultMaxBytes), ErrorCode::kMalformedFile,
              {"/x.pb'", "'data_type' is undefined"});
  WriteBytes(path, model.SerializeAsString());
  ExpectError(ReadTensorProto(path, kDefaultMaxBytes), ErrorCode::kMalformedFile, {"/x.pb'"});
  WriteBytes(path, "certainly not protobuf \xff\xff");
  ExpectError(ReadTensorProto(path, kDefaultMaxBytes), ErrorCode::kMalformedFile,
              {"/x.pb'", "byte 0", "'certainl'"});
  WriteBytes(path, std::string("\x42\x02\xff\xfe", 4));  // a name that is not UTF-8
  ExpectError(ReadTensorProto(path, kDefaultMaxBytes), ErrorCode::kMalformedFile,
              {"'data_type' is undefined"});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(TensorProtoFile, TheFieldWhereParsingStopsIsNamed) {
  const TempDir dir;
  TensorProto proto = Proto(TensorProto::INT8, Shape{1});
  const std::string good = proto.SerializeAsString();
  for (const std::string& bad :
       {std::string("\x4a\x7f"), std::string("\0", 1), std::string("\x2a\x01\xff"), std::string("\x0c")}) {
    WriteBytes(dir.File("x.pb"), good + bad);
    ExpectError(ReadTensorProto(dir.File("x.pb"), kDefaultMaxBytes), ErrorCode::kMalformedFile,
                {"/x.pb'", "byte " + std::to_string(good.size()) + ":", "write the tensor again"});
  }
}

TEST(TensorProtoFile, DeepNestingIsRefused) {
  const TempDir dir;
  std::string nested;
  for (int i = 0; i < 50'000; ++i) nested += '\x7b';  // field 15, a group begins
  WriteBytes(dir.File("x.pb"), nested);
  ExpectError(ReadTensorProto(dir.File("x.pb"), kDefaultMaxBytes), ErrorCode::kMalformedFile, {"byte 0"});
}

template <class Descriptor>
void ExpectKnownFields(const Descriptor& message) {
  const MessageType* const type = MessageNamed(std::string(message.full_name()));
  ASSERT_NE(type, nullptr) << message.full_name();
  for (int i = 0; i < message.field_count(); ++i) {
    const auto& field = *message.field(i);
    SCOPED_TRACE(std::string(field.full_name()));
    const MessageType* const nested = type->TypeOfField(field.number());
    if (field.message_type() != nullptr) {
      EXPECT_EQ(nested, MessageNamed(std::string(field.message_type()->full_name())));
      continue;
    }
    EXPECT_EQ(nested, nullptr);
    const bool is_text = field.type() == field.TYPE_STRING || field.type() == field.TYPE_BYTES;
    EXPECT_EQ(Has(type->texts, field.number()), is_text);
    EXPECT_EQ(Has(type->numbers, field.number()), !is_text);
  }
  EXPECT_GE(type->CountFields(), message.field_count());
  for (int i = 0; i < message.nested_type_count(); ++i) ExpectKnownFields(*message.nested_type(i));
}

template <class Message>
void ExpectKnownFieldsOfFile() {
  if constexpr (requires { Message::descriptor(); }) {
    const auto& file = *Message::descriptor()->file();
    for (int i = 0; i < file.message_type_count(); ++i) ExpectKnownFields(*file.message_type(i));
  } else {
    GTEST_SKIP() << "the messages of this onnx library have no descriptors";
  }
}

TEST(MessageTypes, AreThoseOfTheOnnxLibrary) { ExpectKnownFieldsOfFile<onnx::ModelProto>(); }

// Counting stops as soon as the limit is exceeded; every limit below the total of the message is refused.
TEST(ParseMessage, AnyLimitBelowWhatAMessageTakesIsTooLow) {
  const auto needed = [](int nodes) {
    onnx::GraphProto graph;
    for (int k = 0; k < nodes; ++k) {
      onnx::NodeProto& node = *graph.add_node();
      node.set_op_type("Max");
      node.add_input("a");
      node.add_attribute()->set_i(1);
    }
    graph.add_initializer()->add_float_data(1);
    graph.set_doc_string("text");
    const std::string bytes = graph.SerializeAsString();
    std::optional<std::int64_t> least;
    for (std::int64_t limit = 0; limit < 10'000; ++limit) {
      const bool enough =
          CheckExpansion("'g'", std::as_bytes(std::span(bytes)), 10, graph, limit).has_value();
      if (enough && !least) least = limit;
      EXPECT_EQ(enough, least.has_value()) << limit << " is enough, and more is not";
    }
    return least.value_or(0);
  };
  const std::int64_t first = needed(1), second = needed(2);
  EXPECT_GT(first, 0);
  EXPECT_GT(second, first);
  EXPECT_EQ(needed(3) - second, second - first);
}

TEST(TensorProtoFile, AFileBeyondTheLimitIsNotRead) {
  const TempDir dir;
  WriteBytes(dir.File("x.pb"), std::string(2'000'000, 'x'));
  ExpectError(ReadTensorProto(dir.File("x.pb"), 1000), ErrorCode::kLimitExceeded,
              {"/x.pb'", "2000000 bytes"});
  std::filesystem::resize_file(dir.File("x.pb"), 2147483648U);
  ExpectError(ReadTensorProto(dir.File("x.pb"), INT64_MAX), ErrorCode::kLimitExceeded,
              {"2147483648", "2147483647"});
}

TEST(TensorProtoFile, TheLimitIsThatOfTheElementsAndNotOfTheirNamesAndDocumentation) {
  const TempDir dir;
  const Tensor tensor = MakeTensor(DType::kInt8, Shape{1000});
  const auto read = [&](std::size_t documentation, std::int64_t max_bytes) {
    EXPECT_TRUE(WriteTensor(dir.File("x.pb"), TensorFormat::kTensorProto, "y", tensor));
    onnx::TensorProto proto;
    EXPECT_TRUE(proto.ParseFromString(test::ReadBytes(dir.File("x.pb"))));
    proto.set_doc_string(std::string(documentation, 'd'));
    WriteBytes(dir.File("x.pb"), proto.SerializeAsString());
    return ReadTensorProto(dir.File("x.pb"), max_bytes);
  };
  EXPECT_TRUE(read(0, 1000));
  EXPECT_TRUE(read(200'000, 1000));
  ExpectError(read(0, 999), ErrorCode::kLimitExceeded, {"limit of 999 bytes"});
  ExpectError(read(1 << 20, 1000), ErrorCode::kLimitExceeded, {"/x.pb'"});
}

// The elements are never touched: their pages take no memory.
TEST(TensorProtoFile, MoreThanTwoGiBAreRefusedBeforeAnythingIsWritten) {
  if (sizeof(void*) < 8) GTEST_SKIP() << "no address space for a tensor of this size";
  const TempDir dir;
  const auto tensor = Tensor::Create(DType::kUInt8, Shape{2147483640});
  ASSERT_TRUE(tensor) << tensor.error().message;
  ExpectError(WriteTensor(dir.File("x.pb"), TensorFormat::kTensorProto, "y", *tensor),
              ErrorCode::kLimitExceeded, {"/x.pb'", "2147483647", ".npy"});
  EXPECT_THAT(test::FilesIn(dir.path()), testing::IsEmpty());
}

}  // namespace
}  // namespace supremum::io
