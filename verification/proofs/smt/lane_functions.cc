// The lane functions of the kernels, each as a function of its own, for lanes.py: the shipping headers,
// compiled for every target by Highway's own attributes, as the kernels are.
//
//   NAME__TYPE__TARGET(in, out)   reads vectors from `in`, one after the other, and writes vectors to `out`
//
// A fold is its parts, one vector each.
//
// With HWY_COMPILE_ONLY_STATIC: for HWY_BASELINE_TARGETS alone, as simd_sve_256.cc is (objects.py).
#ifndef HWY_COMPILE_ONLY_STATIC
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lane_functions.cc"
#include "kernels/simd_targets.h"  // must come first
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#endif
#include "hwy/highway.h"
#include "kernels/simd_lanes-inl.h"
// clang-format on

#ifndef SUPREMUM_VERIFICATION_PROOFS_SMT_LANE_FUNCTIONS_CC_
#define SUPREMUM_VERIFICATION_PROOFS_SMT_LANE_FUNCTIONS_CC_

// The only macros: names of symbols cannot be made of template arguments.
#define SUPREMUM_NAME_OF(function, type, target) function##__##type##__##target
#define SUPREMUM_NAME(function, type, target) SUPREMUM_NAME_OF(function, type, target)
#define SUPREMUM_FUNCTION(function, emitter, type, target)                                            \
  extern "C" __attribute__((used, visibility("default"))) void SUPREMUM_NAME(function, type, target)( \
      const std::byte* in, std::byte* out) {                                                          \
    emitter::function(in, out);                                                                       \
  }
#define SUPREMUM_ELEMENT_FUNCTIONS(emitter, type, target) \
  SUPREMUM_FUNCTION(Join, emitter, type, target)          \
  SUPREMUM_FUNCTION(Canonical, emitter, type, target)     \
  SUPREMUM_FUNCTION(Key, emitter, type, target)           \
  SUPREMUM_FUNCTION(KeyMax, emitter, type, target)        \
  SUPREMUM_FUNCTION(FromKey, emitter, type, target)
#define SUPREMUM_VECTOR_FUNCTIONS(emitter, type, target) \
  SUPREMUM_FUNCTION(JoinOperand, emitter, type, target)  \
  SUPREMUM_FUNCTION(KeyMin, emitter, type, target)       \
  SUPREMUM_FUNCTION(TopKey, emitter, type, target)       \
  SUPREMUM_FUNCTION(BottomKey, emitter, type, target)    \
  SUPREMUM_FUNCTION(Identity, emitter, type, target)     \
  SUPREMUM_FUNCTION(First, emitter, type, target)        \
  SUPREMUM_FUNCTION(Add, emitter, type, target)          \
  SUPREMUM_FUNCTION(AddOther, emitter, type, target)     \
  SUPREMUM_FUNCTION(Result, emitter, type, target)       \
  SUPREMUM_FUNCTION(ResultKey, emitter, type, target)

// FUNCTIONS of each type, named as in models.py.
#define SUPREMUM_ALL_TYPES(FUNCTIONS, Emitter, target) \
  FUNCTIONS(Emitter<BFloat16>, bf16, target)           \
  FUNCTIONS(Emitter<Float16>, f16, target)             \
  FUNCTIONS(Emitter<float>, f32, target)               \
  FUNCTIONS(Emitter<double>, f64, target)              \
  FUNCTIONS(Emitter<std::int8_t>, i8, target)          \
  FUNCTIONS(Emitter<std::int16_t>, i16, target)        \
  FUNCTIONS(Emitter<std::int32_t>, i32, target)        \
  FUNCTIONS(Emitter<std::int64_t>, i64, target)        \
  FUNCTIONS(Emitter<std::uint8_t>, u8, target)         \
  FUNCTIONS(Emitter<std::uint16_t>, u16, target)       \
  FUNCTIONS(Emitter<std::uint32_t>, u32, target)       \
  FUNCTIONS(Emitter<std::uint64_t>, u64, target)       \
  FUNCTIONS(Emitter<bool>, bool, target)

