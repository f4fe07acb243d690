// SHA-256 of a stream of bytes.
#ifndef SUPREMUM_TOOLS_CLI_SHA256_H_
#define SUPREMUM_TOOLS_CLI_SHA256_H_

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "io/files/file_bytes.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

struct evp_md_ctx_st;

namespace supremum::cli {

/// The digest of all bytes passed to Update.
///
///   Result<Sha256> hash = Sha256::Create();
///   if (!hash) return hash.error();
///   hash->Update(bytes);
///   Result<std::string> text = hash->Finish();
class Sha256 {
 public:
  /// Errors: kUnsupportedFormat if OpenSSL was configured without SHA-256.
  static Result<Sha256> Create();

  void Update(std::span<const std::byte> bytes);

  /// Updates with the machine's elements as little-endian bytes. Requires: whole elements.
  void UpdateElements(std::span<const std::byte> elements, std::size_t width);

  /// The digest in hexadecimal. Called once, at the end. Errors: those of Create.
  Result<std::string> Finish();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };

  std::unique_ptr<evp_md_ctx_st, Free> context_;
  bool good_ = true;
};

/// The digest of `bytes`. Errors: those of Create.
Result<std::string> Sha256Of(std::span<const std::byte> bytes);

/// The digest of the elements in row-major order, little-endian. Errors: those of Create.
Result<std::string> Sha256Of(const Tensor& tensor);

/// The digest of a whole file. Errors: those of Create; kIo. Cost: reads it once, with a buffer of 256 KiB.
Result<std::string> Sha256Of(const io::InputFile& file);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_SHA256_H_
