// SHA-1 of a file, for ONNX external data, the one format here that requires it.
#ifndef SUPREMUM_SRC_IO_FILES_SHA1_H_
#define SUPREMUM_SRC_IO_FILES_SHA1_H_

#include <string>

#include "io/files/file_bytes.h"
#include "supremum/result.h"

namespace supremum::io {

/// The SHA-1 of all bytes of `file`, in 40 lower-case hexadecimal digits. It detects damage; it is no
/// protection against a person who can write the file, since collisions of SHA-1 can be made.
///
/// Errors: kIo; kUnsupportedFormat if OpenSSL was configured to have no SHA-1; kOutOfMemory.
/// Cost: reads the whole file once, with a buffer of 256 KiB.
Result<std::string> Sha1Of(const InputFile& file);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FILES_SHA1_H_
