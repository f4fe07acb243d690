// SHA-256 of bytes that go past.
#ifndef SUPREMUM_SRC_STREAM_SHA256_H_
#define SUPREMUM_SRC_STREAM_SHA256_H_

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "supremum/result.h"

struct evp_md_ctx_st;

namespace supremum::stream {

/// The digest of what Update has seen, at any time.
///
///   Result<Sha256> hash = Sha256::Create();
///   if (!hash) return hash.error();
///   hash->Update(bytes);
///   Result<std::string> text = hash->Hex();
class Sha256 {
 public:
  /// Errors: kUnsupportedFormat if OpenSSL was configured to have no SHA-256.
  static Result<Sha256> Create();

  void Update(std::span<const std::byte> bytes);

  /// The digest so far, in hexadecimal; more can follow. Errors: those of Create.
  Result<std::string> Hex() const;

  /// One that has seen the same. Errors: those of Create.
  Result<Sha256> Clone() const;

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };

  std::unique_ptr<evp_md_ctx_st, Free> context_;
  bool good_ = true;
};

}  // namespace supremum::stream

#endif  // SUPREMUM_SRC_STREAM_SHA256_H_
