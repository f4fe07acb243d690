// Vectors of 16 bytes in the form that GCC and Clang have for every processor: where it has such vectors, one
// instruction each; where not, plain loops.
#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

#include "kernels/kernels.h"
#include "supremum/lane.h"

namespace supremum::kernels {
namespace {

// SSE2 has no comparison of 64 bits: for one, GCC 12 moves each element to a general register and back.
#if defined(__SSE2__) && !defined(__SSE4_2__)
constexpr bool kCompares64Bits = false;
#else
constexpr bool kCompares64Bits = true;
#endif

template <class Element>
struct VectorOf {
  typedef Element Type __attribute__((vector_size(16)));
};
template <class Element>
using Vector = typename VectorOf<Element>::Type;

// All bits of a lane are set where that of a is less.
template <class Element>
auto Less(Vector<Element> a, Vector<Element> b) {
  if constexpr (sizeof(Element) < 8 || kCompares64Bits) {
    return a < b;
  } else {
    // The sign bit is set where a < b: if the signs of a and b differ, one of them decides, and otherwise
    // that of the difference, which does not overflow then.
    using Unsigned = Vector<std::uint64_t>;
    const Unsigned p = Unsigned(a), q = Unsigned(b);
    const Unsigned of_signs = std::is_signed_v<Element> ? p & ~q : ~p & q;
    return Vector<std::int64_t>(of_signs | (~(p ^ q) & (p - q))) >> 63;
  }
}

// Lane by lane.
template <class Element>
Vector<Element> Larger(Vector<Element> a, Vector<Element> b) {
  if constexpr (sizeof(Element) < 8 || kCompares64Bits) return a < b ? b : a;
  return a ^ ((a ^ b) & Vector<Element>(Less<Element>(a, b)));
}

// Elements as keys: integers whose maximum is the key of the maximum (supremum/lane.h draws them). The key of
// an integer is the element.
template <class T>
struct Keys {
  using L = lane::Lane<T>;
  using Bits = typename L::Bits;
  using Key = Bits;
  using V = Vector<Key>;

  static Key KeyOf(Bits a) { return L::Canonical(a); }
  static Bits FromKey(Key key) { return key; }

  static V KeysOf(V a) {
    if constexpr (std::is_same_v<T, bool>) return V(a != 0) & 1;
    return a;
  }
  static V FromKeys(V keys) { return keys; }

  static V Canonical(V a) { return KeysOf(a); }
  static V Join(V a, V b) { return Larger<Key>(KeysOf(a), KeysOf(b)); }
};

template <class T>
requires requires { typename lane::Lane<T>::Key; }
struct Keys<T> {
  using L = lane::Lane<T>;
  using Bits = typename L::Bits;
  using Key = typename L::Key;
  using V = Vector<Key>;

  static Key KeyOf(Bits a) { return L::KeyOf(a); }
  static Bits FromKey(Key key) { return L::FromKey(key); }

  // The same for vectors of keys, in unsigned arithmetic, which wraps.
  static V KeysOf(V a) { return V(Wrapping(TurnRound(a)) - L::kNaNs); }
  static V FromKeys(V keys) { return Canonical(TurnRound(V(Wrapping(keys) + L::kNaNs))); }

  static V Canonical(V a) {
    const V magnitude = a & kMagnitude;
    V is_nan;
    if constexpr (sizeof(Key) < 8 || kCompares64Bits) {
      is_nan = magnitude > static_cast<Key>(L::kInfinity);
    } else {  // what is above infinity reaches the sign bit with kNaNs more
      is_nan = V(Wrapping(magnitude) + L::kNaNs) >> kBelowSign;
    }
    return (is_nan & static_cast<Key>(L::kCanonicalNaN)) | (~is_nan & a);
  }
  // Keys choose the element; to go back from its key takes more than to keep it.
  static V Join(V a, V b) {
    const V b_is_larger = Less<Key>(KeysOf(a), KeysOf(b));
    return Canonical((b_is_larger & b) | (~b_is_larger & a));
  }

 private:
  using Wrapping = Vector<Bits>;
  static constexpr Key kMagnitude = static_cast<Key>(L::kMagnitude);
  static constexpr int kBelowSign = 8 * sizeof(Key) - 1;

