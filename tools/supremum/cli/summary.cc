#include "cli/summary.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "cli/element.h"
#include "cli/sha256.h"

namespace supremum::cli {
namespace {

template <Element T>
nlohmann::ordered_json Json(T value) {
  if constexpr (kIsFloat<T>) {
    if (!std::isfinite(Decode(value))) return Text(value);
  }
  return Decode(value);
}

}  // namespace

void Summarizer::Add(std::span<const std::byte> elements) {
  VisitDType(dtype_, [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Key = decltype(OrderKey(T()));
    constexpr Key kLeast = std::numeric_limits<Key>::min(), kGreatest = std::numeric_limits<Key>::max();
    Key least = kGreatest, greatest = kLeast;
    std::size_t nans = 0;
    // Without a branch, so that a compiler can vectorize the loop.
    for (std::size_t i = 0; i < elements.size(); i += sizeof(T)) {
      T value = {};
      std::memcpy(&value, elements.data() + i, sizeof(T));
      const Key key = OrderKey(value);
      const bool nan = IsNaN(value);
      nans += nan ? 1 : 0;
      least = std::min(least, nan ? kGreatest : key);
      greatest = std::max(greatest, nan ? kLeast : key);
    }
    nan_count_ += static_cast<std::int64_t>(nans);
    if (nans * sizeof(T) == elements.size()) return;
    T min = {}, max = {};
    std::memcpy(&min, min_.data(), sizeof(T));
    std::memcpy(&max, max_.data(), sizeof(T));
    if (!any_ || least < OrderKey(min)) min = FromOrderKey<T>(least);
    if (!any_ || OrderKey(max) < greatest) max = FromOrderKey<T>(greatest);
    any_ = true;
    std::memcpy(min_.data(), &min, sizeof(T));
    std::memcpy(max_.data(), &max, sizeof(T));
  });
}

Summary Summarizer::Finish(std::string sha256) const {
  Summary summary;
  summary.sha256 = std::move(sha256);
  summary.nan_count = nan_count_;
  if (!any_) return summary;
  VisitDType(dtype_, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T min = {}, max = {};
    std::memcpy(&min, min_.data(), sizeof(T));
    std::memcpy(&max, max_.data(), sizeof(T));
    summary.min = Text(min);
    summary.max = Text(max);
    summary.min_json = Json(min);
    summary.max_json = Json(max);
  });
  return summary;
}

Result<Summary> Summarize(const Tensor& tensor, bool sha256) {
  Result<std::string> digest = sha256 ? Sha256Of(tensor) : std::string();
  if (!digest) return digest.error();
  Summarizer summarizer(tensor.dtype());
  summarizer.Add(tensor.bytes());
  return summarizer.Finish(*std::move(digest));
}

}  // namespace supremum::cli
