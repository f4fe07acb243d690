#include "io/files/sha1.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/quote.h"
#include "io/files/messages.h"

namespace supremum::io {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18;

struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

Error NotOffered(const InputFile& file) {
  return ErrorAt(ErrorCode::kUnsupportedFormat, Quote(file.path()),
                 "it has a checksum, and this machine's OpenSSL does not offer SHA-1; remove the 'checksum'");
}

}  // namespace

Result<std::string> Sha1Of(const InputFile& file) {
  const std::unique_ptr<EVP_MD_CTX, FreeContext> context(EVP_MD_CTX_new());
  if (context == nullptr || EVP_DigestInit_ex(context.get(), EVP_sha1(), nullptr) != 1)
    return NotOffered(file);
  std::vector<std::byte> buffer(kChunk);
  for (std::int64_t offset = 0; offset < file.size();) {
    const std::size_t size = static_cast<std::size_t>(std::min<std::int64_t>(file.size() - offset, kChunk));
    const std::span<std::byte> chunk = std::span(buffer).first(size);
    if (auto done = file.ReadAt(offset, chunk); !done) return done.error();
    if (EVP_DigestUpdate(context.get(), chunk.data(), chunk.size()) != 1) return NotOffered(file);
    offset += static_cast<std::int64_t>(size);
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned length = 0;
  if (EVP_DigestFinal_ex(context.get(), digest.data(), &length) != 1) return NotOffered(file);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (unsigned i = 0; i < length; ++i) {
    text += kDigits[digest[i] >> 4];
    text += kDigits[digest[i] & 15];
  }
  return text;
}

}  // namespace supremum::io
