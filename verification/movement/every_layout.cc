// Every layout of the primitives (movement/primitives.h), once, with elements of every kind in random order:
// each output must be the maximum of the elements that it is said to read.
//
//   every_layout [TARGET...]    by default, of every target that this processor runs; exit status 1 if an
//                               output is wrong
//
// movement_test shows where elements go; this program is short enough to run with all lengths.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/targets.h"
#include "movement/edges.h"
#include "movement/primitives.h"
#include "support/values.h"
#include "supremum/lane.h"

namespace supremum::test {
namespace {

template <class T>
class Checker {
 public:
  using L = lane::Lane<T>;
  using Bits = typename L::Bits;
  static constexpr std::size_t kWidth = sizeof(Bits);

  explicit Checker(DType dtype) : dtype_(dtype), values_(SpecialBits(dtype)) {}

  void Check(const std::string& what, Layout& layout, const std::function<void()>& call) {
    ++layouts_;
    for (std::byte* element : layout.elements()) {
      const std::uint64_t value = Below(rng_, 4) == 0 ? values_[Below(rng_, values_.size())] : rng_();
      // Few NaNs, which would hide everything else.
      const Bits bits = static_cast<Bits>(value), other = static_cast<Bits>(Below(rng_, 100));
      const Bits kept = L::Canonical(bits) == bits || Below(rng_, 16) == 0 ? bits : other;
      std::memcpy(element, &kept, kWidth);
    }
    // The output with a margin, in which nothing but the elements that are written may change.
    constexpr std::byte kUntouched{0x5A};
    std::byte* const begin = layout.output() - 64;
    const std::size_t bytes = layout.output_bytes() + 128;
    std::memset(begin, static_cast<int>(kUntouched), bytes);
    expected_.assign(bytes, kUntouched);
    written_.assign(layout.output_bytes(), false);
    for (const Layout::Read& read : layout.reads()) {
      Bits bits = L::kBottom, before;
      std::byte* const to = expected_.data() + 64 + read.output;
      if (read.input != nullptr) std::memcpy(&bits, read.input, kWidth);
      std::memcpy(&before, to, kWidth);
      if (!layout.only_moves()) bits = written_[read.output] ? L::Join(before, bits) : L::Canonical(bits);
      written_[read.output] = true;
      std::memcpy(to, &bits, kWidth);
    }
    call();
    std::memset(begin + bytes - 64, static_cast<int>(kUntouched), layout.scratch());
    if (std::memcmp(begin, expected_.data(), bytes) == 0) return;
    if (wrong_++ == 0) std::printf("every_layout: wrong: %s\n", what.c_str());
  }

  unsigned long long layouts() const { return layouts_; }
  unsigned long long wrong() const { return wrong_; }

 private:
  DType dtype_;
  std::vector<std::uint64_t> values_;
  Rng rng_{5};
  unsigned long long layouts_ = 0, wrong_ = 0;
  std::vector<std::byte> expected_;
  std::vector<bool> written_;
};

int Main(int argc, char** argv) {
  unsigned long long all_wrong = 0, all_layouts = 0;
  for (const kernels::KernelTable* table : kernels::RunnableTables()) {
    bool chosen = argc == 1;
    for (int k = 1; k < argc; ++k) chosen = chosen || table->target == argv[k];
    if (!chosen) continue;
    unsigned long long layouts = 0, wrong = 0;
    for (const DType dtype : kAllDTypes) {
      // The target AVX3_DL has code of its own for bytes alone (simd_parts-inl.h).
      const std::size_t width = ByteWidth(dtype);
      if (table->target == "avx3_dl" && width > 1) continue;
      VisitDType(dtype, [&](auto tag) {
        Checker<typename decltype(tag)::type> checker(dtype);
        const Visit visit = [&](const std::string& what, Layout& layout, const std::function<void()>& call) {
          checker.Check(what, layout, call);
        };
        const kernels::RowKernels& row = table->For(dtype);
        const std::size_t lanes = VectorBytes(*table) / width;
        VisitEdges(row, width, lanes, visit);
        VisitPrimitives(row, width, lanes, Extent::kAll, visit);
        VisitPrimitives(row, width, lanes, Extent::kLong, visit);
        layouts += checker.layouts();
        wrong += checker.wrong();
      });
    }
    std::printf("every_layout: %s: %llu layouts, %llu wrong\n", std::string(table->target).c_str(), layouts,
                wrong);
    std::fflush(stdout);
    all_wrong += wrong;
    all_layouts += layouts;
  }
  std::printf("every_layout: %llu layouts in all, %llu wrong\n", all_layouts, all_wrong);
  return all_wrong == 0 && all_layouts > 0 ? 0 : 1;
}

}  // namespace
}  // namespace supremum::test

int main(int argc, char** argv) { return supremum::test::Main(argc, argv); }