  static V TurnRound(V a) { return a ^ ((a >> kBelowSign) & kMagnitude); }
};

template <class T>
struct Portable {
  using K = Keys<T>;
  using Bits = typename K::Bits;
  using Key = typename K::Key;
  static constexpr std::size_t kWidth = sizeof(Bits);
  static constexpr std::ptrdiff_t kDense = kWidth;

  using V = typename K::V;
  static constexpr std::size_t kLanes = sizeof(V) / kWidth;

  // Through memcpy, so that data need not be aligned and the elements' declared type does not matter.
  static V Elements(const std::byte* from) {
    V v;
    std::memcpy(&v, from, sizeof(v));
    return v;
  }
  static void StoreElements(V v, std::byte* to) { std::memcpy(to, &v, sizeof(v)); }
  // As keys.
  static Key Load(const std::byte* from) {
    Bits bits;
    std::memcpy(&bits, from, kWidth);
    return K::KeyOf(bits);
  }
  static void Store(Key key, std::byte* to) {
    const Bits bits = K::FromKey(key);
    std::memcpy(to, &bits, kWidth);
  }
  static V LoadVector(const std::byte* from) { return K::KeysOf(Elements(from)); }
  static void StoreVector(V keys, std::byte* to) { StoreElements(K::FromKeys(keys), to); }

  static Key Larger(Key a, Key b) { return a < b ? b : a; }
  static V Larger(V a, V b) { return kernels::Larger<Key>(a, b); }
  static constexpr Bits kBottom = K::L::kBottom;

  // y[i] = vector_at(i)[0], or the value of the key one_at(i), for i < n. The last vector overlaps the one
  // before: computing an element twice changes nothing, since the maximum is idempotent, in place too.
  template <class VectorAt, class OneAt>
  static void ForEachVector(std::size_t n, std::byte* y, VectorAt vector_at, OneAt one_at) {
    if (n < kLanes) {
      for (std::size_t i = 0; i < n; ++i) Store(one_at(i), y + i * kWidth);
      return;
    }
    std::size_t i = 0;
    for (; i + kLanes <= n; i += kLanes) StoreElements(vector_at(i), y + i * kWidth);
    if (i < n) StoreElements(vector_at(n - kLanes), y + (n - kLanes) * kWidth);
  }

  static void JoinDense(const std::byte* a, const std::byte* b, std::byte* y, std::size_t n) {
    ForEachVector(
        n, y, [&](std::size_t i) { return K::Join(Elements(a + i * kWidth), Elements(b + i * kWidth)); },
        [&](std::size_t i) { return Larger(Load(a + i * kWidth), Load(b + i * kWidth)); });
  }
  static void JoinScalar(const std::byte* a, const std::byte* scalar, std::byte* y, std::size_t n) {
    const Key key = Load(scalar);
    const V elements = V{} + static_cast<Key>(K::FromKey(key));
    ForEachVector(
        n, y, [&](std::size_t i) { return K::Join(Elements(a + i * kWidth), elements); },
        [&](std::size_t i) { return Larger(Load(a + i * kWidth), key); });
  }

  static const std::byte* At(const Row& row, std::size_t i) {
    return row.data + static_cast<std::ptrdiff_t>(i) * row.stride;
  }

  static void Join(Row a, Row b, MutableRow y, std::size_t n) {
    if (n == 0) return;
    if (a.stride != kDense) std::swap(a, b);
    if (a.stride == kDense && y.stride == kDense) {
      if (b.stride == kDense) return JoinDense(a.data, b.data, y.data, n);
      if (b.stride == 0) return JoinScalar(a.data, b.data, y.data, n);
    }
    for (std::size_t i = 0; i < n; ++i) {
      Store(Larger(Load(At(a, i)), Load(At(b, i))), y.data + static_cast<std::ptrdiff_t>(i) * y.stride);
    }
  }

  static void Copy(Row a, MutableRow y, std::size_t n) {
    if (a.stride == kDense && y.stride == kDense) {
      return ForEachVector(
          n, y.data, [&](std::size_t i) { return K::Canonical(Elements(a.data + i * kWidth)); },
          [&](std::size_t i) { return Load(a.data + i * kWidth); });
    }
    for (std::size_t i = 0; i < n; ++i) {
      Store(Load(At(a, i)), y.data + static_cast<std::ptrdiff_t>(i) * y.stride);
    }
  }

