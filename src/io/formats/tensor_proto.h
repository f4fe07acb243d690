// ONNX's TensorProto: its types, and its elements with every size checked.
#ifndef SUPREMUM_SRC_IO_FORMATS_TENSOR_PROTO_H_
#define SUPREMUM_SRC_IO_FORMATS_TENSOR_PROTO_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/formats/external_data.h"
#include "io/formats/tensor_file.h"
#include "supremum/dtype.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace onnx {
class TensorProto;
}

namespace supremum::io {

/// The DType for an ONNX type number (TensorProto.DataType), if it is supported.
std::optional<DType> DTypeFromOnnx(std::int32_t onnx_type);
std::int32_t OnnxFromDType(DType dtype);

/// "float32" for 1, "bool" for 9, "string" for 8, "type 42" for a number that ONNX does not have, "" for 0
/// (undefined).
std::string OnnxTypeName(std::int32_t onnx_type);

/// The elements of `proto`, from raw_data (little-endian), from the typed field of its type, or from another
/// file inside `external`. Their number must be that of the dims. `where` begins the error texts:
/// "initializer 'w' of m.onnx".
///
/// Errors: kUnsupportedFormat (segments), kTypeNotAdmitted (unsupported type), kMalformedFile (undefined
///   type, sizes, values outside the type, wrong field), kRank, kInvalidShape, kLimitExceeded, kOutOfMemory;
///   those of ReadExternal.
Result<Tensor> TensorFromProto(const onnx::TensorProto& proto, std::string_view where, std::int64_t max_bytes,
                               const ExternalFolder& external = std::nullopt);

/// The bytes of the .pb file `path` before the elements, which follow in little-endian order and end the
/// file. Errors: kLimitExceeded beyond 2 GiB.
Result<std::string> TensorProtoHead(const std::string& path, std::string_view name, const Tensor& tensor);

/// Reads a .pb file. Errors: those of TensorFromProto, kIo, kSparseTensor (a SparseTensorProto), and
/// kMalformedFile with the position where parsing stopped. A tensor of an unsupported type is added to
/// `unsupported`, if that is set.
Result<NamedTensor> ReadTensorProto(const std::string& path, std::int64_t max_bytes,
                                    std::vector<UnsupportedTensor>* unsupported = nullptr);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FORMATS_TENSOR_PROTO_H_
