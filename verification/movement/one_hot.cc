#include "movement/one_hot.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace supremum::test {

namespace {

// The levels of a float: its sign bit and infinity, and bytes that all differ, in a number and in NaNs.
std::vector<Levels> LevelsOfFloat(std::uint64_t sign, std::uint64_t infinity, std::uint64_t number,
                                  std::uint64_t signalling) {
  const std::uint64_t low = sign | infinity, magnitude = sign - 1;
  const std::uint64_t nan = infinity | ((magnitude ^ infinity) + 1) >> 1;
  return {{low, number, number},     {low, sign | number, sign | number},
          {low, infinity, infinity}, {low, signalling, nan},
          {low, sign | nan, nan},    {low, sign | magnitude, nan}};
}

}  // namespace

std::vector<Levels> LevelsOf(DType dtype) {
  switch (dtype) {
    case DType::kBFloat16:
      return LevelsOfFloat(0x8000, 0x7F80, 0x3F2E, 0x7F91);
    case DType::kFloat16:
      return LevelsOfFloat(0x8000, 0x7C00, 0x3D2E, 0x7C91);
    case DType::kFloat32:
      return LevelsOfFloat(0x80000000, 0x7F800000, 0x3F2E1D5C, 0x7F912345);
    case DType::kFloat64:
      return LevelsOfFloat(0x8000000000000000, 0x7FF0000000000000, 0x3FE1D2C3B4A59687, 0x7FF1234567891011);
    case DType::kBool:
      return {{0, 1, 1}, {0, 0x80, 1}, {0, 0xFF, 1}};
    default:
      break;
  }
  // Bytes that all differ, so that a wrong byte shows; and the greatest value, which a cap may not lower.
  const std::size_t bits = 8 * ByteWidth(dtype);
  const std::uint64_t middle = 0x7162534455362718 >> (64 - bits), sign = std::uint64_t{1} << (bits - 1);
  const bool is_signed =
      dtype == DType::kInt8 || dtype == DType::kInt16 || dtype == DType::kInt32 || dtype == DType::kInt64;
  const std::uint64_t low = is_signed ? sign : 0, high = is_signed ? sign - 1 : sign | (sign - 1);
  return {{low, middle, middle}, {low, high, high}};
}

void OneHot::Check(const std::string& what, Layout& layout, const std::function<void()>& call) {
  ++layouts_;
  for (const Levels& levels : levels_) CheckLevels(what, layout, call, levels);
}

void OneHot::CheckLevels(const std::string& what, Layout& layout, const std::function<void()>& call,
                         const Levels& levels) {
  const std::vector<std::byte*>& elements = layout.elements();
  const auto set = [&](std::byte* at, std::uint64_t value) { std::memcpy(at, &value, width_); };
  for (std::byte* element : elements) set(element, levels.low);

  // The output with a margin, in which nothing but the elements that are read is expected to change.
  constexpr std::byte kUntouched{0x5A};
  std::byte* const begin = layout.output() - 64;
  const std::size_t bytes = layout.output_bytes() + 128;
  const std::size_t beyond = layout.scratch();  // not compared
  expected_.assign(bytes, kUntouched);
  read_by_.resize(std::max(read_by_.size(), elements.size()));
  for (std::size_t e = 0; e < elements.size(); ++e) read_by_[e].clear();
  for (const Layout::Read& read : layout.reads()) {
    set(expected_.data() + 64 + read.output, levels.low);
    if (read.input == nullptr) continue;
    const auto found = std::lower_bound(elements.begin(), elements.end(), read.input);  // inputs ascend
    read_by_[static_cast<std::size_t>(found - elements.begin())].push_back(read.output);
  }
  const auto compare = [&](std::ptrdiff_t hot) {
    std::memset(begin, static_cast<int>(kUntouched), bytes);
    call();
    ++calls_;
    const std::size_t body = 64 + layout.output_bytes();
    if (std::memcmp(begin, expected_.data(), body) == 0 &&
        (beyond >= 64 ||
         std::memcmp(begin + body + beyond, expected_.data() + body + beyond, 64 - beyond) == 0)) {
      return;
    }
    if (wrong_++ > 0) return;
    std::size_t at = 0;
    while (at + 1 < bytes && begin[at] == expected_[at]) ++at;
    char text[160];
    std::snprintf(
        text, sizeof(text),
        ", element %td of %zu high (%llx over %llx): byte %td of the output is %02x, should be %02x", hot,
        elements.size(), static_cast<unsigned long long>(levels.high),
        static_cast<unsigned long long>(levels.low), static_cast<std::ptrdiff_t>(at) - 64,
        std::to_integer<unsigned>(begin[at]), std::to_integer<unsigned>(expected_[at]));
    first_ = what + text;
  };
  compare(-1);
  for (std::size_t e = 0; e < elements.size(); ++e) {
    set(elements[e], levels.high);
    const std::uint64_t written = layout.only_moves() ? levels.high : levels.written_high;
    for (const std::uint32_t output : read_by_[e]) set(expected_.data() + 64 + output, written);
    compare(static_cast<std::ptrdiff_t>(e));
    for (const std::uint32_t output : read_by_[e]) set(expected_.data() + 64 + output, levels.low);
    set(elements[e], levels.low);
  }
}

}  // namespace supremum::test
