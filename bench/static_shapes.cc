// Max and ReduceMax of constant shapes (include/supremum/static.h) beside the loops that one would write for
// them, and beside a prepared plan. A ratio above 1 means that static.h takes longer than the loop. The loops
// have the rule of the type; turns alternate, a figure is the least of many.
#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <span>

#include "supremum/lane.h"
#include "supremum/max.h"
#include "supremum/static.h"

namespace supremum::bench {
namespace {

template <class T>
using LaneOf = lane::Lane<T>;

template <class T>
T JoinOf(const T& a, const T& b) {
  using L = LaneOf<T>;
  return std::bit_cast<T>(L::Join(std::bit_cast<typename L::Bits>(a), std::bit_cast<typename L::Bits>(b)));
}

// The compiler must take the memory for read and written.
template <class T>
void Touch(T& memory) {
  asm volatile("" : : "r"(memory.data()) : "memory");
}

template <class Work>
double Nanoseconds(Work work) {
  using Clock = std::chrono::steady_clock;
  constexpr int kCalls = 50;
  const auto begin = Clock::now();
  for (int call = 0; call < kCalls; ++call) work();
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count() / kCalls;
}

template <class Ours, class Loop, class Plan>
void Compare(const char* name, Ours ours, Loop loop, Plan plan) {
  double least[3] = {1e30, 1e30, 1e30};
  for (int turn = 0; turn < 400; ++turn) {
    least[0] = std::min(least[0], Nanoseconds(ours));
    least[1] = std::min(least[1], Nanoseconds(loop));
    least[2] = std::min(least[2], Nanoseconds(plan));
  }
  std::printf("%-28s static %8.1f ns, loop %8.1f ns, ratio %5.2f, plan %8.1f ns\n", name, least[0], least[1],
              least[0] / least[1], least[2]);
}

template <class T, std::size_t n>
std::array<T, n> Elements(int factor) {
  std::array<T, n> elements;
  for (std::size_t i = 0; i < n; ++i) {
    elements[i] = static_cast<T>(static_cast<int>(i) * factor % 61 - 30);
  }
  return elements;
}

template <class T, std::int64_t m, std::int64_t n>
void Rows(const char* name) {
  constexpr std::size_t kRows = m, kColumns = n;
  auto a = Elements<T, kRows * kColumns>(7), y = a;
  auto b = Elements<T, kColumns>(5);
  const Shape matrix{m, n}, row{n};
  const auto plan = MaxPlan::Prepare({TensorView::Of(a.data(), matrix), TensorView::Of(b.data(), row)},
                                     MutableTensorView::Of(y.data(), matrix));
  Compare(
      name,
      [&] {
        Touch(a), Touch(b);
        StaticMax<Extents<m, n>, Extents<n>>(y, a, b);
        Touch(y);
      },
      [&] {
        Touch(a), Touch(b);
        for (std::size_t j = 0; j < kRows; ++j) {
          for (std::size_t i = 0; i < kColumns; ++i) {
            y[j * kColumns + i] = JoinOf(a[j * kColumns + i], b[i]);
          }
        }
        Touch(y);
      },
      [&] { plan->Run(); });
}

}  // namespace
}  // namespace supremum::bench

int main() {
  using namespace supremum::bench;
  Rows<float, 1, 64>("max f32 [1,64] [64]");
  Rows<float, 1, 1024>("max f32 [1,1024] [1024]");
  Rows<float, 32, 10>("max f32 [32,10] [10]");
  Rows<float, 16, 64>("max f32 [16,64] [64]");
  Rows<double, 16, 64>("max f64 [16,64] [64]");
  Rows<std::int32_t, 32, 10>("max i32 [32,10] [10]");
  Rows<std::int8_t, 1, 1024>("max i8 [1,1024] [1024]");
  return 0;
}
