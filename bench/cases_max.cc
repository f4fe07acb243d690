// The cases of Max.
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

std::string Text(DimsView shape) { return ToString(shape); }

// Adds a case whose name lists the shapes of its inputs.
void Add(std::vector<Case>& cases, std::string group, DType dtype, std::vector<Layout> inputs, Shape output,
         bool quick) {
  std::string name = "max " + ShortName(dtype) + " " + group;
  for (const Layout& input : inputs) name += " " + Text(input.shape);
  cases.push_back({std::move(group), std::move(name), Op::kMax, dtype, std::move(inputs), {}, output, quick});
}

void AddEqual(std::vector<Case>& cases) {
  for (DType dtype : kNumberDTypes) {
    for (std::size_t bytes : {kKiB, 8 * kKiB, 32 * kKiB, 128 * kKiB, kMiB, 8 * kMiB, 64 * kMiB, 512 * kMiB}) {
      const Shape shape{Elements(bytes / 3, dtype)};
      const bool first_types = dtype == DType::kFloat32 || dtype == DType::kFloat16;
      const bool quick = bytes <= 8 * kMiB && (first_types || bytes == kMiB);
      cases.push_back({"equal",
                       "max " + ShortName(dtype) + " equal " + SizeName(bytes),
                       Op::kMax,
                       dtype,
                       {shape, shape},
                       {},
                       shape,
                       quick});
    }
  }
}

void AddBroadcasts(std::vector<Case>& cases) {
  for (DType dtype : kFour) {
    for (std::size_t bytes : {24 * kKiB, 256 * kKiB, 16 * kMiB}) {
      const bool quick = dtype == DType::kFloat32 && bytes < 16 * kMiB;
      const std::int64_t n = Elements(bytes, dtype), row = 512, m = n / row;
      Add(cases, "scalar", dtype, {Shape{n}, Shape{}}, {n}, quick);
      Add(cases, "row", dtype, {Shape{m, row}, Shape{row}}, {m, row}, quick);
      Add(cases, "column", dtype, {Shape{m, row}, Shape{m, 1}}, {m, row}, quick);
      Add(cases, "outer", dtype, {Shape{m, 1}, Shape{row}}, {m, row}, quick);
      Add(cases, "middle", dtype, {Shape{m / 4, 8, row / 2}, Shape{m / 4, 1, row / 2}}, {m / 4, 8, row / 2},
          quick);
    }
    const bool quick = dtype == DType::kFloat32;
    Add(cases, "bias", dtype, {Shape{1, 16, 14, 14}, Shape{16, 1, 1}}, {1, 16, 14, 14}, quick);
    Add(cases, "bias", dtype, {Shape{8, 64, 56, 56}, Shape{64, 1, 1}}, {8, 64, 56, 56}, quick);
    Add(cases, "bias", dtype, {Shape{8, 56, 56, 64}, Shape{64}}, {8, 56, 56, 64}, quick);
  }
}

// Results that fit into a shared cache and not into a core's own.
void AddMiddleSizes(std::vector<Case>& cases) {
  for (DType dtype : {DType::kFloat32, DType::kFloat16}) {
    const bool quick = dtype == DType::kFloat32;
    const std::int64_t row = 512, m = Elements(4 * kMiB, dtype) / row;
    Add(cases, "scalar", dtype, {Shape{m, row}, Shape{}}, {m, row}, false);
    Add(cases, "row", dtype, {Shape{m, row}, Shape{row}}, {m, row}, false);
    Add(cases, "column", dtype, {Shape{m, row}, Shape{m, 1}}, {m, row}, false);
    Add(cases, "outer", dtype, {Shape{m, 1}, Shape{row}}, {m, row}, quick);
  }
}

void AddInnerExtents(std::vector<Case>& cases) {
  for (DType dtype : kFour) {
    for (std::int64_t k = 1; k <= 17; ++k) {
      const bool some = k == 2 || k == 3 || k == 4 || k == 8;
      if (dtype != DType::kFloat32 && !some) continue;
      const std::int64_t m = Elements(2 * kMiB, dtype) / k;
      const bool quick = dtype == DType::kFloat32 && (some || k == 17);
      Add(cases, "inner row", dtype, {Shape{m, k}, Shape{k}}, {m, k}, quick);
      Add(cases, "inner column", dtype, {Shape{m, k}, Shape{m, 1}}, {m, k}, quick);
    }
  }
}

