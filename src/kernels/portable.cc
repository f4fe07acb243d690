#include <cstring>

#include "kernels/kernels.h"
#include "lane/lane.h"

namespace supremum::kernels {
namespace {

// Through memcpy, so that data need not be aligned and the elements' declared type does not matter.
template <class Bits>
Bits Load(const std::byte* from) {
  Bits bits;
  std::memcpy(&bits, from, sizeof(bits));
  return bits;
}

template <class Bits>
void Store(Bits bits, std::byte* to) {
  std::memcpy(to, &bits, sizeof(bits));
}

template <class T>
void JoinRow(Row a, Row b, MutableRow y, std::size_t n) {
  using L = lane::Lane<T>;
  using Bits = typename L::Bits;
  constexpr std::ptrdiff_t kDense = sizeof(Bits);
  const auto loop = [&](std::ptrdiff_t a_step, std::ptrdiff_t b_step, std::ptrdiff_t y_step) {
    for (std::size_t i = 0; i < n; ++i) {
      const std::ptrdiff_t k = static_cast<std::ptrdiff_t>(i);
      Store(L::Join(Load<Bits>(a.data + k * a_step), Load<Bits>(b.data + k * b_step)), y.data + k * y_step);
    }
  };
  // The compiler vectorises the loops whose steps are constants.
  if (a.stride == kDense && b.stride == kDense && y.stride == kDense) return loop(kDense, kDense, kDense);
  if (a.stride == kDense && b.stride == 0 && y.stride == kDense) return loop(kDense, 0, kDense);
  if (a.stride == 0 && b.stride == kDense && y.stride == kDense) return loop(0, kDense, kDense);
  loop(a.stride, b.stride, y.stride);
}

template <class T>
void CopyRow(Row a, MutableRow y, std::size_t n) {
  using L = lane::Lane<T>;
  using Bits = typename L::Bits;
  for (std::size_t i = 0; i < n; ++i) {
    const std::ptrdiff_t k = static_cast<std::ptrdiff_t>(i);
    Store(L::Canonical(Load<Bits>(a.data + k * a.stride)), y.data + k * y.stride);
  }
}

template <class T>
void JoinLines(const Lines& a, const Lines& b, const LinesTo& y) {
  constexpr std::size_t kWidth = sizeof(typename lane::Lane<T>::Bits);
  constexpr std::ptrdiff_t kDense = kWidth;
  if (!a.IsDense()) return JoinLines<T>(b, a, y);
  // The number of elements over which b has one stride.
  const std::size_t stretch = b.repeat_count == 1 || b.repeat_count > y.n ? y.n : b.repeat_count;
  const std::ptrdiff_t b_stride = b.backwards ? -kDense : b.repeat_count == 1 ? kDense : 0;
  for (std::size_t k = 0; k < y.blocks; ++k) {
    for (std::size_t j = 0; j < y.lines; ++j) {
      const auto line = [&](std::ptrdiff_t block_stride, std::ptrdiff_t line_stride) {
        return static_cast<std::ptrdiff_t>(k) * block_stride + static_cast<std::ptrdiff_t>(j) * line_stride;
      };
      const std::byte* left = a.data + line(a.block_stride, a.line_stride);
      const std::byte* right = b.data + line(b.block_stride, b.line_stride);
      std::byte* to = y.data + line(y.block_stride, y.line_stride);
      for (std::size_t i = 0; i < y.n; i += stretch, right += kDense) {
        const std::size_t n = stretch < y.n - i ? stretch : y.n - i;
        JoinRow<T>({left + i * kWidth, kDense}, {right, b_stride}, {to + i * kWidth, kDense}, n);
      }
    }
  }
}

template <class T>
void JoinMany(const DenseInputs& x, std::byte* acc, std::byte* y, std::size_t n, bool) {
  constexpr std::ptrdiff_t kDense = sizeof(typename lane::Lane<T>::Bits);
  const auto operand = [&](std::size_t m) { return Row{x.from[m] + x.offset, kDense}; };
  if (x.count == 1) return CopyRow<T>(operand(0), {y, kDense}, n);
  Row joined = operand(0);
  for (std::size_t m = 1; m < x.count; ++m) {
    const MutableRow to{m + 1 == x.count ? y : acc, kDense};
    JoinRow<T>(joined, operand(m), to, n);
    joined = to;
  }
}

template <class T>
void Repeat(Row a, std::size_t n, std::size_t repeat_count, std::byte* out) {
  using Bits = typename lane::Lane<T>::Bits;
  for (std::size_t i = 0; i < n; ++i) {
    const Bits bits = Load<Bits>(a.data + static_cast<std::ptrdiff_t>(i) * a.stride);
    for (std::size_t k = 0; k < repeat_count; ++k, out += sizeof(Bits)) Store(bits, out);
  }
}

template <class T>
void Transpose(const std::byte* from, std::ptrdiff_t row_stride, std::size_t rows, std::size_t columns,
               std::byte* out) {
  using Bits = typename lane::Lane<T>::Bits;
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t r = 0; r < rows; ++r, out += sizeof(Bits)) {
      Store(Load<Bits>(from + static_cast<std::ptrdiff_t>(r) * row_stride + c * sizeof(Bits)), out);
    }
  }
}