  // Joins a line with one whose elements are each repeated.
  static void JoinRepeats(const std::byte* a, const std::byte* b, std::size_t repeat_count, std::byte* y,
                          std::size_t n) {
    for (std::size_t i = 0; i < n; i += repeat_count, b += kWidth) {
      JoinScalar(a + i * kWidth, b, y + i * kWidth, i + repeat_count < n ? repeat_count : n - i);
    }
  }

  static void JoinLines(const Lines& a, const Lines& b, const LinesTo& y) {
    if (!a.IsDense()) return JoinLines(b, a, y);
    const bool repeats = b.repeat_count != 1 && b.repeat_count < y.n;
    const std::ptrdiff_t b_stride = b.backwards ? -kDense : b.repeat_count == 1 ? kDense : 0;
    for (std::size_t k = 0; k < y.blocks; ++k) {
      for (std::size_t j = 0; j < y.lines; ++j) {
        const auto line = [&](std::ptrdiff_t block_stride, std::ptrdiff_t line_stride) {
          return static_cast<std::ptrdiff_t>(k) * block_stride + static_cast<std::ptrdiff_t>(j) * line_stride;
        };
        const std::byte* left = a.data + line(a.block_stride, a.line_stride);
        const std::byte* right = b.data + line(b.block_stride, b.line_stride);
        std::byte* to = y.data + line(y.block_stride, y.line_stride);
        if (repeats) {
          JoinRepeats(left, right, b.repeat_count, to, y.n);
        } else {
          Join({left, kDense}, {right, b_stride}, {to, kDense}, y.n);
        }
      }
    }
  }

  static void JoinMany(const DenseInputs& x, std::byte*, std::byte* y, std::size_t n, bool) {
    const auto fold = [&](auto load) {
      auto largest = load(x.from[0] + x.offset);
      for (std::size_t m = 1; m < x.count; ++m) largest = Larger(largest, load(x.from[m] + x.offset));
      return largest;
    };
    ForEachVector(
        n, y,
        [&](std::size_t i) {
          return K::FromKeys(fold([i](const std::byte* x_m) { return LoadVector(x_m + i * kWidth); }));
        },
        [&](std::size_t i) { return fold([i](const std::byte* x_m) { return Load(x_m + i * kWidth); }); });
  }

  static void Repeat(Row a, std::size_t n, std::size_t repeat_count, std::byte* out) {
    if (repeat_count == 1) {  // a load and a store for each element, without a loop around them
      constexpr std::size_t kTogether = 4;
      std::size_t i = 0;
      for (; i + kTogether <= n; i += kTogether) {
        for (std::size_t k = 0; k < kTogether; ++k) std::memcpy(out + (i + k) * kWidth, At(a, i + k), kWidth);
      }
      for (; i < n; ++i) std::memcpy(out + i * kWidth, At(a, i), kWidth);
      return;
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < repeat_count; ++k, out += kWidth) std::memcpy(out, At(a, i), kWidth);
    }
  }

  static void Transpose(const std::byte* from, std::ptrdiff_t row_stride, std::size_t rows,
                        std::size_t columns, std::byte* out) {
    for (std::size_t c = 0; c < columns; ++c) {
      for (std::size_t r = 0; r < rows; ++r, out += kWidth) {
        std::memcpy(out, from + static_cast<std::ptrdiff_t>(r) * row_stride + c * kWidth, kWidth);
      }
    }
  }

  static void Clear(std::byte* acc, std::size_t n) {
    for (std::size_t j = 0; j < n; ++j) std::memcpy(acc + j * kWidth, &kBottom, kWidth);
  }

  // Calls fold(block) for each of the blocks alone, whose accumulators begin at `acc`, and have a value.
  template <class Fold>
  static void ForEachBlock(const Block& a, std::byte* acc, Fold fold) {
    if (a.fresh) Clear(acc, a.blocks * a.kept);
    Block one = a;
    for (std::size_t b = 0; b < a.blocks; ++b, acc += a.kept * kWidth) {
      one.data = a.data + static_cast<std::ptrdiff_t>(b) * a.block_stride;
      fold(one, acc);
    }
  }

