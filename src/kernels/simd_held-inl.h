// Vectors as members of a class and as elements of an array, once for each target. Included by
// foreach_target.h several times.
#if defined(SUPREMUM_SRC_KERNELS_SIMD_HELD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SUPREMUM_SRC_KERNELS_SIMD_HELD_INL_H_
#undef SUPREMUM_SRC_KERNELS_SIMD_HELD_INL_H_
#else
#define SUPREMUM_SRC_KERNELS_SIMD_HELD_INL_H_
#endif

#include "hwy/highway.h"

// Without a function there is nothing to compile for an instruction set, and clang says so.
#if HWY_ARCH_ARM
HWY_BEFORE_NAMESPACE();
#endif
namespace supremum::kernels {
namespace {
namespace HWY_NAMESPACE {

// What holds a vector or a mask, from which it comes and to which it turns without being asked.
#if HWY_TARGET == HWY_SVE_256 || HWY_TARGET == HWY_SVE2_128

// SVE's own types can be neither: ones of the length that the compiler has been told can.
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

#elif HWY_TARGET == HWY_NEON

// The constructors of classes that hold others are not compiled for the instruction set that those of
// Highway's vectors ask for: this has none that does anything.
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
