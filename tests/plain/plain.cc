// Max, ReduceMax and their bounds in a program without exceptions and without RTTI, which links what
// supremum_plain is made of and nothing else of the library. Exit status 1, with a line, for a wrong result.
#include <cstdint>
#include <cstdio>
#include <limits>

#include "supremum/supremum.h"

namespace {

int failures = 0;

void Expect(bool holds, const char* what) {
  if (holds) return;
  ++failures;
  std::printf("plain: %s\n", what);
}

}  // namespace

int main() {
  using namespace supremum;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float a[] = {3, -0.0f, 1, nan}, b[] = {1, 0.0f, 4, 2};
  float y[4] = {}, e[4] = {}, high = 0;
  const float half = 0.5f, exact = 0;
  const Shape four{4}, two{2, 2}, rows{2}, scalar{}, other{3};
  Result<MaxPlan> plan =
      MaxPlan::Prepare({TensorView::Of(a, four), TensorView::Of(b, four)}, MutableTensorView::Of(y, four));
  Expect(plan.has_value(), "a plan");
  if (plan) plan->Run();
  Expect(y[0] == 3 && y[1] == 0 && 1 / y[1] > 0 && y[2] == 4 && y[3] != y[3], "Max");
  Expect(ReduceMax(TensorView::Of(b, two), MutableTensorView::Of(y, rows), {.axes = {-1}}).has_value() &&
             y[0] == 1 && y[1] == 4,
         "ReduceMax");
  Expect(ReduceMax(TensorView::Of(a, four), MutableTensorView::Of(&high, scalar)).has_value() && high != high,
         "a NaN is the maximum");
  Expect(MaxWithBounds({TensorView::Of(b, four), TensorView::Of(b, four)},
                       {TensorView::Of(&half, scalar), TensorView::Of(&exact, scalar)},
                       {.value = MutableTensorView::Of(y, four), .bound = MutableTensorView::Of(e, four)})
                 .has_value() &&
             e[0] == 0.5f,
         "a bound");
  const Result<void> refused =
      Max({TensorView::Of(a, four), TensorView::Of(b, other)}, MutableTensorView::Of(y, four));
  Expect(!refused && refused.error().code == ErrorCode::kNotBroadcastable, "E1");
  Expect(!UseTarget("none"), "a target that there is not");
  return failures == 0 ? 0 : 1;
}
