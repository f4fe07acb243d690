// The cases of ReduceMax.
#include <algorithm>
#include <array>
#include <utility>

#include "case.h"

namespace supremum::bench {
namespace {

constexpr std::size_t kKiB = 1024, kMiB = 1024 * kKiB;
constexpr std::array kFour = {DType::kFloat32, DType::kFloat16, DType::kFloat64, DType::kUInt8};

std::int64_t Elements(std::size_t bytes, DType dtype) {
  return static_cast<std::int64_t>(bytes / ByteWidth(dtype));
}

void Add(std::vector<Case>& cases, std::string group, DType dtype, Layout source,
         std::vector<std::int64_t> axes, bool quick) {
  Shape output;
  for (std::size_t d = 0; d < source.shape.rank(); ++d) {
    const bool reduced = std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(d)) != axes.end();
    if (!reduced) output.PushBack(source.shape[d]);
  }
  std::string name = "reduce " + ShortName(dtype) + " " + group + " " + ToString(source.shape) + " over {";
  for (std::size_t i = 0; i < axes.size(); ++i) name += (i > 0 ? "," : "") + std::to_string(axes[i]);
  name += "}";
  cases.push_back(
      {std::move(group), std::move(name), Op::kReduceMax, dtype, {source}, std::move(axes), output, quick});
}

void AddPlain(std::vector<Case>& cases) {
  for (DType dtype : kNumberDTypes) {
    const bool main = std::find(kFour.begin(), kFour.end(), dtype) != kFour.end();
    for (std::size_t bytes : {kKiB, 16 * kKiB, 128 * kKiB, kMiB, 16 * kMiB, 512 * kMiB}) {
      if (!main && bytes != kMiB) continue;
      const bool quick = (dtype == DType::kFloat32 && bytes <= 16 * kMiB) || bytes == kMiB;
      Add(cases, "all", dtype, Shape{Elements(bytes, dtype)}, {0}, quick);
    }
    for (std::size_t bytes : {32 * kKiB, kMiB, 16 * kMiB}) {
      if (!main && bytes != kMiB) continue;
      const bool quick = dtype == DType::kFloat32 && bytes < 16 * kMiB;
      const std::int64_t n = Elements(bytes, dtype);
      Add(cases, "last", dtype, Shape{n / 256, 256}, {1}, quick);
      Add(cases, "first", dtype, Shape{n / 256, 256}, {0}, quick);
      Add(cases, "middle", dtype, Shape{8, n / 512, 64}, {1}, quick);
    }
  }
}

void AddSubsets(std::vector<Case>& cases) {
  for (DType dtype : {DType::kFloat32, DType::kFloat16}) {
    for (std::int64_t extent : {9, 32}) {
      if (dtype != DType::kFloat32 && extent != 32) continue;
      for (int subset = 1; subset < 16; ++subset) {
        std::vector<std::int64_t> axes;
        for (int d = 0; d < 4; ++d) {
          if ((subset >> d & 1) != 0) axes.push_back(d);
        }
        const bool quick = dtype == DType::kFloat32 && extent == 32;
        Add(cases, "subset", dtype, Shape::Filled(4, extent), axes, quick);
      }
    }
    Add(cases, "subset", dtype, Shape{8, 64, 56, 56}, {2, 3}, true);  // pooling over an image
    Add(cases, "subset", dtype, Shape{8, 64, 56, 56}, {1}, true);     // over channels
    Add(cases, "subset", dtype, Shape{8, 64, 56, 56}, {0, 2, 3}, false);
  }
}

void AddInnerExtents(std::vector<Case>& cases) {
  for (DType dtype : kFour) {
    for (std::int64_t k = 2; k <= 33; ++k) {
      const bool some = k <= 4 || k == 7 || k == 8 || k == 16 || k == 17 || k == 33;
      if (dtype != DType::kFloat32 && !some) continue;
      const std::int64_t m = Elements(2 * kMiB, dtype) / k;
      Add(cases, "inner", dtype, Shape{m, k}, {1}, dtype == DType::kFloat32 && some);
      if (some) Add(cases, "inner first", dtype, Shape{m, k}, {0}, dtype == DType::kFloat32 && k == 3);
    }
  }
}

// Groups of 2, 3 or 7 neighbours, alone and with channels behind them, in and beyond the caches.
void AddShortRuns(std::vector<Case>& cases) {
  for (DType dtype : {DType::kFloat32, DType::kFloat16}) {
    const bool main = dtype == DType::kFloat32;
    for (std::int64_t k : {2, 3, 7}) {
      for (std::size_t bytes : {64 * kKiB, 16 * kMiB}) {
        Add(cases, "short", dtype, Shape{Elements(bytes, dtype) / k, k}, {1}, main && bytes < kMiB);
      }
      Add(cases, "short", dtype, Shape{Elements(kMiB, dtype) / (5 * k), k, 5}, {1}, main && k == 3);
      Add(cases, "short", dtype, Shape{Elements(kMiB, dtype) / (16 * k), k, 16}, {1}, false);
    }
  }
}

void AddTiny(std::vector<Case>& cases) {
  constexpr DType kType = DType::kFloat32;
  Add(cases, "tiny", kType, Shape{64}, {0}, true);
  Add(cases, "tiny", kType, Shape{1024}, {0}, true);
  Add(cases, "tiny", kType, Shape{32, 10}, {1}, true);
  Add(cases, "tiny", kType, Shape{32, 10}, {0}, true);
  Add(cases, "tiny", kType, Shape{4, 5, 6, 7}, {1, 3}, true);
  Add(cases, "tiny", kType, Shape{4, 5, 6, 7}, {0, 2}, true);
}

void AddOddLengths(std::vector<Case>& cases) {
  for (DType dtype : kFour) {
    const bool quick = dtype == DType::kFloat32;
    Add(cases, "odd", dtype, Shape{1023}, {0}, quick);
    Add(cases, "odd", dtype, Shape{65537}, {0}, quick);
    Add(cases, "odd", dtype, Shape{517, 1001}, {1}, quick);
    Add(cases, "odd", dtype, Shape{517, 1001}, {0}, quick);
    Add(cases, "odd", dtype, Shape{31, 129, 65}, {1}, false);
  }
}

void AddStrided(std::vector<Case>& cases) {
  for (DType dtype : kFour) {
    const bool quick = dtype == DType::kFloat32;
    // Seen as NCHW, stored channels last.
    const std::int64_t c = 64, h = 28, w = 28;
    const Layout image({8, c, h, w}, {h * w * c, 1, w * c, c}, 0);
    Add(cases, "channels last", dtype, image, {2, 3}, quick);
    Add(cases, "channels last", dtype, image, {1}, quick);
    Add(cases, "channels last", dtype, image, {0, 2, 3}, false);
    for (std::int64_t n : {128, 1024}) {
      const Shape square{n, n};
      Add(cases, "transposed", dtype, Layout(square, {1, n}, 0), {1}, quick);
      Add(cases, "transposed", dtype, Layout(square, {1, n}, 0), {0}, quick);
      Add(cases, "reversed", dtype, Layout(square, {n, -1}, n - 1), {1}, quick);
      Add(cases, "reversed", dtype, Layout(square, {n, -1}, n - 1), {0}, quick);
      Add(cases, "reversed rows", dtype, Layout(square, {-n, 1}, n * (n - 1)), {0}, false);
    }
  }
}

}  // namespace

void AddReduceMaxCases(std::vector<Case>& cases) {
  AddTiny(cases);
  AddPlain(cases);
  AddSubsets(cases);
  AddInnerExtents(cases);
  AddShortRuns(cases);
  AddOddLengths(cases);
  AddStrided(cases);
}

}  // namespace supremum::bench
