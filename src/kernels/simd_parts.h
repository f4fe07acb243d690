// The primitives written with Highway. Each of several translation units compiles some primitives for every
// instruction set and type, so that a build compiles them in parallel and recompiles only those that change.
#ifndef SUPREMUM_SRC_KERNELS_SIMD_PARTS_H_
#define SUPREMUM_SRC_KERNELS_SIMD_PARTS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kernels/kernels.h"

namespace supremum::kernels {

template <class Part>
struct ByDType {
  Part rows[kAllDTypes.size()];
};

/// Returns part(tag) for the tag of each type.
template <class MakePart>
constexpr auto MakeByDType(MakePart part) {
  ByDType<decltype(part(TypeTag<float>()))> parts{};
  for (DType dtype : kAllDTypes) parts.rows[static_cast<std::size_t>(dtype)] = VisitDType(dtype, part);
  return parts;
}

/// The part of reduce_runs for the shortest runs.
struct ShortRunKernels {
  /// As reduce_runs, for one block of contiguous runs; returns false and does nothing if their length is not
  /// one of those in simd_short_runs-inl.h.
  bool (*reduce)(const Block& a, std::byte* acc);
};

/// What the translation units define for the instruction set of Highway's number kTarget:
/// constant-initialised data, so that listing it executes no instruction of that set.
template <std::int64_t kTarget>
struct Simd {
  static const ByDType<JoinKernels> joins;           // simd_join.cc
  static const ByDType<LineKernels> lines;           // simd_lines.cc
  static const ByDType<ManyKernels> many;            // simd_many.cc
  static const ByDType<MoveKernels> moves;           // simd_moves.cc
  static const ByDType<FoldKernels> folds;           // simd_rows.cc
  static const ByDType<RunKernels> runs;             // simd_runs.cc
  static const ByDType<ShortRunKernels> short_runs;  // simd_short_runs.cc
};

/// The parts of one instruction set.
struct SimdParts {
  std::string_view target;
  const ByDType<JoinKernels>* joins;
  const ByDType<LineKernels>* lines;
  const ByDType<ManyKernels>* many;
  const ByDType<MoveKernels>* moves;
  const ByDType<FoldKernels>* folds;
  const ByDType<RunKernels>* runs;
};

#if SUPREMUM_WITH_SVE
/// The parts for Arm's SVE2 with vectors of 128 bits, and for SVE with vectors of 256 bits.
const SimdParts& Sve2Parts128();
const SimdParts& SveParts256();
#endif

}  // namespace supremum::kernels

#endif  // SUPREMUM_SRC_KERNELS_SIMD_PARTS_H_
