// Max and ReduceMax of tensors whose shapes are constants of the program: headers alone, no checks at run
// time, evaluated by the compiler if the elements are constants. Results have the same bits as those of
// supremum::Max and supremum::ReduceMax.
#ifndef SUPREMUM_STATIC_H_
#define SUPREMUM_STATIC_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "supremum/dtype.h"
#include "supremum/lane.h"
#include "supremum/shape.h"

namespace supremum {

/// A shape of constants, outermost dimension first: Extents<480, 640, 3>. A scalar's is Extents<>.
template <std::int64_t... kExtents>
struct Extents {
  static constexpr std::size_t kRank = sizeof...(kExtents);
  static_assert(kRank <= kMaxRank, "supremum: a shape has at most 64 dimensions (BRO-4)");
  static_assert(((kExtents >= 0) && ...), "supremum: an extent is negative");

  static constexpr std::array<std::int64_t, kRank> kDims = {kExtents...};
  static_assert(ElementCount(kDims).has_value(), "supremum: a shape has more than 2^63 - 1 elements");
  static constexpr std::size_t kElements = static_cast<std::size_t>(ElementCount(kDims).value_or(0));
};

/// The dimensions to reduce, as ReduceMaxOptions::axes: Axes<0, -1>. Axes<> is the identity (RED-4).
template <std::int64_t... kAxes>
struct Axes {};

/// All dimensions, as ReduceMaxOptions::axes that is absent.
struct AllAxes {};

namespace static_shapes {

// The common shape of operands (BRO-1, BRO-2).
struct Common {
  std::array<std::int64_t, kMaxRank> dims = {};
  std::size_t rank = 0;
  bool exists = true;

  constexpr std::optional<std::int64_t> Count() const { return ElementCount(DimsView(dims.data(), rank)); }
};

template <class... Shapes>
consteval Common CommonOf() {
  Common common;
  for (const std::size_t rank : {std::size_t{0}, Shapes::kRank...}) common.rank = std::max(common.rank, rank);
  for (std::size_t j = 0; j < common.rank; ++j) common.dims[j] = 1;
  const auto add = [&](DimsView dims) {
    for (std::size_t d = 0; d < dims.size(); ++d) {
      std::int64_t& extent = common.dims[common.rank - dims.size() + d];
      if (dims[d] == 1 || dims[d] == extent) continue;
      common.exists = common.exists && extent == 1;
      extent = dims[d];
    }
  };
  (add(Shapes::kDims), ...);
  return common;
}

// Loops over the elements of the largest operand, innermost first, neighbours merged where every operand's
// step allows it. Steps in elements; 0 where an operand is broadcast (BRO-5) or, in a reduction, where the
// output is reduced.
template <std::size_t kOperands>
struct Nest {
  std::size_t count = 0;
  std::array<std::size_t, kMaxRank> extent = {};
  std::array<std::array<std::size_t, kOperands>, kMaxRank> step = {};

  constexpr void Add(std::size_t loop_extent, const std::array<std::size_t, kOperands>& loop_step) {
    if (loop_extent == 1) return;
    bool merges = count > 0;
    for (std::size_t m = 0; merges && m < kOperands; ++m) {
      merges = loop_step[m] == step[count - 1][m] * extent[count - 1];
    }
    if (merges) {
      extent[count - 1] *= loop_extent;
    } else {
      extent[count] = loop_extent;
      step[count++] = loop_step;
    }
  }
};

// Operand 0 is the output, the others are the inputs.
template <class... Shapes>
consteval Nest<1 + sizeof...(Shapes)> MaxNest() {
  constexpr std::size_t kOperands = 1 + sizeof...(Shapes);
  const Common common = CommonOf<Shapes...>();
  Nest<kOperands> nest;
  std::array<std::size_t, kOperands> elements = {};
  elements.fill(1);
  for (std::size_t j = common.rank; j-- > 0;) {
    std::array<std::size_t, kOperands> step = {elements[0]};
    std::size_t m = 1;
    const auto add = [&](DimsView dims) {
      const std::size_t missing = common.rank - dims.size();
      if (j >= missing && dims[j - missing] != 1) {
        step[m] = elements[m];
        elements[m] *= static_cast<std::size_t>(dims[j - missing]);
      }
      ++m;
    };
    (add(Shapes::kDims), ...);
    nest.Add(static_cast<std::size_t>(common.dims[j]), step);
    elements[0] *= static_cast<std::size_t>(common.dims[j]);
  }
  return nest;
}

// An element, and the key that orders it: an integer whose maximum is the key of the maximum (lane.h).
template <class T>
struct Keys {
  using L = lane::Lane<T>;
  using Key = typename L::Bits;
  static constexpr Key kBottom = L::kBottom;
  static constexpr Key KeyOf(const T& a) {
    // By memory: a bool may have the bits of any byte here, as in the library, and must not be loaded as one.
    Key bits = {};
    if (std::is_constant_evaluated()) {
      bits = std::bit_cast<Key>(a);
    } else {
      std::memcpy(&bits, &a, sizeof bits);
    }
    return L::Canonical(bits);
  }
  static constexpr T FromKey(Key key) { return std::bit_cast<T>(key); }
};
template <class T>
requires requires { typename lane::Lane<T>::Key; }
struct Keys<T> {
  using L = lane::Lane<T>;
  using Key = typename L::Key;
  static constexpr Key kBottom = L::KeyOf(L::kBottom);
  static constexpr Key KeyOf(const T& a) { return L::KeyOf(std::bit_cast<typename L::Bits>(a)); }
  static constexpr T FromKey(Key key) { return std::bit_cast<T>(L::FromKey(key)); }
};

template <class Key>
constexpr Key Larger(Key a, Key b) {
  return a < b ? b : a;
}

// The loop that follows has no element that one iteration writes and another one reads: the output is exactly
// an input or shares no memory with it. Without this, a compiler that does not know it does not vectorise
// (GCC at -O2), or checks addresses at run time.
#if defined(__clang__)
#define SUPREMUM_INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define SUPREMUM_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#else
#define SUPREMUM_INDEPENDENT_ITERATIONS
#endif

template <class T, class... Shapes>
struct MaxLoops {
  using K = Keys<T>;
  static constexpr auto kNest = MaxNest<Shapes...>();
  static constexpr std::size_t kInputs = sizeof...(Shapes);
  using Inputs = std::array<const T*, kInputs>;

