#include "io/formats/tensor_proto.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include "core/operand_errors.h"
#include "io/files/messages.h"
#include "io/formats/byte_order.h"

namespace supremum::io {
namespace {

using onnx::TensorProto;

constexpr std::string_view kRewriteTensor = "; write the tensor again, with raw_data";

// Names by ONNX number; the ONNX version of this build does not define those from 17 on.
constexpr std::array<std::string_view, 27> kTypeNames = {
    "",          "float32",    "uint8",      "int8",         "uint16",         "int16",      "int32",
    "int64",     "string",     "bool",       "float16",      "float64",        "uint32",     "uint64",
    "complex64", "complex128", "bfloat16",   "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz",
    "uint4",     "int4",       "float4e2m1", "float8e8m0",   "uint2",          "int2",
};

struct FieldUse {
  std::string_view name;
  int count;
};

std::array<FieldUse, 6> TypedFields(const TensorProto& proto) {
  return {{{"float_data", proto.float_data_size()},
           {"int32_data", proto.int32_data_size()},
           {"string_data", proto.string_data_size()},
           {"int64_data", proto.int64_data_size()},
           {"double_data", proto.double_data_size()},
           {"uint64_data", proto.uint64_data_size()}}};
}

std::string_view FieldNameOf(DType dtype) {
  switch (dtype) {
    case DType::kFloat32:
      return "float_data";
    case DType::kFloat64:
      return "double_data";
    case DType::kInt64:
      return "int64_data";
    case DType::kUInt32:
    case DType::kUInt64:
      return "uint64_data";
    default:
      return "int32_data";
  }
}

template <Element T>
const auto& FieldOf(const TensorProto& proto) {
  if constexpr (std::is_same_v<T, float>) {
    return proto.float_data();
  } else if constexpr (std::is_same_v<T, double>) {
    return proto.double_data();
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    return proto.int64_data();
  } else if constexpr (std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t>) {
    return proto.uint64_data();
  } else {
    return proto.int32_data();
  }
}

template <class Bits, class Value>
bool InRange(Value value) {
  if constexpr (std::is_same_v<Bits, bool>) {
    return value == 0 || value == 1;
  } else {
    return std::in_range<Bits>(value);
  }
}

// Copies the elements of a typed field, and checks each against the range of its type. Elements of 16-bit
// floats are their bits.
template <Element T>
Result<void> CopyTyped(const TensorProto& proto, std::string_view where, std::span<T> elements) {
  const auto& field = FieldOf<T>(proto);
  if constexpr (std::is_floating_point_v<T>) {
    std::copy(field.begin(), field.end(), elements.begin());
  } else {
    using Bits = std::conditional_t<IsFloat(kDTypeOf<T>), std::uint16_t, T>;
    using Limits = std::numeric_limits<Bits>;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const auto value = field[static_cast<int>(i)];
      if (!InRange<Bits>(value)) {
        return ErrorAt(ErrorCode::kMalformedFile, where,
                       std::string(FieldNameOf(kDTypeOf<T>)) + "[" + std::to_string(i) + "] is " +
                           std::to_string(value) + ", outside " + std::string(Name(kDTypeOf<T>)) + " (" +
                           std::to_string(Limits::min()) + " to " + std::to_string(Limits::max()) + ")" +
                           std::string(kRewriteTensor));
      }
      elements[i] = T{static_cast<Bits>(value)};
    }
  }
  return {};
}

// The type, or the reason why it cannot be read.
Result<DType> CheckType(const TensorProto& proto, std::string_view where) {
  if (proto.has_segment()) {
    return ErrorAt(ErrorCode::kUnsupportedFormat, where,
                   "'segment' is set: a part of a tensor; write the whole tensor");
  }
  const std::int32_t type = proto.data_type();
  if (type == 0) {
    return ErrorAt(
        ErrorCode::kMalformedFile, where,
        "'data_type' is undefined (0); a TensorProto states its type, and a model (.onnx) is not one: "
        "write the tensor again");
  }
  const std::optional<DType> dtype = DTypeFromOnnx(type);
  if (!dtype) {
    return ErrorAt(ErrorCode::kTypeNotAdmitted, where, "TYP-1",
                   "'data_type' is " + std::to_string(type) + " (" + OnnxTypeName(type) +
                       "), neither bool nor one of the element types",
                   "; write the tensor as one of them");
  }
  return *dtype;
}

Result<Shape> CheckDims(const TensorProto& proto, std::string_view where) {
  if (const auto rank = static_cast<std::size_t>(proto.dims_size()); rank > kMaxRank) {
    return RankError(std::string(where) + ": 'dims'", rank, "saving");
  }
  Shape shape;
  for (const std::int64_t extent : proto.dims()) {
    if (extent < 0) {
      return ErrorAt(ErrorCode::kInvalidShape, where,
                     "dims[" + std::to_string(shape.rank()) + "] is " + std::to_string(extent) +
                         "; an extent is not negative: write the tensor again with its true shape");
    }
    shape.PushBack(extent);
  }
  return shape;
}

// Checks that exactly one of raw_data and the typed field of `dtype` is filled, with the number of elements
// of the shape. Returns true for raw_data.
Result<bool> CheckContent(const TensorProto& proto, DType dtype, const Shape& shape, std::string_view where) {
  const std::int64_t width = static_cast<std::int64_t>(ByteWidth(dtype));
  const std::optional<std::int64_t> count = ElementCount(shape);
  const std::string type(Name(dtype));
  const auto malformed = [&](const std::string& details) {
    return ErrorAt(ErrorCode::kMalformedFile, where, details + std::string(kRewriteTensor));
  };
  const std::string wanted = type + " of shape " + ToString(shape) + " has " +
                             (count ? std::to_string(*count) : std::string("more than 2^63 - 1")) +
                             " elements";
  const std::int64_t raw_size = static_cast<std::int64_t>(proto.raw_data().size());

  std::int64_t typed = 0;
  for (const FieldUse& use : TypedFields(proto)) {
    if (use.count == 0) continue;
    const std::string shown =
        "'" + std::string(use.name) + "' has " + std::to_string(use.count) + " elements";
    if (raw_size > 0) {
      return malformed(shown + " and 'raw_data' has " + std::to_string(raw_size) +
                       " bytes; only one may be filled");
    }
    if (use.name != FieldNameOf(dtype)) {
      return malformed(shown + ", which is not the field for " + type + " (" +
                       std::string(FieldNameOf(dtype)) + ")");
    }
    if (!count || use.count != *count) return malformed(shown + ", but " + wanted);
    typed = use.count;
  }
  if (typed > 0) return false;
  if (!count || *count > INT64_MAX / width || *count * width != raw_size) {
    return malformed("'raw_data' has " + std::to_string(raw_size) + " bytes, but " + wanted + " of " +
                     std::to_string(width) + " bytes each");
  }
  return true;
}

// Errors name an element of raw_data as CopyTyped names one of int32_data.
Result<void> CheckRawBools(const TensorProto& proto, std::string_view where) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(proto.raw_data()));
  const std::size_t at = FirstNonBool(bytes);
  if (at == bytes.size()) return {};
  const int value = std::to_integer<int>(bytes[at]);
  return ErrorAt(ErrorCode::kMalformedFile, where,
                 "raw_data[" + std::to_string(at) + "] is " + std::to_string(value) +
                     ", outside bool (0 to 1); write the tensor again, as uint8 if these are numbers");
}

}  // namespace