#endif

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
HWY_BEFORE_NAMESPACE();
namespace supremum::kernels {
namespace {
namespace HWY_NAMESPACE {

template <class T>
struct Emitter {
  using L = Vectors<T>;
  using D = typename L::D;
  using V = typename L::V;
  using Fold = typename L::Fold;
  using Bits = typename L::Bits;
  static constexpr bool kOfExtremes = requires(Fold f) { f.moved_min; };
  static constexpr std::size_t kParts = kOfExtremes ? 2 : 1;

  static HWY_INLINE V Load(const std::byte* in, std::size_t k) {
    return hn::LoadU(D(), reinterpret_cast<const Bits*>(in) + k * hn::Lanes(D()));
  }
  static HWY_INLINE void Store(V v, std::byte* out, std::size_t k = 0) {
    hn::StoreU(v, D(), reinterpret_cast<Bits*>(out) + k * hn::Lanes(D()));
  }
  static HWY_INLINE Fold LoadFold(const std::byte* in, std::size_t k) {
    if constexpr (kOfExtremes) {
      return Fold{Load(in, k), Load(in, k + 1)};
    } else {
      return Fold{Load(in, k)};
    }
  }
  static HWY_INLINE void StoreFold(const Fold& fold, std::byte* out) {
    if constexpr (kOfExtremes) {
      Store(fold.signed_max, out, 0);
      Store(fold.moved_min, out, 1);
    } else if constexpr (requires { fold.key; }) {
      Store(fold.key, out);
    } else {
      Store(fold.max, out);
    }
  }

  static HWY_INLINE void Join(const std::byte* in, std::byte* out) {
    Store(L::Join(Load(in, 0), Load(in, 1)), out);
  }
  static HWY_INLINE void Larger(const std::byte* in, std::byte* out) {
    Store(L::Larger(Load(in, 0), Load(in, 1)), out);
  }
  static HWY_INLINE void JoinOperand(const std::byte* in, std::byte* out) {
    Store(L::Join(Load(in, 0), L::OperandOf(Load(in, 1))), out);
  }
  static HWY_INLINE void Canonical(const std::byte* in, std::byte* out) {
    Store(L::Canonical(Load(in, 0)), out);
  }
  static HWY_INLINE void Key(const std::byte* in, std::byte* out) { Store(L::Key(Load(in, 0)), out); }
  static HWY_INLINE void KeyMax(const std::byte* in, std::byte* out) {
    Store(L::KeyMax(Load(in, 0), Load(in, 1)), out);
  }
  static HWY_INLINE void KeyMin(const std::byte* in, std::byte* out) {
    Store(L::KeyMin(Load(in, 0), Load(in, 1)), out);
  }
  static HWY_INLINE void TopKey(const std::byte*, std::byte* out) { Store(hn::Set(D(), L::kTopKey), out); }
  static HWY_INLINE void BottomKey(const std::byte*, std::byte* out) {
    Store(hn::Set(D(), L::kBottomKey), out);
  }
  static HWY_INLINE void FromKey(const std::byte* in, std::byte* out) { Store(L::FromKey(Load(in, 0)), out); }
  static HWY_INLINE void Identity(const std::byte*, std::byte* out) { StoreFold(L::Identity(), out); }
  static HWY_INLINE void First(const std::byte* in, std::byte* out) { StoreFold(L::First(Load(in, 0)), out); }
  static HWY_INLINE void Add(const std::byte* in, std::byte* out) {
    Fold fold = LoadFold(in, 0);
    L::Add(fold, Load(in, kParts));
    StoreFold(fold, out);
  }
  static HWY_INLINE void AddOther(const std::byte* in, std::byte* out) {
    Fold fold = LoadFold(in, 0);
    L::Add(fold, LoadFold(in, kParts));
    StoreFold(fold, out);
  }
  static HWY_INLINE void Result(const std::byte* in, std::byte* out) {
    Store(L::Result(LoadFold(in, 0)), out);
  }
  static HWY_INLINE void ResultKey(const std::byte* in, std::byte* out) {
    Store(L::ResultKey(LoadFold(in, 0)), out);
  }
};

SUPREMUM_ALL_TYPES(SUPREMUM_ELEMENT_FUNCTIONS, Emitter, HWY_NAMESPACE)
SUPREMUM_ALL_TYPES(SUPREMUM_VECTOR_FUNCTIONS, Emitter, HWY_NAMESPACE)
#if HWY_TARGET > HWY_AVX3
SUPREMUM_FUNCTION(Larger, Emitter<double>, f64, HWY_NAMESPACE)
#endif

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace supremum::kernels
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE && !defined(SUPREMUM_WITHOUT_PORTABLE)
#include "kernels/portable.cc"  // its functions are in an unnamed namespace

namespace supremum::kernels {
namespace {

// The portable kernels: a vector of 16 bytes, and one element.
template <class T>
struct PortableVector {
  using P = Portable<T>;
  using V = typename P::V;

