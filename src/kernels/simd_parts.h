// The primitives written with Highway. Each of several translation units compiles some primitives for every
// instruction set and type, so that a build compiles them in parallel and recompiles only those that change.
#ifndef SUPREMUM_SRC_KERNELS_SIMD_PARTS_H_
#define SUPREMUM_SRC_KERNELS_SIMD_PARTS_H_

#include <bit>
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

/// The same; with kOnlyForBytes, null pointers for types of more than one byte.
template <bool kOnlyForBytes, class MakePart>
constexpr auto MakeByDType(MakePart part) {
  return MakeByDType([=](auto tag) {
    if constexpr (!kOnlyForBytes || sizeof(typename decltype(tag)::type) == 1) {
      return part(tag);
    } else {
      return decltype(part(TypeTag<std::uint8_t>())){};
    }
  });
}

/// The part of reduce_runs for the shortest runs.
struct ShortRunKernels {
  /// As reduce_runs, for one block of contiguous runs; returns false and does nothing if their length is not
  /// IsCollected.
  bool (*reduce)(const Block& a, std::byte* acc);
};

/// True if contiguous runs of n elements of `width` bytes are reduced by ShortRunKernels, with vectors of
/// `vector_bytes`; others are by RunKernels, in groups of elements. The work of the former grows with the
/// square of a run's odd factor, that of groups with the number of runs. Measured, time of groups over that
/// of ShortRunKernels. Runs of 16 bytes and more: AVX2 0.43 to 1.03, SSE4 0.59 to 1.16, AVX-512 0.61 and 0.82
/// for 7 elements, 0.92 to 1.89 for others. Shorter runs: 0.12 to 0.83 for lengths that are in groups, AVX2
/// 0.6 to 1.6 for others, with up to 2.1 of the instructions. Cases: reduce * inner, short.
constexpr bool IsCollected(std::size_t vector_bytes, std::size_t width, std::size_t n) {
  if (n < 2) return false;
  const std::size_t bytes = n * width, odd = n >> std::countr_zero(n);
  if (bytes >= 16) return vector_bytes == 64 && (n <= 6 || n == 10 || n == 12);
  return vector_bytes == 64 ? odd < 11 : odd < 7 || bytes <= 8;
}

/// The number of RVV's parts for vectors of `bits` bits, a power of two. Highway has one number for all
/// lengths, and numbers in lower bits only for other processors.
constexpr std::int64_t RvvTarget(std::int64_t highway_target, std::int64_t bits) {
  return highway_target | bits;
}

/// The parts that the translation units define for the instruction set of Highway's number kTarget, or
/// RvvTarget's. They are constant-initialised data, so that listing them executes no instruction of that set.
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
extern const SimdParts kSve2Parts128;
extern const SimdParts kSveParts256;
#endif

#if SUPREMUM_WITH_Z14
/// The parts for IBM Z from z14 on.
extern const SimdParts kZ14Parts;
#endif

#if SUPREMUM_WITH_RVV
/// The parts for RISC-V's vectors of 128 bits, and of 256 bits.
extern const SimdParts kRvvParts128;
extern const SimdParts kRvvParts256;

/// The bytes of a vector. Requires: this process may use vectors, as RvvVectorBits() finds out.
std::int64_t RvvVectorBytes();

/// The bits of a vector, where this process may use the vectors of RISC-V's standard (RVV 1.0); otherwise 0.
std::int64_t RvvVectorBits();
#endif

}  // namespace supremum::kernels

#endif  // SUPREMUM_SRC_KERNELS_SIMD_PARTS_H_
