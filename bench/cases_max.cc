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
  cases.push_back({std::move(group),
                   std::move(name),
                   Op::kMax,
                   dtype,
                   std::move(inputs),
                   {},
                   output,
                   BareForm::kStreams,
                   quick});
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
                       BareForm::kStreams,
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

// The same bytes in total, however many inputs.
void AddManyInputs(std::vector<Case>& cases) {
  for (DType dtype : kFour) {
    for (std::size_t count : {1u, 2u, 3u, 4u, 8u, 16u, 64u, 1000u}) {
      for (std::size_t bytes : {96 * kKiB, kMiB, 64 * kMiB}) {
        const Shape shape{Elements(bytes / (count + 1), dtype)};
        const bool quick = dtype == DType::kFloat32 && bytes < 64 * kMiB;
        const std::string name =
            "max " + ShortName(dtype) + " " + std::to_string(count) + " inputs " + SizeName(bytes);
        cases.push_back({"inputs",
                         name,
                         Op::kMax,
                         dtype,
                         std::vector<Layout>(count, Layout(shape)),
                         {},
                         shape,
                         BareForm::kStreams,
                         quick});
      }
    }
  }
}

void AddStrided(std::vector<Case>& cases) {
  for (DType dtype : kFour) {
    for (std::int64_t n : {128, 1024}) {
      const Shape square{n, n};
      const bool quick = dtype == DType::kFloat32;
      Add(cases, "transposed", dtype, {Layout(square, {1, n}, 0), Layout(square)}, square, quick);
      cases.back().bare = BareForm::kTransposed;
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
  AddBroadcasts(cases);
  AddInnerExtents(cases);
  AddAlternating(cases);
  AddManyInputs(cases);
  AddStrided(cases);
}

std::vector<Case> AllCases() {
  std::vector<Case> cases;
  AddMaxCases(cases);
  AddReduceMaxCases(cases);
  return cases;
}

}  // namespace supremum::bench