  static V Load(const std::byte* in) {
    V v;
    std::memcpy(&v, in, sizeof(v));
    return v;
  }
  static void Store(V v, std::byte* out) { std::memcpy(out, &v, sizeof(v)); }

  static void Join(const std::byte* in, std::byte* out) {
    Store(P::K::Join(Load(in), Load(in + sizeof(V))), out);
  }
  static void Canonical(const std::byte* in, std::byte* out) { Store(P::K::Canonical(Load(in)), out); }
  static void Key(const std::byte* in, std::byte* out) { Store(P::LoadVector(in), out); }
  static void KeyMax(const std::byte* in, std::byte* out) {
    Store(P::Larger(Load(in), Load(in + sizeof(V))), out);
  }
  static void FromKey(const std::byte* in, std::byte* out) { P::StoreVector(Load(in), out); }
};

template <class T>
struct PortableElement {
  using P = Portable<T>;
  using Key_ = typename P::Key;

  static Key_ Load(const std::byte* in) {
    Key_ key;
    std::memcpy(&key, in, sizeof(key));
    return key;
  }
  static void Store(Key_ key, std::byte* out) { std::memcpy(out, &key, sizeof(key)); }

  static void Join(const std::byte* in, std::byte* out) {
    P::Store(P::Larger(P::Load(in), P::Load(in + P::kWidth)), out);
  }
  static void Canonical(const std::byte* in, std::byte* out) { P::Store(P::Load(in), out); }
  static void Key(const std::byte* in, std::byte* out) { Store(P::Load(in), out); }
  static void KeyMax(const std::byte* in, std::byte* out) {
    Store(P::Larger(Load(in), Load(in + P::kWidth)), out);
  }
  static void FromKey(const std::byte* in, std::byte* out) { P::Store(Load(in), out); }
};

SUPREMUM_ALL_TYPES(SUPREMUM_ELEMENT_FUNCTIONS, PortableVector, portable)
SUPREMUM_ALL_TYPES(SUPREMUM_ELEMENT_FUNCTIONS, PortableElement, portable_element)

// lane.h itself, as other code calls it (threads' and ranks' partial results).
template <class T>
struct LaneElement {
  using L = lane::Lane<T>;
  using Bits = typename L::Bits;

  static Bits Load(const std::byte* in) {
    Bits bits;
    std::memcpy(&bits, in, sizeof(bits));
    return bits;
  }
  static void Store(Bits bits, std::byte* out) { std::memcpy(out, &bits, sizeof(bits)); }

  static void Join(const std::byte* in, std::byte* out) {
    Store(L::Join(Load(in), Load(in + sizeof(Bits))), out);
  }
  static void Canonical(const std::byte* in, std::byte* out) { Store(L::Canonical(Load(in)), out); }
};

#define SUPREMUM_LANE_FUNCTIONS(emitter, type, target) \
  SUPREMUM_FUNCTION(Join, emitter, type, target)       \
  SUPREMUM_FUNCTION(Canonical, emitter, type, target)
SUPREMUM_ALL_TYPES(SUPREMUM_LANE_FUNCTIONS, LaneElement, lane)

}  // namespace
}  // namespace supremum::kernels
#endif