  template <std::size_t... m>
  static constexpr T ElementAt(const Inputs& x, std::size_t i, std::index_sequence<m...>) {
    typename K::Key key = K::kBottom;
    ((key = m == 0 ? K::KeyOf(x[m][i * Step(0, 1 + m)]) : Larger(key, K::KeyOf(x[m][i * Step(0, 1 + m)]))),
     ...);
    return K::FromKey(key);
  }

  static constexpr std::size_t Step(std::size_t loop, std::size_t operand) {
    return kNest.count == 0 ? 0 : kNest.step[loop][operand];
  }

  // The innermost `kLoops` loops.
  template <std::size_t kLoops>
  static constexpr void Run(T* y, const Inputs& x) {
    constexpr std::make_index_sequence<kInputs> kEach;
    if constexpr (kLoops == 0) {
      *y = ElementAt(x, 0, kEach);
    } else if constexpr (kLoops == 1) {
      constexpr std::size_t kExtent =
          kNest.extent[0];  // GCC ignores the annotation of a loop to kNest.extent[0]
      SUPREMUM_INDEPENDENT_ITERATIONS
      for (std::size_t i = 0; i < kExtent; ++i) y[i] = ElementAt(x, i, kEach);
    } else {
      constexpr std::size_t kLoop = kLoops - 1;
      for (std::size_t i = 0; i < kNest.extent[kLoop]; ++i) {
        Inputs at = x;
        for (std::size_t m = 0; m < kInputs; ++m) at[m] += i * Step(kLoop, 1 + m);
        Run<kLoop>(y + i * Step(kLoop, 0), at);
      }
    }
  }
};

// Which dimensions axes name; `error` is set if one is named twice or out of range (RED-2).
struct Reduced {
  std::array<bool, kMaxRank> has = {};
  bool out_of_range = false, twice = false;
};

template <std::size_t kRank, std::int64_t... kAxes>
consteval Reduced ReducedOf(Axes<kAxes...>) {
  Reduced reduced;
  constexpr std::int64_t kSigned = static_cast<std::int64_t>(kRank);
  for (const std::int64_t axis : std::array<std::int64_t, sizeof...(kAxes)>{kAxes...}) {
    if (axis < -kSigned || axis >= kSigned) {
      reduced.out_of_range = true;
      continue;
    }
    bool& has = reduced.has[static_cast<std::size_t>(axis < 0 ? axis + kSigned : axis)];
    reduced.twice = reduced.twice || has;
    has = true;
  }
  return reduced;
}
template <std::size_t kRank>
consteval Reduced ReducedOf(AllAxes) {
  Reduced reduced;
  for (std::size_t d = 0; d < kRank; ++d) reduced.has[d] = true;
  return reduced;
}

// The loops of a reduction: those that are kept, and those that are reduced. Operand 0 is the output, operand
// 1 the source.
template <class Source, class SomeAxes>
struct ReduceNest {
  static constexpr Reduced kReduced = ReducedOf<Source::kRank>(SomeAxes());

