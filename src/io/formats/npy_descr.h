// NumPy's texts for an element type: "<f4", "|i1", "V2".
#ifndef SUPREMUM_SRC_IO_FORMATS_NPY_DESCR_H_
#define SUPREMUM_SRC_IO_FORMATS_NPY_DESCR_H_

#include <optional>
#include <string>
#include <string_view>

#include "supremum/dtype.h"
#include "supremum/result.h"

namespace supremum::io {

/// The descr of bfloat16, which NumPy knows as two bytes without a type.
inline constexpr std::string_view kBrainFloat = "V2";

struct NpyDescr {
  DType dtype = DType::kFloat32;
  bool big_endian = false;
};

/// The type that `descr`, a text of numpy.save, states. Without a byte order, or with '=' or '|', the
/// elements are little-endian. `stated` is the type that the user gave: "V2" requires it to be bfloat16, any
/// other descr must agree with it.
///
/// Errors: kMalformedFile, kUnsupportedFormat (objects), kTypeMismatch, kTypeNotAdmitted.
Result<NpyDescr> ParseNpyDescr(std::string_view descr, std::string_view where, std::optional<DType> stated);

/// The inverse, little-endian; bool is "|b1".
std::string NpyDescrText(DType dtype);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FORMATS_NPY_DESCR_H_