// [e,1,e,1,...] with [e,e,e,e,...], and with [1,e,1,e,...].
void AddAlternating(std::vector<Case>& cases) {
  constexpr std::array<std::pair<std::size_t, std::int64_t>, 5> kRanks = {
      {{2, 1024}, {3, 96}, {4, 32}, {5, 16}, {6, 10}}};
  for (DType dtype : kFour) {
    for (const auto& [rank, extent] : kRanks) {
      const Shape full = Shape::Filled(rank, extent);
      Shape even = full, odd = full;
      for (std::size_t d = 0; d < rank; ++d) (d % 2 == 0 ? odd : even)[d] = 1;
      const bool quick = dtype == DType::kFloat32 && (rank == 4 || rank == 6);
      Add(cases, "alternating", dtype, {full, even}, full, quick);
      Add(cases, "alternating", dtype, {full, odd}, full, quick);
      Add(cases, "two-sided", dtype, {even, odd}, full, quick);
    }
    const bool quick = dtype == DType::kFloat32;
    Add(cases, "two-sided", dtype, {Shape{64, 1, 3}, Shape{1, 512, 3}}, {64, 512, 3}, quick);
    Add(cases, "two-sided", dtype, {Shape{64, 512, 1}, Shape{64, 1, 8}}, {64, 512, 8}, quick);
    Add(cases, "two-sided", dtype, {Shape{512, 1, 64}, Shape{1, 64, 1}}, {512, 64, 64}, quick);
  }
}

// Each of n boxes or points with each of 200: [n,1,k] with [1,200,k], [n,1] with [1,k].
void AddPairwise(std::vector<Case>& cases) {
  constexpr std::int64_t kOthers = 200;
  for (DType dtype : kFour) {
    const bool main = dtype == DType::kFloat32;
    for (std::int64_t k : {1, 2, 3, 4, 5, 7, 8, 16, 33}) {
      if (!main && k != 1 && k != 3 && k != 4) continue;
      const std::int64_t n = Elements(2 * kMiB, dtype) / (kOthers * k);
      Add(cases, "pairwise", dtype, {Shape{n, 1, k}, Shape{1, kOthers, k}}, {n, kOthers, k},
          main && (k == 2 || k == 4 || k == 7));
    }
    for (std::int64_t k : {3, 7, 33}) {
      if (!main && k != 7) continue;
      const std::int64_t n = Elements(kMiB, dtype) / k;
      Add(cases, "pairwise", dtype, {Shape{n, 1}, Shape{1, k}}, {n, k}, main && k == 7);
    }
    Add(cases, "pairwise", dtype, {Shape{32, 1, 4}, Shape{1, 50, 4}}, {32, 50, 4}, main);
    for (std::int64_t k : {2, 3, 7}) {  // the other one is not broadcast
      if (!main && k != 3) continue;
      const std::int64_t n = Elements(2 * kMiB, dtype) / (10 * k);
      Add(cases, "pairwise", dtype, {Shape{n, 10, k}, Shape{n, 1, k}}, {n, 10, k}, false);
    }
  }
}

void AddThreeShapes(std::vector<Case>& cases) {
  for (DType dtype : kFour) {
    const bool main = dtype == DType::kFloat32, some = main || dtype == DType::kFloat16;
    const std::int64_t row = 512, m = Elements(2 * kMiB, dtype) / row;
    Add(cases, "three shapes", dtype, {Shape{m, row}, Shape{m, 1}, Shape{row}}, {m, row}, main);
    if (!some) continue;
    const std::int64_t k = 7, n = Elements(kMiB, dtype) / k;
    Add(cases, "three shapes", dtype, {Shape{n, k}, Shape{n, 1}, Shape{k}}, {n, k}, main);
    Add(cases, "three shapes", dtype, {Shape{500, 1, 4}, Shape{1, 200, 4}, Shape{4}}, {500, 200, 4}, main);
    Add(cases, "three shapes", dtype, {Shape{8, 64, 28, 28}, Shape{64, 1, 1}, Shape{8, 1, 28, 28}},
        {8, 64, 28, 28}, false);
  }
}

