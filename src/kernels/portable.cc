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

// Elements as keys: integers whose maximum is the key of the maximum (supremum/lane.h draws them). Of
// integers, the key is the element.
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

  // Temporary buffers. Chosen by estimate; no benchmark line yet.
  static constexpr std::size_t kBufferElements = 1024 / kWidth;
  using Buffer = std::array<std::byte, kBufferElements * kWidth>;

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
    if (a.stride != kDense || y.stride != kDense) {
      for (std::size_t i = 0; i < n; ++i) {
        Store(Larger(Load(At(a, i)), Load(At(b, i))), y.data + static_cast<std::ptrdiff_t>(i) * y.stride);
      }
    } else if (b.stride == kDense) {
      JoinDense(a.data, b.data, y.data, n);
    } else if (b.stride == 0) {
      JoinScalar(a.data, b.data, y.data, n);
    } else {
      Buffer buffer;
      for (std::size_t begin = 0; begin < n; begin += kBufferElements) {
        const std::size_t count = begin + kBufferElements < n ? kBufferElements : n - begin;
        for (std::size_t i = 0; i < count; ++i) {
          std::memcpy(buffer.data() + i * kWidth, At(b, begin + i), kWidth);
        }
        JoinDense(a.data + begin * kWidth, buffer.data(), y.data + begin * kWidth, count);
      }
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

  // Joins a line with one whose elements are each repeated. Longer repeats are scalars, one after the other;
  // shorter ones are expanded first.
  static void JoinRepeats(const std::byte* a, const std::byte* b, std::size_t repeat_count, std::byte* y,
                          std::size_t n) {
    const bool expands = repeat_count < 4 * kLanes;
    const std::size_t step = expands ? kBufferElements / repeat_count * repeat_count : repeat_count;
    Buffer buffer;
    for (std::size_t begin = 0; begin < n; begin += step) {
      const std::size_t count = begin + step < n ? step : n - begin;
      const std::byte* from = b + begin / repeat_count * kWidth;
      if (expands) {
        for (std::size_t i = 0; i < count; from += kWidth) {
          const std::size_t end = i + repeat_count < count ? i + repeat_count : count;
          for (; i < end; ++i) std::memcpy(buffer.data() + i * kWidth, from, kWidth);
        }
        JoinDense(a + begin * kWidth, buffer.data(), y + begin * kWidth, count);
      } else {
        JoinScalar(a + begin * kWidth, from, y + begin * kWidth, count);
      }
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

  // Contiguous rows of a.kept < kLanes elements: kLanes rows are a.kept vectors.
  //
  // clang-format off
  //   4 lanes, kept = 3       row 0    row 1    row 2    row 3    |row 4 ...
  //                           a0 b0 c0 a1 b1 c1 a2 b2 c2 a3 b3 c3 |a4 ...
  //   vectors                 |0          |1          |2          |0 ...
  // clang-format on
  static void FoldNarrowRows(const Block& a, std::byte* acc) {
    V largest[kLanes];
    for (std::size_t v = 0; v < a.kept; ++v) largest[v] = LoadVector(a.data + v * sizeof(V));
    std::size_t i = kLanes;
    for (; i + kLanes <= a.reduced; i += kLanes) {
      const std::byte* rows = a.data + i * a.kept * kWidth;
      for (std::size_t v = 0; v < a.kept; ++v)
        largest[v] = Larger(largest[v], LoadVector(rows + v * sizeof(V)));
    }
    for (std::size_t e = 0; e < a.kept * kLanes; ++e) {
      std::byte* to = acc + e % a.kept * kWidth;
      Store(Larger(Load(to), largest[e / kLanes][e % kLanes]), to);
    }
    FoldOneByOne(a, i, acc);
  }

  // The rows from row `begin` on.
  static void FoldOneByOne(const Block& a, std::size_t begin, std::byte* acc) {
    for (std::size_t i = begin; i < a.reduced; ++i) {
      const Row row{a.data + static_cast<std::ptrdiff_t>(i) * a.reduced_stride, a.kept_stride};
      for (std::size_t j = 0; j < a.kept; ++j) {
        Store(Larger(Load(acc + j * kWidth), Load(At(row, j))), acc + j * kWidth);
      }
    }
  }

  static void FoldRows(const Block& block, std::byte* all) {
    ForEachBlock(block, all, [](const Block& a, std::byte* acc) {
      const bool dense = a.kept_stride == kDense;
      if (!dense || a.kept < kLanes) {
        const bool contiguous = dense && a.reduced_stride == static_cast<std::ptrdiff_t>(a.kept) * kDense;
        if (contiguous && a.reduced >= kLanes && a.kept > 0) return FoldNarrowRows(a, acc);
        return FoldOneByOne(a, 0, acc);
      }
      std::size_t column = 0;
      for (; column + 4 * kLanes <= a.kept; column += 4 * kLanes) FoldColumns<4>(a, column, acc);
      for (; column < a.kept; column += kLanes) {  // the last columns may overlap
        FoldColumns<1>(a, column + kLanes <= a.kept ? column : a.kept - kLanes, acc);
      }
    });
  }

  // ---- Runs

  // Keys one of which is that of the maximum of n >= kLanes elements.
  static V LargestOfRun(const std::byte* run, std::size_t n) {
    V first = LoadVector(run), second = LoadVector(run + (n - kLanes) * kWidth);
    std::size_t i = kLanes;
    if (n > 5 * kLanes) {
      V third = first, fourth = second;
      for (; i + 4 * kLanes < n; i += 4 * kLanes) {
        const std::byte* at = run + i * kWidth;
        first = Larger(first, LoadVector(at));
        second = Larger(second, LoadVector(at + sizeof(V)));
        third = Larger(third, LoadVector(at + 2 * sizeof(V)));
        fourth = Larger(fourth, LoadVector(at + 3 * sizeof(V)));
      }
      first = Larger(first, third);
      second = Larger(second, fourth);
    }
    for (; i + kLanes < n; i += kLanes) first = Larger(first, LoadVector(run + i * kWidth));
    return Larger(first, second);
  }

  // acc[j] = Join(acc[j], the value of keys[j]) for j < n.
  static void Accumulate(const Key* keys, std::size_t n, std::byte* acc) {
    ForEachVector(
        n, acc,
        [&](std::size_t j) {
          V v;
          std::memcpy(&v, keys + j, sizeof(v));
          return K::FromKeys(Larger(LoadVector(acc + j * kWidth), v));
        },
        [&](std::size_t j) { return Larger(Load(acc + j * kWidth), keys[j]); });
  }

  // largest[j] = the largest of the kCount keys from keys[j * kCount] on.
  template <std::size_t kCount>
  static void FoldKeys(const Key* keys, std::size_t runs, Key* largest) {
    for (std::size_t j = 0; j < runs; ++j) {
      Key key = keys[j * kCount];
      for (std::size_t k = 1; k < kCount; ++k) key = Larger(key, keys[j * kCount + k]);
      largest[j] = key;
    }
  }

  using KeyBuffer = std::array<Key, kBufferElements>;

  // The largest of `count` keys of each of some runs: pairs of neighbours, while their number is even, and
  // then the others. Overwrites both buffers; returns the one that holds the result.
  static const Key* FoldKeys(KeyBuffer& buffer, KeyBuffer& other, std::size_t count, std::size_t runs) {
    Key* keys = buffer.data();
    Key* largest = other.data();
    for (; count % 2 == 0; count /= 2) {
      FoldKeys<2>(keys, runs * count / 2, largest);
      std::swap(keys, largest);
    }
    if (count == 1) return keys;
    switch (count) {
      case 3:
        FoldKeys<3>(keys, runs, largest);
        break;
      case 5:
        FoldKeys<5>(keys, runs, largest);
        break;
      case 7:
        FoldKeys<7>(keys, runs, largest);
        break;
      default:
        for (std::size_t j = 0; j < runs; ++j) {
          largest[j] = keys[j * count];
          for (std::size_t k = 1; k < count; ++k) largest[j] = Larger(largest[j], keys[j * count + k]);
        }
    }
    return largest;
  }

  // The keys of n contiguous elements.
  static void WriteKeys(const std::byte* from, std::size_t n, Key* keys) {
    std::size_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
      const V v = LoadVector(from + i * kWidth);
      std::memcpy(keys + i, &v, sizeof(v));
    }
    for (; i < n; ++i) keys[i] = Load(from + i * kWidth);
  }

  static void ReduceRuns(const Block& block, std::byte* all) {
    ForEachBlock(block, all, [](const Block& a, std::byte* acc) {
      if (a.reduced == 0) return;
      const bool dense = a.reduced_stride == kDense, is_long = a.reduced >= kLanes;
      const bool contiguous = dense && a.kept_stride == static_cast<std::ptrdiff_t>(a.reduced) * kDense;
      KeyBuffer keys, other;
      // The keys that are left of each run, and the runs whose keys have room.
      const std::size_t count = !is_long ? a.reduced : dense ? kLanes : 1;
      const std::size_t runs_at_once = kBufferElements / count;
      for (std::size_t begin = 0; begin < a.kept; begin += runs_at_once) {
        const std::size_t runs = begin + runs_at_once < a.kept ? runs_at_once : a.kept - begin;
        const auto run_at = [&](std::size_t j) {
          return a.data + static_cast<std::ptrdiff_t>(begin + j) * a.kept_stride;
        };
        if (!is_long && contiguous) {
          WriteKeys(run_at(0), runs * count, keys.data());
        } else {
          Key* of_run = keys.data();
          for (std::size_t j = 0; j < runs; ++j, of_run += count) {
            const std::byte* from = run_at(j);
            const Row run{from, a.reduced_stride};
            if (is_long && dense) {
              const V v = LargestOfRun(from, a.reduced);
              std::memcpy(of_run, &v, sizeof(v));
            } else if (is_long) {
              *of_run = Load(from);
              for (std::size_t i = 1; i < a.reduced; ++i) *of_run = Larger(*of_run, Load(At(run, i)));
            } else {
              for (std::size_t i = 0; i < count; ++i) of_run[i] = Load(At(run, i));
            }
          }
        }
        Accumulate(FoldKeys(keys, other, count, runs), runs, acc + begin * kWidth);
      }
    });
  }
};

constexpr KernelTable MakeTable() {
  KernelTable table{"portable", {}};
  for (DType dtype : kAllDTypes) {
    table.rows[static_cast<std::size_t>(dtype)] = VisitDType(dtype, [](auto tag) {
      using P = Portable<typename decltype(tag)::type>;
      return RowKernels{{&P::Join, &P::Copy},
                        {&P::JoinLines},
                        {&P::JoinMany},
                        {&P::Repeat, &P::Transpose},
                        {&P::Clear, &P::FoldRows},
                        {&P::ReduceRuns},
                        {}};
    });
  }
  return table;
}

constexpr KernelTable kPortable = MakeTable();

}  // namespace

const KernelTable& PortableKernels() { return kPortable; }

}  // namespace supremum::kernels