std::optional<DType> DTypeFromOnnx(std::int32_t onnx_type) {
  for (const DType dtype : kAllDTypes) {
    if (OnnxFromDType(dtype) == onnx_type) return dtype;
  }
  return std::nullopt;
}

std::int32_t OnnxFromDType(DType dtype) {
  switch (dtype) {
    case DType::kBFloat16:
      return TensorProto::BFLOAT16;
    case DType::kFloat16:
      return TensorProto::FLOAT16;
    case DType::kFloat32:
      return TensorProto::FLOAT;
    case DType::kFloat64:
      return TensorProto::DOUBLE;
    case DType::kInt8:
      return TensorProto::INT8;
    case DType::kInt16:
      return TensorProto::INT16;
    case DType::kInt32:
      return TensorProto::INT32;
    case DType::kInt64:
      return TensorProto::INT64;
    case DType::kUInt8:
      return TensorProto::UINT8;
    case DType::kUInt16:
      return TensorProto::UINT16;
    case DType::kUInt32:
      return TensorProto::UINT32;
    case DType::kUInt64:
      return TensorProto::UINT64;
    case DType::kBool:
      return TensorProto::BOOL;
  }
  return TensorProto::UNDEFINED;
}

std::string OnnxTypeName(std::int32_t onnx_type) {
  if (onnx_type >= 0 && static_cast<std::size_t>(onnx_type) < kTypeNames.size()) {
    return std::string(kTypeNames[static_cast<std::size_t>(onnx_type)]);
  }
  return "type " + std::to_string(onnx_type);
}

Result<Tensor> TensorFromProto(const TensorProto& proto, std::string_view where, std::int64_t max_bytes,
                               const ExternalFolder& external) {
  const Result<DType> dtype = CheckType(proto, where);
  if (!dtype) return dtype.error();
  const Result<Shape> shape = CheckDims(proto, where);
  if (!shape) return shape.error();
  if (IsExternal(proto)) return ReadExternal(proto, *dtype, *shape, where, external, max_bytes);
  const Result<bool> raw = CheckContent(proto, *dtype, *shape, where);
  if (!raw) return raw.error();
  Result<Tensor> tensor = Tensor::Create(*dtype, *shape, max_bytes);
  if (!tensor) return ErrorAt(where, tensor.error());
  if (*raw) {
    if (*dtype == DType::kBool) {
      if (auto bools = CheckRawBools(proto, where); !bools) return bools.error();
    }
    std::memcpy(tensor->data(), proto.raw_data().data(), tensor->byte_size());
    ToMachineOrder(tensor->bytes(), ByteWidth(*dtype), /*file_is_big_endian=*/false);
    return tensor;
  }
  const Result<void> done = VisitDType(*dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    return CopyTyped<T>(proto, where, tensor->Elements<T>());
  });
  if (!done) return done.error();
  return tensor;
}

}  // namespace supremum::io
