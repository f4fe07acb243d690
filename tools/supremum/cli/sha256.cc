#include "cli/sha256.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "io/formats/byte_order.h"

namespace supremum::cli {
namespace {

Error NotProvided() {
  return MakeError(ErrorCode::kUnsupportedFormat, "this machine's OpenSSL does not provide SHA-256");
}

}  // namespace

void Sha256::Free::operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }

Result<Sha256> Sha256::Create() {
  Sha256 hash;
  hash.context_.reset(EVP_MD_CTX_new());
  if (hash.context_ == nullptr || EVP_DigestInit_ex(hash.context_.get(), EVP_sha256(), nullptr) != 1) {
    return NotProvided();
  }
  return hash;
}

void Sha256::Update(std::span<const std::byte> bytes) {
  good_ = good_ && EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1;
}

void Sha256::UpdateElements(std::span<const std::byte> elements, std::size_t width) {
  const auto update = [&](std::span<const std::byte> piece) -> Result<void> {
    Update(piece);
    return {};
  };
  static_cast<void>(io::ForEachLittleEndianPiece(elements, width, update));
}

Result<std::string> Sha256::Finish() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned length = 0;
  if (!good_ || EVP_DigestFinal_ex(context_.get(), digest.data(), &length) != 1) return NotProvided();
  std::string text;
  for (unsigned i = 0; i < length; ++i) {
    text += kDigits[digest[i] >> 4];
    text += kDigits[digest[i] & 15];
  }
  return text;
}

Result<std::string> Sha256Of(std::span<const std::byte> bytes) {
  Result<Sha256> hash = Sha256::Create();
  if (!hash) return hash.error();
  hash->Update(bytes);
  return hash->Finish();
}

Result<std::string> Sha256Of(const Tensor& tensor) {
  Result<Sha256> hash = Sha256::Create();
  if (!hash) return hash.error();
  hash->UpdateElements(tensor.bytes(), ByteWidth(tensor.dtype()));
  return hash->Finish();
}

Result<std::string> Sha256Of(const io::InputFile& file) {
  constexpr std::int64_t kPart = std::int64_t{1} << 18;
  Result<Sha256> hash = Sha256::Create();
  if (!hash) return hash.error();
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(kPart, file.size())));
  for (std::int64_t done = 0; done < file.size();) {
    const auto part = std::span(buffer).first(static_cast<std::size_t>(std::min(kPart, file.size() - done)));
    if (Result<void> read = file.ReadPart(done, part); !read) return read.error();
    hash->Update(part);
    done += static_cast<std::int64_t>(part.size());
  }
  if (Result<void> same = file.CheckUnchanged(); !same) return same.error();
  return hash->Finish();
}

}  // namespace supremum::cli
