// The common shape of many, against the rule as the reference has it (BRO-1 to BRO-4).
#include <optional>
#include <vector>

#include "fuzz.h"
#include "supremum/broadcast.h"
#include "supremum/max.h"
#include "supremum/reference.h"

using namespace supremum;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Choices choices(data, size);
  const std::size_t count = choices.Below(6);
  std::vector<std::vector<std::int64_t>> shapes(count);
  for (auto& shape : shapes) {
    shape.resize(choices.Bool() ? choices.Below(5) : choices.Below(67));
    for (std::int64_t& extent : shape) extent = choices.Integer();
  }
  std::vector<DimsView> views(shapes.begin(), shapes.end());
  std::vector<TensorView> tensors;
  bool too_long = false;
  for (const DimsView view : views) {
    tensors.push_back({DType::kFloat32, view, {}, nullptr});
    too_long = too_long || view.size() > kMaxRank;
  }
  const Result<Shape> actual = BroadcastShapes(views);
  const Result<Shape> by_max = MaxOutputShape(tensors);
  if (!actual) fuzz::ExpectShowable(actual.error());
  if (!by_max) fuzz::ExpectShowable(by_max.error());
  const Result<std::vector<std::int64_t>> expected = reference::BroadcastShape(shapes);
  if (too_long) {
    fuzz::Expect(!actual && !by_max, "more dimensions than there may be");
    return 0;
  }
  fuzz::Expect(actual.has_value() || !expected, "shapes that broadcast are refused");
  if (actual) fuzz::Expect(expected && SameDims(*actual, *expected), "another common shape than the rule's");
  if (by_max) fuzz::Expect(actual && *by_max == *actual, "MaxOutputShape and BroadcastShapes differ");
  return 0;
}
