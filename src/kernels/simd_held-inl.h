// Vectors as members of a class and as elements of an array, compiled once for each target:
// foreach_target.h includes this file several times.
#if defined(SUPREMUM_SRC_KERNELS_SIMD_HELD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SUPREMUM_SRC_KERNELS_SIMD_HELD_INL_H_
#undef SUPREMUM_SRC_KERNELS_SIMD_HELD_INL_H_
#else
#define SUPREMUM_SRC_KERNELS_SIMD_HELD_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"

// Elsewhere this file has no function, and clang warns of a target attribute that applies to none.
#if HWY_ARCH_ARM
HWY_BEFORE_NAMESPACE();
#endif
namespace supremum::kernels {
namespace {
namespace HWY_NAMESPACE {

// The bytes of a vector. HWY_MAX_BYTES is those of RVV's longest vector, but its kernels have a fixed length.
#if HWY_TARGET == HWY_RVV
inline constexpr std::size_t kVectorBytes = __riscv_v_fixed_vlen / 8;
#else
inline constexpr std::size_t kVectorBytes = HWY_MAX_BYTES;
#endif

// Holds a vector or a mask, with implicit conversions from and to it.
#if HWY_TARGET == HWY_SVE_256 || HWY_TARGET == HWY_SVE2_128

// SVE's own types can be neither members nor elements; types of the length given to the compiler can.
template <class V>
struct FixedLength;
// clang-format off
template <> struct FixedLength<svbool_t> { typedef svbool_t Type __attribute__((arm_sve_vector_bits(8 * HWY_MAX_BYTES))); };
template <> struct FixedLength<svint8_t> { typedef svint8_t Type __attribute__((arm_sve_vector_bits(8 * HWY_MAX_BYTES))); };
template <> struct FixedLength<svint16_t> { typedef svint16_t Type __attribute__((arm_sve_vector_bits(8 * HWY_MAX_BYTES))); };
template <> struct FixedLength<svint32_t> { typedef svint32_t Type __attribute__((arm_sve_vector_bits(8 * HWY_MAX_BYTES))); };
template <> struct FixedLength<svint64_t> { typedef svint64_t Type __attribute__((arm_sve_vector_bits(8 * HWY_MAX_BYTES))); };
template <> struct FixedLength<svuint8_t> { typedef svuint8_t Type __attribute__((arm_sve_vector_bits(8 * HWY_MAX_BYTES))); };
template <> struct FixedLength<svuint16_t> { typedef svuint16_t Type __attribute__((arm_sve_vector_bits(8 * HWY_MAX_BYTES))); };
template <> struct FixedLength<svuint32_t> { typedef svuint32_t Type __attribute__((arm_sve_vector_bits(8 * HWY_MAX_BYTES))); };
template <> struct FixedLength<svuint64_t> { typedef svuint64_t Type __attribute__((arm_sve_vector_bits(8 * HWY_MAX_BYTES))); };
// clang-format on
template <class V>
using Held = typename FixedLength<V>::Type;

#elif HWY_TARGET == HWY_RVV

// The same for RVV: whole vectors, and masks of one bit for each lane.
template <class V>
struct FixedLength;
// clang-format off
template <> struct FixedLength<vint8m1_t> { typedef vint8m1_t Type __attribute__((riscv_rvv_vector_bits(__riscv_v_fixed_vlen))); };
template <> struct FixedLength<vint16m1_t> { typedef vint16m1_t Type __attribute__((riscv_rvv_vector_bits(__riscv_v_fixed_vlen))); };
template <> struct FixedLength<vint32m1_t> { typedef vint32m1_t Type __attribute__((riscv_rvv_vector_bits(__riscv_v_fixed_vlen))); };
template <> struct FixedLength<vint64m1_t> { typedef vint64m1_t Type __attribute__((riscv_rvv_vector_bits(__riscv_v_fixed_vlen))); };
template <> struct FixedLength<vuint8m1_t> { typedef vuint8m1_t Type __attribute__((riscv_rvv_vector_bits(__riscv_v_fixed_vlen))); };
template <> struct FixedLength<vuint16m1_t> { typedef vuint16m1_t Type __attribute__((riscv_rvv_vector_bits(__riscv_v_fixed_vlen))); };
template <> struct FixedLength<vuint32m1_t> { typedef vuint32m1_t Type __attribute__((riscv_rvv_vector_bits(__riscv_v_fixed_vlen))); };
template <> struct FixedLength<vuint64m1_t> { typedef vuint64m1_t Type __attribute__((riscv_rvv_vector_bits(__riscv_v_fixed_vlen))); };
template <> struct FixedLength<vbool8_t> { typedef vbool8_t Type __attribute__((riscv_rvv_vector_bits(__riscv_v_fixed_vlen / 8))); };
template <> struct FixedLength<vbool16_t> { typedef vbool16_t Type __attribute__((riscv_rvv_vector_bits(__riscv_v_fixed_vlen / 16))); };
template <> struct FixedLength<vbool32_t> { typedef vbool32_t Type __attribute__((riscv_rvv_vector_bits(__riscv_v_fixed_vlen / 32))); };
template <> struct FixedLength<vbool64_t> { typedef vbool64_t Type __attribute__((riscv_rvv_vector_bits(__riscv_v_fixed_vlen / 64))); };
// clang-format on
template <class V>
using Held = typename FixedLength<V>::Type;

#elif HWY_TARGET == HWY_NEON

// Implicit constructors of classes that contain a Held are not compiled for the instruction set that the
// constructors of Highway's vectors require; Held's own default constructor is trivial.
template <class V>
struct Held {
  Held() = default;
  HWY_INLINE Held(V v) : raw(v.raw) {}
  HWY_INLINE operator V() const { return V(raw); }

  decltype(V::raw) raw;
};

#else

template <class V>
using Held = V;

#endif

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace supremum::kernels
#if HWY_ARCH_ARM
HWY_AFTER_NAMESPACE();
#endif

#endif  // per target
