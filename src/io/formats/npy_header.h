// The header of a .npy file: a magic string, a version, and a Python dictionary of three entries.
#ifndef SUPREMUM_SRC_IO_FORMATS_NPY_HEADER_H_
#define SUPREMUM_SRC_IO_FORMATS_NPY_HEADER_H_

#include <cstdint>
#include <optional>
#include <string>

#include "io/files/byte_source.h"
#include "io/formats/element_file.h"
#include "io/formats/tensor_file.h"
#include "supremum/dtype.h"
#include "supremum/result.h"
#include "supremum/shape.h"

namespace supremum::io {

/// The longest header that is read, in bytes, as in NumPy: rank 64 needs less than 2,000.
inline constexpr std::int64_t kMaxNpyHeader = 10'000;

/// Reads the header and leaves `source` at the first element. For kTypeNotAdmitted, `unsupported`, if set, is
/// the type and the shape; "V2", which a stated type makes readable, is not among these types.
///
/// Errors: kIo, kMalformedFile, kUnsupportedFormat (version, object and structured arrays), kLimitExceeded
///   (length of the header), kTypeMismatch (another type than `stated`), kTypeNotAdmitted, kRank.
Result<Elements> ReadNpyHeader(ByteSource& source, std::optional<DType> stated,
                               std::optional<UnsupportedTensor>* unsupported = nullptr);

/// The bytes before the elements: version 1.0, padded to a multiple of 64 as NumPy does.
std::string NpyHeaderBytes(DType dtype, DimsView shape);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FORMATS_NPY_HEADER_H_
