// Elements alone, little-endian: their type and shape come from the command line.
#ifndef SUPREMUM_SRC_IO_FORMATS_RAW_H_
#define SUPREMUM_SRC_IO_FORMATS_RAW_H_

#include <optional>
#include <string>
#include <string_view>

#include "io/formats/element_file.h"
#include "supremum/result.h"

namespace supremum::io {

/// The parts of "name:dtype:shape:file".
struct RawSpec {
  std::string name;
  DType dtype = DType::kFloat32;
  Shape shape;
  std::string file;  ///< may contain colons
};

/// Parses "2x3" or "2,3" as a shape; "" and "scalar" are the shape of a scalar. Errors: kInvalidArgument,
/// whose text ends in `hint`; kRank.
Result<Shape> ParseShape(std::string_view text, std::string_view where, std::string_view hint);

/// The names that ParseDType accepts, for error texts: "bfloat16, float16, ..., bool; bf16, f16, f32 and f64
/// for short".
std::string KnownTypes();

/// True if `spec` has three colons and a type between the first two.
bool LooksLikeRaw(std::string_view spec);

/// Errors: kInvalidArgument; those of ParseShape.
Result<RawSpec> ParseRawSpec(std::string_view spec);

/// Errors: those of ReadTensor that it reports before it allocates memory for the elements; kMalformedFile if
/// the file's size is not exactly that of the elements.
Result<ElementFile> OpenRaw(std::string_view spec, std::optional<DType> stated);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FORMATS_RAW_H_