  // ---- Rows

  // Joins kVectors x kLanes accumulators with the same columns of all rows.
  template <std::size_t kVectors>
  static void FoldColumns(const Block& a, std::size_t column, std::byte* acc) {
    V largest[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) largest[v] = LoadVector(acc + (column + v * kLanes) * kWidth);
    const std::byte* row = a.data + column * kWidth;
    for (std::size_t left = a.reduced; left > 0; row += a.reduced_stride) {
      for (std::size_t v = 0; v < kVectors; ++v) {
        largest[v] = Larger(largest[v], LoadVector(row + v * sizeof(V)));
      }
      if (--left == 0) break;  // after the last row, the pointer would leave the object
    }
    for (std::size_t v = 0; v < kVectors; ++v) StoreVector(largest[v], acc + (column + v * kLanes) * kWidth);
  }

  static void FoldOneByOne(const Block& a, std::byte* acc) {
    for (std::size_t i = 0; i < a.reduced; ++i) {
      const Row row{a.data + static_cast<std::ptrdiff_t>(i) * a.reduced_stride, a.kept_stride};
      for (std::size_t j = 0; j < a.kept; ++j) {
        Store(Larger(Load(acc + j * kWidth), Load(At(row, j))), acc + j * kWidth);
      }
    }
  }

  static void FoldRows(const Block& block, std::byte* all) {
    ForEachBlock(block, all, [](const Block& a, std::byte* acc) {
      if (a.kept_stride != kDense || a.kept < kLanes) return FoldOneByOne(a, acc);
      std::size_t column = 0;
      for (; column + 4 * kLanes <= a.kept; column += 4 * kLanes) FoldColumns<4>(a, column, acc);
      for (; column < a.kept; column += kLanes) {  // the last columns may overlap
        FoldColumns<1>(a, column + kLanes <= a.kept ? column : a.kept - kLanes, acc);
      }
    });
  }

  // ---- Runs

  // The key of the maximum of n >= kLanes contiguous elements.
  static Key LargestOfRun(const std::byte* run, std::size_t n) {
    V first = LoadVector(run), second = LoadVector(run + (n - kLanes) * kWidth);  // overlaps
    std::size_t i = kLanes;
    for (; i + 2 * kLanes < n; i += 2 * kLanes) {
      first = Larger(first, LoadVector(run + i * kWidth));
      second = Larger(second, LoadVector(run + (i + kLanes) * kWidth));
    }
    if (i + kLanes < n) first = Larger(first, LoadVector(run + i * kWidth));
    const V keys = Larger(first, second);
    Key largest = keys[0];
    for (std::size_t k = 1; k < kLanes; ++k) largest = Larger(largest, keys[k]);
    return largest;
  }

  static void ReduceRuns(const Block& block, std::byte* all) {
    ForEachBlock(block, all, [](const Block& a, std::byte* acc) {
      if (a.reduced == 0) return;
      for (std::size_t j = 0; j < a.kept; ++j, acc += kWidth) {
        const Row run{a.data + static_cast<std::ptrdiff_t>(j) * a.kept_stride, a.reduced_stride};
        Key largest = Load(acc);
        if (a.reduced_stride == kDense && a.reduced >= kLanes) {
          largest = Larger(largest, LargestOfRun(run.data, a.reduced));
        } else {
          for (std::size_t i = 0; i < a.reduced; ++i) largest = Larger(largest, Load(At(run, i)));
        }
        Store(largest, acc);
      }
    });
  }
};

constexpr KernelTable MakeTable() {
  KernelTable table{"portable", {}};
  for (DType dtype : kAllDTypes) {
    table.rows[static_cast<std::size_t>(dtype)] = VisitDType(dtype, [](auto tag) {
      using P = Portable<typename decltype(tag)::type>;
      return RowKernels{{&P::Join, &P::Copy},        {&P::JoinLines},           {&P::JoinMany},
                        {&P::Repeat, &P::Transpose}, {&P::Clear, &P::FoldRows}, {&P::ReduceRuns}};
    });
  }
  return table;
}

constexpr KernelTable kPortable = MakeTable();

}  // namespace

const KernelTable& PortableKernels() { return kPortable; }

}  // namespace supremum::kernels
