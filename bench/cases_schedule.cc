// The cases that the thresholds of schedules were chosen by (src/ops/tuning.h), each of four types.
#include <utility>

#include "case.h"

namespace supremum::bench {
namespace {

void AddOfType(std::vector<Case>& cases, DType dtype) {
  const auto elements = [&](std::int64_t kib) {
    return kib * 1024 / static_cast<std::int64_t>(ByteWidth(dtype));
  };
  const auto max = [&](std::string group, std::vector<Layout> inputs, Shape output) {
    AddCase(cases, Op::kMax, std::move(group), dtype, std::move(inputs), {}, output);
  };
  const auto reduce = [&](std::string group, Layout source, std::vector<std::int64_t> axes) {
    AddReduction(cases, std::move(group), dtype, source, std::move(axes));
  };
  for (const std::int64_t kib : {1, 128, 1024, 65536}) {
    const Shape x{elements(kib)};
    max("equal", {x, x}, x);
    reduce("all", x, {0});
    if (kib > 1) max("3 inputs", {x, x, x}, x);
  }
  for (const std::int64_t kib : {24, 4096, 16384}) {
    const std::int64_t row = 512, m = elements(kib) / row;
    max("row", {Shape{m, row}, Shape{row}}, {m, row});
    max("column", {Shape{m, row}, Shape{m, 1}}, {m, row});
    reduce("last", Shape{m, row}, {1});
    reduce("first", Shape{m, row}, {0});
    reduce("middle", Shape{8, m, row / 8}, {1});
  }
  for (const std::int64_t k : {2, 3, 4, 7, 8, 16, 17, 33}) {
    const std::int64_t m = elements(2048) / k, n = m / 200;
    max("inner row", {Shape{m, k}, Shape{k}}, {m, k});
    max("inner column", {Shape{m, k}, Shape{m, 1}}, {m, k});
    max("pairwise", {Shape{n, 1, k}, Shape{1, 200, k}}, {n, 200, k});
    reduce("inner", Shape{m, k}, {1});
    reduce("inner first", Shape{m, k}, {0});
  }
  // [e,1,e,1,...] with [e,e,e,e,...], and with [1,e,1,e,...].
  for (const auto& [rank, extent] : {std::pair{3, 96}, {4, 32}, {5, 16}, {6, 10}}) {
    const Shape full = Shape::Filled(static_cast<std::size_t>(rank), extent);
    Shape even = full, odd = full;
    for (std::size_t d = 0; d < full.rank(); ++d) (d % 2 == 0 ? odd : even)[d] = 1;
    max("alternating", {full, even}, full);
    max("alternating", {full, odd}, full);
    max("two-sided", {even, odd}, full);
  }
  for (int subset = 1; subset < 15; ++subset) {
    std::vector<std::int64_t> axes;
    for (int d = 0; d < 4; ++d) {
      if ((subset >> d & 1) != 0) axes.push_back(d);
    }
    reduce("subset", Shape::Filled(4, 32), axes);
  }
  for (const std::int64_t n : {128, 1024}) {
    const Shape square{n, n};
    max("transposed", {Layout(square, {1, n}, 0), Layout(square)}, square);
    reduce("transposed", Layout(square, {1, n}, 0), {1});
  }
  const Shape few{elements(1) / 4};
  max("tiny", {few, few}, few);
  max("tiny", {Shape{32, 10}, Shape{32, 1}}, {32, 10});
  max("tiny", {Shape{2, 3, 4, 5}, Shape{3, 1, 5}}, {2, 3, 4, 5});
  reduce("tiny", Shape{4, 5, 6, 7}, {1, 3});
}

}  // namespace

std::vector<Case> ScheduleCases() {
  std::vector<Case> cases;
  for (const DType dtype : {DType::kFloat32, DType::kFloat16, DType::kFloat64, DType::kUInt8})
    AddOfType(cases, dtype);
  return cases;
}

}  // namespace supremum::bench