  static consteval Nest<2> LoopsOf(bool reduced) {
    Nest<2> nest;
    std::size_t kept_elements = 1, elements = 1;
    for (std::size_t d = Source::kRank; d-- > 0;) {
      const std::size_t extent = static_cast<std::size_t>(Source::kDims[d]);
      if (kReduced.has[d] == reduced) nest.Add(extent, {reduced ? 0 : kept_elements, elements});
      if (!kReduced.has[d]) kept_elements *= extent;
      elements *= extent;
    }
    return nest;
  }

  static constexpr Nest<2> kKept = LoopsOf(false), kFolded = LoopsOf(true);
  static constexpr std::size_t kKeptElements = [] {
    std::size_t elements = 1;
    for (std::size_t d = 0; d < Source::kRank; ++d) {
      if (!kReduced.has[d]) elements *= static_cast<std::size_t>(Source::kDims[d]);
    }
    return elements;
  }();
};

template <class T, class Source, class SomeAxes>
struct ReduceLoops {
  using K = Keys<T>;
  using Key = typename K::Key;
  using N = ReduceNest<Source, SomeAxes>;
  static constexpr auto &kKept = N::kKept, &kFolded = N::kFolded;

  // Kept elements that are next to each other in the source are folded as a row, a part of it at a time:
  // their keys stay in registers or in the first-level cache.
  static constexpr bool kRows = kKept.count > 0 && kKept.step[0][1] == 1;
  static constexpr std::size_t kPart = 64 / sizeof(T) * 4;

  template <std::size_t kLoops, std::size_t kCount>
  static constexpr void Fold(std::array<Key, kCount>& keys, const T* x) {
    if constexpr (kLoops == 0) {
      for (std::size_t j = 0; j < kCount; ++j) keys[j] = Larger(keys[j], K::KeyOf(x[j]));
    } else if constexpr (kLoops == 1 && kCount == 1) {
      Key key = keys[0];
      for (std::size_t i = 0; i < kFolded.extent[0]; ++i)
        key = Larger(key, K::KeyOf(x[i * kFolded.step[0][1]]));
      keys[0] = key;
    } else {
      constexpr std::size_t kLoop = kLoops - 1;
      for (std::size_t i = 0; i < kFolded.extent[kLoop]; ++i)
        Fold<kLoop>(keys, x + i * kFolded.step[kLoop][1]);
    }
  }

  template <std::size_t kCount>
  static constexpr void Elements(T* y, const T* x) {
    std::array<Key, kCount> keys;
    keys.fill(K::kBottom);
    Fold<kFolded.count>(keys, x);
    for (std::size_t j = 0; j < kCount; ++j) y[j] = K::FromKey(keys[j]);
  }

