// The comparisons, once for each target. Models are compiled as plain scalar code (CMakeLists.txt), so that
// no compiler makes of a model the very instruction that it is compared with.
#include "cosimulation/cosimulate.h"

#if defined(__aarch64__)  // SVE's instructions have no models
#define HWY_BROKEN_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cosimulation/cosimulate.cc"
// clang-format off
#include "kernels/simd_targets.h"  // the instruction sets of the kernels; must come before foreach_target.h
#include "hwy/foreach_target.h"    // must come before highway.h
#include "hwy/highway.h"
#include "cosimulation/run.h"
#include "kernels/simd_lanes-inl.h"
// clang-format on

#ifndef SUPREMUM_TESTS_COSIMULATION_COSIMULATE_CC_
#define SUPREMUM_TESTS_COSIMULATION_COSIMULATE_CC_

namespace supremum::kernels {
namespace {

using test::Run;

/// What a model returns for a lane of a mask: a truth value, or what is in the lane.
enum class Result { kLane, kTruth };

}  // namespace
}  // namespace supremum::kernels

#endif

HWY_BEFORE_NAMESPACE();
namespace supremum::kernels {
namespace {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

// The loops of portable.cc, which are compared once, below.
bool CompareTarget(DType, std::uint64_t) { return true; }

#elif HWY_TARGET != HWY_SSSE3 && HWY_TARGET != HWY_SSE4 && HWY_TARGET != HWY_AVX2 && \
    !(HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3) && HWY_TARGET != HWY_NEON

// An instruction set that the kernels are compiled for and verification/proofs/smt has no models of.
bool CompareTarget(DType dtype, std::uint64_t) {
  std::printf(
      "cosimulate: %s, %s: not compared, since verification/proofs/smt has no models of this target\n",
      hwy::TargetName(HWY_TARGET), std::string(Name(dtype)).c_str());
  return true;
}

#else

template <class D>
HWY_INLINE hn::Vec<D> InLanes(D, hn::Vec<D> v) {
  return v;
}
template <class D, class M, std::enable_if_t<std::is_same_v<M, hn::Mask<D> >, int> = 0>
HWY_INLINE hn::Vec<D> InLanes(D d, M mask) {
  return hn::VecFromMask(d, mask);
}

// The mask of the lanes whose lowest bit is set.
template <class V>
HWY_INLINE auto MaskIn(V operand) {
  const hn::DFromV<V> d;
  using T = hn::TFromD<decltype(d)>;
  return hn::Eq(hn::And(operand, hn::Set(d, static_cast<T>(1))), hn::Set(d, static_cast<T>(1)));
}

template <class V>
HWY_INLINE V MinOfUnsigned(V a, V b) {
  const hn::DFromV<V> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  return hn::BitCast(d, hn::Min(hn::BitCast(du, a), hn::BitCast(du, b)));
}

template <class T, Result kResult, class Real, class Model>
HWY_NOINLINE void Compare(Run& run, const char* name, Real real, Model model) {
  const typename Vectors<T>::D d;
  using Bits = hn::TFromD<decltype(d)>;
  using Unsigned = hwy::MakeUnsigned<Bits>;
  HWY_ALIGN Bits done[Run::kLanes];
  {
    const test::FlushSubnormals state(model::daz);
    const auto load = [&](std::size_t operand, std::size_t i)
                          HWY_ATTR { return hn::Load(d, run.Operand<Bits>(operand) + i); };
    for (std::size_t i = 0; i < Run::kLanes; i += hn::Lanes(d)) {
      hn::Store(InLanes(d, real(load(0, i), load(1, i), load(2, i), load(3, i))), d, done + i);
    }
  }
  const Unsigned* operands[Run::kOperands];
  for (std::size_t k = 0; k < Run::kOperands; ++k) operands[k] = run.Operand<Unsigned>(k);
  for (std::size_t i = 0; i < Run::kLanes; ++i) {
    std::uint64_t expected = model(operands[0][i], operands[1][i], operands[2][i], operands[3][i]);
    if (kResult == Result::kTruth && expected != 0) expected = static_cast<Unsigned>(~Unsigned{0});
    const std::uint64_t bits = static_cast<Unsigned>(done[i]);
    if (HWY_UNLIKELY(bits != expected)) run.Differ(name, i, sizeof(Bits), bits, expected);
  }
  run.Counted(name);
}

#if HWY_TARGET == HWY_SSSE3
#include "cosimulation/comparisons_ssse3-inl.h"
#elif HWY_TARGET == HWY_SSE4
#include "cosimulation/comparisons_sse4-inl.h"
#elif HWY_TARGET == HWY_AVX2
#include "cosimulation/comparisons_avx2-inl.h"
#elif HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
#include "cosimulation/comparisons_avx3-inl.h"
#elif HWY_TARGET == HWY_NEON
#include "cosimulation/comparisons_neon-inl.h"
#endif

bool CompareTarget(DType dtype, std::uint64_t pairs) {
  Run run(hwy::TargetName(HWY_TARGET), dtype, pairs);
  CompareAll(run);
  return run.Says();
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace supremum::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace supremum::kernels {
namespace {
namespace portable {

template <class T, Result kResult, class Real, class Model>
HWY_NOINLINE void Compare(Run& run, const char* name, Real real, Model model) {
  using Bits = std::make_unsigned_t<typename lane::Lane<T>::Bits>;
  const auto at = [&](std::size_t operand, std::size_t i) {
    return static_cast<typename lane::Lane<T>::Bits>(run.Operand<Bits>(operand)[i]);
  };
  Bits done[Run::kLanes];
  {
    const test::FlushSubnormals state(model::daz);
    for (std::size_t i = 0; i < Run::kLanes; ++i) {
      done[i] = static_cast<Bits>(real(at(0, i), at(1, i), at(2, i), at(3, i)));
    }
  }
  for (std::size_t i = 0; i < Run::kLanes; ++i) {
    const auto bits = [&](std::size_t operand) -> std::uint64_t { return run.Operand<Bits>(operand)[i]; };
    const std::uint64_t expected = model(bits(0), bits(1), bits(2), bits(3));
    if (done[i] != expected) run.Differ(name, i, sizeof(Bits), done[i], expected);
  }
  run.Counted(name);
}

#include "cosimulation/comparisons_portable-inl.h"

// Join against the model of another function.
void CompareWrong(Run& run) {
  Compare<float, Result::kLane>(
      run, "a wrong model", [](auto a, auto b, auto...) { return lane::Lane<float>::Join(a, b); },
      [](std::uint64_t a, std::uint64_t b, auto...) { return a < b ? b : a; });
}

}  // namespace portable

#ifdef HWY_COMPILE_ONLY_STATIC  // without Highway's library
bool CompareTargets(DType dtype, std::uint64_t pairs) {
  return HWY_STATIC_DISPATCH(CompareTarget)(dtype, pairs);
}
#else
HWY_EXPORT(CompareTarget);
bool CompareTargets(DType dtype, std::uint64_t pairs) {
  bool agree = true;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    agree = HWY_DYNAMIC_DISPATCH(CompareTarget)(dtype, pairs) && agree;
  }
  hwy::SetSupportedTargetsForTest(0);
  return agree;
}
#endif

}  // namespace
}  // namespace supremum::kernels

namespace supremum::test {

bool ModelsAgree(DType dtype, std::uint64_t pairs) {
  Run run("portable", dtype, pairs);
  kernels::portable::CompareAll(run);
  const bool portable_agrees = run.Says();
  return kernels::CompareTargets(dtype, pairs) && portable_agrees;
}

bool WrongModelAgrees() {
  Run run("portable", DType::kFloat32, 0);
  run.Each<float>(kernels::portable::CompareWrong);
  return run.Says();
}

}  // namespace supremum::test
#endif
