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
  // The compiler makes vectors of the loops whose steps it knows.
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
void JoinPastCaches(Row a, Row b, std::byte* y, std::size_t n) {
  JoinRow<T>(a, b, {y, static_cast<std::ptrdiff_t>(sizeof(typename lane::Lane<T>::Bits))}, n);
}

template <class T>
void Spread(Row a, std::size_t n, std::size_t times, std::byte* out) {
  using Bits = typename lane::Lane<T>::Bits;
  for (std::size_t i = 0; i < n; ++i) {
    const Bits bits = Load<Bits>(a.data + static_cast<std::ptrdiff_t>(i) * a.stride);
    for (std::size_t k = 0; k < times; ++k, out += sizeof(Bits)) Store(bits, out);
  }
}

template <class T>
void Clear(std::byte* acc, std::size_t n) {
  using L = lane::Lane<T>;
  for (std::size_t j = 0; j < n; ++j) Store(L::kBottom, acc + j * sizeof(typename L::Bits));
}

// fold(first element, its accumulators) for each of the blocks.
template <class Fold>
void ForEachBlock(const Block& a, std::byte* acc, std::size_t width, Fold fold) {
  for (std::size_t b = 0; b < a.blocks; ++b)
    fold(a.data + static_cast<std::ptrdiff_t>(b) * a.block_stride, acc + b * a.kept * width);
}

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
      if (a.reduced >= 8) {  // three more, since each Join waits for the one before
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
      return RowKernels{&JoinRow<T>, &CopyRow<T>,    &JoinPastCaches<T>, &Spread<T>,
                        &Clear<T>,   &ReduceRuns<T>, &FoldRows<T>};
    });
  }
  return table;
}

constexpr KernelTable kPortable = MakeTable();

}  // namespace

const KernelTable& PortableKernels() { return kPortable; }

}  // namespace supremum::kernels