  // The innermost `kLoops` kept loops.
  template <std::size_t kLoops>
  static constexpr void Run(T* y, const T* x) {
    if constexpr (kLoops == 0) {
      Elements<1>(y, x);
    } else if constexpr (kLoops == 1 && kRows) {
      constexpr std::size_t kWhole = kKept.extent[0] / kPart * kPart, kRest = kKept.extent[0] - kWhole;
      for (std::size_t j = 0; j < kWhole; j += kPart) Elements<kPart>(y + j, x + j);
      if constexpr (kRest > 0) Elements<kRest>(y + kWhole, x + kWhole);
    } else {
      constexpr std::size_t kLoop = kLoops - 1;
      for (std::size_t i = 0; i < kKept.extent[kLoop]; ++i) {
        Run<kLoop>(y + i * kKept.step[kLoop][0], x + i * kKept.step[kLoop][1]);
      }
    }
  }
};

#undef SUPREMUM_INDEPENDENT_ITERATIONS

// Elements in memory whose number is a constant: an array, a std::array, or a std::span of static extent.
template <class Elements>
using SpanOf = decltype(std::span(std::declval<Elements&>()));

template <class T, class Shape, class Elements>
constexpr std::span<const T> InputOf(const Elements& elements) {
  using Span = SpanOf<const Elements>;
  static_assert(std::is_same_v<std::remove_cv_t<typename Span::element_type>, T>,
                "supremum: inputs and output have elements of one type (TYP-2)");
  static_assert(Span::extent != std::dynamic_extent,
                "supremum: the number of an input's elements is not a constant; pass std::span<const T, N>");
  static_assert(Span::extent == Shape::kElements,
                "supremum: an input has another number of elements than its shape");
  return Span(elements);
}

template <std::size_t kElements, class Elements>
constexpr auto OutputOf(Elements& elements) {
  using Span = SpanOf<Elements>;
  static_assert(!std::is_const_v<typename Span::element_type>, "supremum: the output is const");
  static_assert(Span::extent != std::dynamic_extent,
                "supremum: the number of the output's elements is not a constant; pass std::span<T, N>");
  static_assert(Span::extent == kElements,
                "supremum: E2: the output has another number of elements than the computed shape");
  return Span(elements).data();
}

}  // namespace static_shapes

/// The maximum of inputs of constant shapes, element by element, broadcast to their common shape, into
/// `output`.
///
///   output[i] = max over m of z_m[i],   z_m = inputs[m] broadcast to the common shape   (MAX-2, BRO-5)
///
/// in the order of section 1 of docs/semantics.md, with the bits of supremum::Max (ORD-1..6). The elements
/// are in row-major order, in an array, a std::array, or a std::span of static extent.
///
/// Requires: `output` is exactly one of the inputs that has its shape, or shares no memory with any (MEM-2).
/// Errors, by the compiler, each a static_assert that names its rule: another number of inputs than of shapes
///   (MAX-1), other types (TYP-2), bool (TYP-3), shapes with no common one (E1), another number of elements
///   in the output (E2).
/// Cost: the loops, which the compiler vectorises; no allocation.
///
///   std::array<float, 6> y;
///   StaticMax<Extents<2, 3>, Extents<3>>(y, a, b);    // std::array<float, 6> a; float b[3];
template <class... Shapes, class Output, class... Inputs>
constexpr void StaticMax(Output&& output, const Inputs&... inputs) {
  using T = typename static_shapes::SpanOf<std::remove_reference_t<Output>>::value_type;
  constexpr auto kCommon = static_shapes::CommonOf<Shapes...>();
  static_assert(sizeof...(Inputs) >= 1, "supremum: Max has at least one input (MAX-1)");
  static_assert(sizeof...(Inputs) == sizeof...(Shapes), "supremum: Max has one shape for each input (MAX-1)");
  static_assert(Element<T> && !std::is_same_v<T, bool>,
                "supremum: Max has the twelve number types (TYP-1, TYP-3)");
  static_assert(kCommon.exists, "supremum: E1: the inputs' shapes cannot be broadcast to one (BRO-2)");
  if constexpr (sizeof...(Inputs) == sizeof...(Shapes) && kCommon.exists && Element<T>) {
    static_assert(kCommon.Count().has_value(), "supremum: the output has more than 2^63 - 1 elements");
    constexpr std::size_t kElements = static_cast<std::size_t>(kCommon.Count().value_or(0));
    const std::array<const T*, sizeof...(Inputs)> x = {static_shapes::InputOf<T, Shapes>(inputs).data()...};
    T* const y = static_shapes::OutputOf<kElements>(output);
    using Loops = static_shapes::MaxLoops<T, Shapes...>;
    if constexpr (kElements > 0) Loops::template Run<Loops::kNest.count>(y, x);
  }
}

/// The maximum of a source of a constant shape along `SomeAxes`, into `output`.
///
///   output[i] = max over all source[j] with j = i outside the axes   (RED-1)
///
/// in the order of section 1 of docs/semantics.md, with the bits of supremum::ReduceMax; the maximum over no
/// elements is that of RED-6. The output is row-major; whether it keeps the reduced dimensions changes no
/// element.
///
/// Requires: `output` shares no memory with the source, or is exactly the source and no extent above 1 is
///   reduced (MEM-2).
/// Errors, by the compiler, each a static_assert that names its rule: other types (TYP-2, TYP-4), an axis out
///   of range or named twice (RED-2), another number of elements in the output (E2).
/// Cost: the loops, which the compiler vectorises; no allocation.
///
///   std::array<float, 2> y;
///   StaticReduceMax<Extents<2, 3>, Axes<-1>>(y, x);    // std::array<float, 6> x;
template <class Source, class SomeAxes = AllAxes, class Output, class Input>
constexpr void StaticReduceMax(Output&& output, const Input& source) {
  using T = typename static_shapes::SpanOf<std::remove_reference_t<Output>>::value_type;
  constexpr auto kReduced = static_shapes::ReducedOf<Source::kRank>(SomeAxes());
  static_assert(Element<T>, "supremum: ReduceMax has the twelve number types and bool (TYP-1, TYP-4)");
  static_assert(!kReduced.out_of_range, "supremum: an axis is not in [-r, r-1], r the source's rank (RED-2)");
  static_assert(!kReduced.twice, "supremum: a dimension is named twice by the axes (RED-2)");
  if constexpr (Element<T> && !kReduced.out_of_range && !kReduced.twice) {
    using Loops = static_shapes::ReduceLoops<T, Source, SomeAxes>;
    const T* const x = static_shapes::InputOf<T, Source>(source).data();
    T* const y = static_shapes::OutputOf<Loops::N::kKeptElements>(output);
    if constexpr (Loops::N::kKeptElements > 0) Loops::template Run<Loops::kKept.count>(y, x);
  }
}

}  // namespace supremum

#endif  // SUPREMUM_STATIC_H_
