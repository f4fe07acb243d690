#include "supremum/supremum.h"

int main() {
  const float a[2] = {1, 4}, b[2] = {3, 2};
  float y[2] = {};
  const supremum::Shape shape{2};
  const auto done = supremum::Max({supremum::TensorView::Of(a, shape), supremum::TensorView::Of(b, shape)},
                                  supremum::MutableTensorView::Of(y, shape));
  return done && y[0] == 3 && y[1] == 4 ? 0 : 1;
}
