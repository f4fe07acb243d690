#include "stream/sha256.h"

#include <openssl/evp.h>

#include <array>
#include <string_view>

namespace supremum::stream {
namespace {

Error NotOffered() {
  return MakeError(ErrorCode::kUnsupportedFormat, "this machine's OpenSSL does not offer SHA-256");
}

}  // namespace

void Sha256::Free::operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }

Result<Sha256> Sha256::Create() {
  Sha256 hash;
  hash.context_.reset(EVP_MD_CTX_new());
  if (hash.context_ == nullptr || EVP_DigestInit_ex(hash.context_.get(), EVP_sha256(), nullptr) != 1) {
    return NotOffered();
  }
  return hash;
}

void Sha256::Update(std::span<const std::byte> bytes) {
  good_ = good_ && EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1;
}

Result<Sha256> Sha256::Clone() const {
  Sha256 hash;
  hash.context_.reset(EVP_MD_CTX_new());
  hash.good_ = good_;
  if (hash.context_ == nullptr || EVP_MD_CTX_copy_ex(hash.context_.get(), context_.get()) != 1) {
    return NotOffered();
  }
  return hash;
}

Result<std::string> Sha256::Hex() const {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const Result<Sha256> copy = Clone();
  if (!copy) return copy.error();
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned length = 0;
  if (!good_ || EVP_DigestFinal_ex(copy->context_.get(), digest.data(), &length) != 1) return NotOffered();
  std::string text;
  for (unsigned i = 0; i < length; ++i) {
    text += kDigits[digest[i] >> 4];
    text += kDigits[digest[i] & 15];
  }
  return text;
}

}  // namespace supremum::stream
