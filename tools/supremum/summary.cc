#include "summary.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>

#include "element.h"

namespace supremum::cli {
namespace {

struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

/// SHA-256 of `bytes`, each run of `width` bytes reversed first if `width` exceeds 1.
Result<std::string> Digest(std::span<const std::byte> bytes, std::size_t width) {
  const std::unique_ptr<EVP_MD_CTX, FreeContext> context(EVP_MD_CTX_new());
  bool good = context != nullptr && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
  std::array<std::byte, 4096> reversed;
  while (good && !bytes.empty()) {
    std::span<const std::byte> chunk = bytes;
    if (width > 1) {
      chunk = bytes.first(std::min(bytes.size(), reversed.size()));
      for (std::size_t i = 0; i < chunk.size(); i += width) {
        std::reverse_copy(chunk.begin() + static_cast<std::ptrdiff_t>(i),
                          chunk.begin() + static_cast<std::ptrdiff_t>(i + width),
                          reversed.begin() + static_cast<std::ptrdiff_t>(i));
      }
      bytes = bytes.subspan(chunk.size());
      chunk = std::span(reversed).first(chunk.size());
    } else {
      bytes = {};
    }
    good = EVP_DigestUpdate(context.get(), chunk.data(), chunk.size()) == 1;
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned length = 0;
  if (!good || EVP_DigestFinal_ex(context.get(), digest.data(), &length) != 1) {
    return MakeError(ErrorCode::kUnsupportedFormat, "this machine's OpenSSL does not offer SHA-256");
  }
  std::string text;
  for (unsigned i = 0; i < length; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

template <Element T>
nlohmann::ordered_json Json(T value) {
  if constexpr (kIsFloat<T>) {
    if (!std::isfinite(Decode(value))) return Text(value);
  }
  return Decode(value);
}

template <Element T>
void SummarizeValues(std::span<const T> values, Summary* summary) {
  const T* min = nullptr;
  const T* max = nullptr;
  for (const T& value : values) {
    if (IsNaN(value)) {
      ++summary->nan_count;
      continue;
    }
    if (min == nullptr || OrderKey(value) < OrderKey(*min)) min = &value;
    if (max == nullptr || OrderKey(*max) < OrderKey(value)) max = &value;
  }
  if (min == nullptr) return;
  summary->min = Text(*min);
  summary->max = Text(*max);
  summary->min_json = Json(*min);
  summary->max_json = Json(*max);
}

}  // namespace

Result<std::string> Sha256(std::span<const std::byte> bytes) { return Digest(bytes, 1); }

Result<Summary> Summarize(const Tensor& tensor) {
  constexpr bool kLittle = std::endian::native == std::endian::little;
  Result<std::string> sha256 = Digest(tensor.bytes(), kLittle ? 1 : ByteWidth(tensor.dtype()));
  if (!sha256) return sha256.error();
  Summary summary;
  summary.sha256 = std::move(*sha256);
  VisitDType(tensor.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    SummarizeValues(tensor.Elements<T>(), &summary);
  });
  return summary;
}

}  // namespace supremum::cli