// Few elements: the call overhead dominates.
void AddTiny(std::vector<Case>& cases) {
  for (DType dtype : kFour) {
    for (std::size_t bytes : {256u, 512u, 1024u, 2048u, 4096u}) {
      const bool main = dtype == DType::kFloat32;
      if (!main && bytes != 256 && bytes != 4096) continue;
      const Shape shape{Elements(bytes, dtype)};
      Add(cases, "tiny", dtype, {shape, shape}, shape, main);
    }
  }
  constexpr DType kType = DType::kFloat32;
  Add(cases, "tiny", kType, {Shape{32, 10}, Shape{10}}, {32, 10}, true);
  Add(cases, "tiny", kType, {Shape{32, 10}, Shape{32, 1}}, {32, 10}, true);
  Add(cases, "tiny", kType, {Shape{2, 3, 4, 5}, Shape{3, 1, 5}}, {2, 3, 4, 5}, true);
  Add(cases, "tiny", kType, {Shape{16, 1, 4}, Shape{1, 16, 4}}, {16, 16, 4}, true);
}

// The same bytes in total, however many inputs.
void AddManyInputs(std::vector<Case>& cases) {
  for (DType dtype : kFour) {
    for (std::size_t count : {1u, 2u, 3u, 4u, 8u, 16u, 64u, 1000u}) {
      for (std::size_t bytes : {96 * kKiB, kMiB, 64 * kMiB}) {
        const Shape shape{Elements(bytes / (count + 1), dtype)};
        const bool quick = dtype == DType::kFloat32 && bytes < 64 * kMiB;
        const std::string name =
            "max " + ShortName(dtype) + " " + std::to_string(count) + " inputs " + SizeName(bytes);
        cases.push_back(
            {"inputs", name, Op::kMax, dtype, std::vector<Layout>(count, Layout(shape)), {}, shape, quick});
      }
    }
  }
}

// As many bytes of each input, which have more in total the more inputs there are.
void AddInputsOfOneSize(std::vector<Case>& cases) {
  for (DType dtype : {DType::kFloat32, DType::kFloat16, DType::kUInt8}) {
    for (std::size_t count : {4u, 16u}) {
      const Shape shape{Elements(kMiB, dtype)};
      cases.push_back({"inputs of 1 MiB",
                       "max " + ShortName(dtype) + " " + std::to_string(count) + " inputs of 1MiB",
                       Op::kMax,
                       dtype,
                       std::vector<Layout>(count, Layout(shape)),
                       {},
                       shape,
                       dtype == DType::kFloat32});
    }
  }
}

void AddStrided(std::vector<Case>& cases) {
  for (DType dtype : kFour) {
    for (std::int64_t n : {128, 1024}) {
      const Shape square{n, n};
      const bool quick = dtype == DType::kFloat32;
      Add(cases, "transposed", dtype, {Layout(square, {1, n}, 0), Layout(square)}, square, quick);
      Add(cases, "reversed rows", dtype, {Layout(square, {-n, 1}, n * (n - 1)), Layout(square)}, square,
          false);
      Add(cases, "reversed", dtype, {Layout(square, {n, -1}, n - 1), Layout(square)}, square, quick);
    }
  }
}

}  // namespace

std::string ShortName(DType dtype) {
  constexpr std::array<const char*, 13> kNames = {"bf16", "f16", "f32", "f64", "i8",  "i16", "i32",
                                                  "i64",  "u8",  "u16", "u32", "u64", "bool"};
  return kNames[static_cast<std::size_t>(dtype)];
}

std::string SizeName(std::size_t bytes) {
  return bytes >= kMiB ? std::to_string(bytes / kMiB) + "MiB" : std::to_string(bytes / kKiB) + "KiB";
}

void AddMaxCases(std::vector<Case>& cases) {
  AddEqual(cases);
  AddTiny(cases);
  AddBroadcasts(cases);
  AddMiddleSizes(cases);
  AddInnerExtents(cases);
  AddAlternating(cases);
  AddPairwise(cases);
  AddThreeShapes(cases);
  AddManyInputs(cases);
  AddInputsOfOneSize(cases);
  AddStrided(cases);
}

std::vector<Case> AllCases() {
  std::vector<Case> cases;
  AddMaxCases(cases);
  AddReduceMaxCases(cases);
  return cases;
}

}  // namespace supremum::bench
