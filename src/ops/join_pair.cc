#include "ops/join_pair.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/align.h"
#include "core/multiply.h"
#include "ops/tuning.h"

namespace supremum {
namespace {

constexpr std::size_t kMaskedVectorBytes = 64;

}  // namespace

// Here, and not in its caller, where GCC expects that most calls need a plan, and clears it by REP STOS: a
// Max of 64 floats and a scalar would take 52 ns instead of 44 (Intel Xeon with AMX).
BroadcastPair::BroadcastPair() = default;

bool BroadcastPair::OtherRepeats(std::size_t width) const {
  return DenseIsContiguous() && OtherSteps()[0] == 0 && extent[0] <= kernels::kMaxRepeatCount &&
         LineBytes(width) < tuning.min_scalar_line_bytes;
}

bool BroadcastPair::OtherIsPeriodic(std::size_t width) const {
  return DenseIsContiguous() && OtherSteps()[0] == 1 && extent[2] * extent[3] == 1 &&
         LineBytes(width) < tuning.period_bytes;
}

bool BroadcastPair::HasManyShortLines(std::size_t width, std::size_t vector_bytes) const {
  const bool is_part = LineBytes(width) < vector_bytes && vector_bytes < kMaskedVectorBytes;
  const std::size_t few = is_part ? tuning.few_parts_of_vectors : tuning.few_short_lines;
  return LineBytes(width) < tuning.min_pair_line_bytes && extent[1] * extent[2] * extent[3] > few &&
         !OtherRepeats(width) && !OtherIsPeriodic(width);
}

bool FindBroadcastPair(const std::array<DimsView, 2>& inputs, DimsView output, std::size_t width,
                       BroadcastPair& pair) {
  const std::size_t rank = output.size();
  std::size_t bytes = width;                     // of the output within the dimensions visited
  std::array<std::size_t, 2> elements = {1, 1};  // of each input
  for (std::size_t j = rank; j-- > 0;) {
    const std::int64_t extent = output[j];
    const std::int64_t a = AlignedExtent(inputs[0], rank, j), b = AlignedExtent(inputs[1], rank, j);
    const std::int64_t common = a == 1 ? b : a;
    if (common != extent || (b != common && b != 1)) return false;  // E2, BRO-2
    if (extent == 1) continue;
    if (!MultiplyUpTo<kDefaultTuning.max_pair_bytes>(extent, bytes)) return false;
    const std::size_t steps = static_cast<std::size_t>(extent);
    const std::size_t a_step = a == 1 ? 0 : elements[0], b_step = b == 1 ? 0 : elements[1];
    if (a != 1) elements[0] *= steps;
    if (b != 1) elements[1] *= steps;
    if (!pair.Add(steps, {a_step, b_step})) return false;
  }
  const auto& [n, lines, blocks, calls] = pair.extent;
  const bool second_is_dense = pair.step[1][0] == 1;
  if (second_is_dense && (pair.step[0][0] != 1 || pair.step[1][1] == n)) pair.dense = 1;
  const bool many_short =
      n * width < tuning.min_pair_line_bytes && lines * blocks * calls > tuning.max_short_lines;
  if (many_short && !pair.OtherRepeats(width) && !pair.OtherIsPeriodic(width)) return false;
  return true;
}

void JoinPair(const kernels::RowKernels& row, std::size_t width, const std::array<const std::byte*, 2>& data,
              const BroadcastPair& pair, std::byte* y) {
  const auto& [n, lines, blocks, calls] = pair.extent;
  const auto bytes = [&](std::size_t elements) { return static_cast<std::ptrdiff_t>(elements * width); };
  const std::byte* dense = data[pair.dense];
  const std::byte* other = data[1 - pair.dense];
  const auto &dense_step = pair.DenseSteps(), &other_step = pair.OtherSteps();

  if (pair.OtherIsPeriodic(width)) {  // lines of several copies of the row
    alignas(64) std::array<std::byte, 2 * kDefaultTuning.period_bytes> copies;
    const std::size_t periods = std::min(lines, tuning.period_bytes / (n * width) + 1), part = periods * n;
    for (std::size_t k = 0; k < periods; ++k) std::memcpy(copies.data() + k * n * width, other, n * width);
    const kernels::Lines repeated{copies.data(), 0, 0, 1, false};
    const std::size_t whole = lines / periods, rest = lines % periods * n;
    row.join_lines({dense, 0, bytes(part), 1, false}, repeated, {y, 0, bytes(part), 1, whole, part, false});
    if (rest == 0) return;
    const std::ptrdiff_t done = bytes(whole * part);
    return row.join_lines({dense + done, 0, 0, 1, false}, repeated, {y + done, 0, 0, 1, 1, rest, false});
  }
  for (std::size_t k = 0; k < calls; ++k) {
    if (pair.OtherRepeats(width)) {  // lines of n x lines elements
      row.join_lines({dense, 0, bytes(dense_step[2]), 1, false}, {other, 0, bytes(other_step[2]), n, false},
                     {y, 0, bytes(n * lines), 1, blocks, n * lines, false});
    } else {
      row.join_lines({dense, bytes(dense_step[2]), bytes(dense_step[1]), 1, false},
                     {other, bytes(other_step[2]), bytes(other_step[1]), other_step[0] == 0 ? n : 1, false},
                     {y, bytes(n * lines), bytes(n), blocks, lines, n, false});
    }
    dense += bytes(dense_step[3]);
    other += bytes(other_step[3]);
    y += bytes(n * lines * blocks);
  }
}

}  // namespace supremum