template <class T>
void Clear(std::byte* acc, std::size_t n) {
  using L = lane::Lane<T>;
  for (std::size_t j = 0; j < n; ++j) Store(L::kBottom, acc + j * sizeof(typename L::Bits));
}

// Calls fold(first element, its accumulators) for each of the blocks.
template <class Fold>
void ForEachBlock(const Block& a, std::byte* acc, std::size_t width, Fold fold) {
  for (std::size_t b = 0; b < a.blocks; ++b)
    fold(a.data + static_cast<std::ptrdiff_t>(b) * a.block_stride, acc + b * a.kept * width);
}

// Runs of at least so many elements are folded by four accumulators, whose Joins do not depend on each other.
// Chosen by estimate; no benchmark line yet.
constexpr std::size_t kMinElementsForFourJoins = 8;

template <class T>
void ReduceBlockRuns(const Block& a, std::byte* acc) {
  using L = lane::Lane<T>;
  using Bits = typename L::Bits;
  constexpr std::ptrdiff_t kDense = sizeof(Bits);
  if (a.fresh) Clear<T>(acc, a.kept);
  const auto loop = [&](std::ptrdiff_t step) {
    for (std::size_t j = 0; j < a.kept; ++j) {
      const std::byte* run = a.data + static_cast<std::ptrdiff_t>(j) * a.kept_stride;
      const auto at = [&](std::size_t i) { return Load<Bits>(run + static_cast<std::ptrdiff_t>(i) * step); };
      Bits joined = Load<Bits>(acc + j * sizeof(Bits));
      std::size_t i = 0;
      if (a.reduced >= kMinElementsForFourJoins) {
        Bits second = L::kBottom, third = second, fourth = second;
        for (; i + 4 <= a.reduced; i += 4) {
          joined = L::Join(joined, at(i));
          second = L::Join(second, at(i + 1));
          third = L::Join(third, at(i + 2));
          fourth = L::Join(fourth, at(i + 3));
        }
        joined = L::Join(L::Join(joined, second), L::Join(third, fourth));
      }
      for (; i < a.reduced; ++i) joined = L::Join(joined, at(i));
      Store(joined, acc + j * sizeof(Bits));
    }
  };
  if (a.reduced_stride == kDense) return loop(kDense);
  loop(a.reduced_stride);
}

template <class T>
void ReduceRuns(const Block& a, std::byte* acc) {
  ForEachBlock(a, acc, sizeof(typename lane::Lane<T>::Bits), [&](const std::byte* data, std::byte* y) {
    Block one = a;
    one.data = data;
    ReduceBlockRuns<T>(one, y);
  });
}

template <class T>
void FoldRows(const Block& a, std::byte* acc) {
  constexpr std::size_t kWidth = sizeof(typename lane::Lane<T>::Bits);
  if (a.fresh) Clear<T>(acc, a.blocks * a.kept);
  ForEachBlock(a, acc, kWidth, [&](const std::byte* data, std::byte* to) {
    const MutableRow y{to, static_cast<std::ptrdiff_t>(kWidth)};
    for (std::size_t i = 0; i < a.reduced; ++i) {
      const Row row{data + static_cast<std::ptrdiff_t>(i) * a.reduced_stride, a.kept_stride};
      JoinRow<T>(y, row, y, a.kept);
    }
  });
}

constexpr KernelTable MakeTable() {
  KernelTable table{"portable", {}};
  for (DType dtype : kAllDTypes) {
    table.rows[static_cast<std::size_t>(dtype)] = VisitDType(dtype, [](auto tag) {
      using T = typename decltype(tag)::type;
      return RowKernels{{&JoinRow<T>, &CopyRow<T>},  {&JoinLines<T>},           {&JoinMany<T>},
                        {&Repeat<T>, &Transpose<T>}, {&Clear<T>, &FoldRows<T>}, {&ReduceRuns<T>}};
    });
  }
  return table;
}

constexpr KernelTable kPortable = MakeTable();

}  // namespace

const KernelTable& PortableKernels() { return kPortable; }

}  // namespace supremum::kernels
