// Graphs of random ops, shapes and strides against the oracle, in every bit.
#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>

#include "frontends/onednn/testing.h"
#include "support/values.h"
#include "supremum/reference.h"

namespace supremum::test {
namespace {

constexpr std::pair<DType, const char*> kTypes[] = {
    {DType::kFloat32, "f32"}, {DType::kBFloat16, "bf16"}, {DType::kFloat16, "f16"}};

Integers ExtentsOf(const Shape& shape) { return {shape.begin(), shape.end()}; }

Shape RandomShape(Rng& rng, std::size_t rank) {
  Shape shape;
  for (std::size_t d = 0; d < rank; ++d) {
    shape.PushBack(Below(rng, 12) == 0 ? 0 : 1 + static_cast<std::int64_t>(Below(rng, 5)));
  }
  return shape;
}

/// Strides that no memory need have, or none.
std::optional<Integers> RandomStrides(Rng& rng, const Shape& shape) {
  if (Below(rng, 4) == 0) return std::nullopt;
  Integers strides(shape.rank());
  for (std::int64_t& stride : strides) stride = static_cast<std::int64_t>(Below(rng, 100)) - 20;
  return strides;
}

Tensor RandomTensor(Rng& rng, DType dtype, const Shape& shape) {
  Tensor tensor = *Tensor::Create(dtype, shape);
  const std::vector<std::uint64_t> special = SpecialBits(dtype);
  for (std::size_t at = 0; at < tensor.byte_size(); at += ByteWidth(dtype)) {
    const std::uint64_t bits = RandomBits(rng, dtype, special);
    std::memcpy(tensor.bytes().data() + at, &bits, ByteWidth(dtype));
  }
  return tensor;
}

/// A shape that broadcasts with `shape`.
Shape Partner(Rng& rng, const Shape& shape) {
  const std::size_t missing = Below(rng, shape.rank() + 1);
  Shape partner;
  for (std::size_t d = missing; d < shape.rank(); ++d) partner.PushBack(Below(rng, 3) == 0 ? 1 : shape[d]);
  return partner;
}

Integers RandomAxes(Rng& rng, std::size_t rank) {
  Integers axes;
  for (std::size_t d = 0; d < rank; ++d) {
    if (Below(rng, 2) == 0) continue;
    const std::int64_t axis = static_cast<std::int64_t>(d);
    axes.push_back(Below(rng, 2) == 0 ? axis : axis - static_cast<std::int64_t>(rank));
  }
  std::shuffle(axes.begin(), axes.end(), rng);
  return axes;
}

Tensor ExpectedReduceMax(const Tensor& source, const Integers& axes, bool keep_dims) {
  const std::int64_t rank = static_cast<std::int64_t>(source.shape().rank());
  Shape shape;
  for (std::int64_t d = 0; d < rank; ++d) {
    const bool reduced =
        std::ranges::any_of(axes, [&](std::int64_t axis) { return (axis + rank) % rank == d; });
    if (!reduced) shape.PushBack(source.shape()[static_cast<std::size_t>(d)]);
    if (reduced && keep_dims) shape.PushBack(1);
  }
  Tensor output = *Tensor::Create(source.dtype(), shape);
  EXPECT_TRUE(reference::ReduceMax(source.View(), output.MutableView(), std::span<const std::int64_t>(axes),
                                   keep_dims));
  return output;
}

Tensor ExpectedMaximum(const Tensor& a, const Tensor& b) {
  const TensorView views[] = {a.View(), b.View()};
  const auto shape = reference::BroadcastShape({ExtentsOf(a.shape()), ExtentsOf(b.shape())});
  Tensor output = *Tensor::Create(a.dtype(), *shape);
  EXPECT_TRUE(reference::Max(views, output.MutableView()));
  return output;
}

void ExpectSameBits(const Tensor& actual, const Tensor& expected, const std::string& text) {
  ASSERT_EQ(actual.shape(), expected.shape()) << text;
  ASSERT_EQ(actual.dtype(), expected.dtype());
  EXPECT_TRUE(std::ranges::equal(actual.bytes(), expected.bytes())) << text;
}

// One random graph: x -> ReduceMax -> t;  Maximum(t, z) -> y;  ReduceMax(y) -> w.
void CheckRandomGraph(Rng& rng) {
  const auto [dtype, type] = kTypes[Below(rng, 3)];
  const auto stated = [&, name = type](std::uint64_t id, const Shape& shape) {
    Integers extents = ExtentsOf(shape);
    for (std::int64_t& extent : extents) {
      if (Below(rng, 10) == 0) extent = -1;
    }
    return TensorText(id, name, extents, RandomStrides(rng, shape));
  };
  const Shape shape = RandomShape(rng, Below(rng, 5));
  const Integers axes = RandomAxes(rng, shape.rank());
  const bool keep_dims = Below(rng, 2) == 0;
  const Tensor x = RandomTensor(rng, dtype, shape);
  const std::string x_text = stated(0, shape);
  const Tensor t = ExpectedReduceMax(x, axes, keep_dims);
  const Shape z_shape = Partner(rng, t.shape());
  const std::string z_text = stated(2, z_shape);
  const Tensor z = RandomTensor(rng, dtype, z_shape);
  const Tensor y = ExpectedMaximum(t, z);
  const Integers last_axes = RandomAxes(rng, y.shape().rank());
  const Tensor w = ExpectedReduceMax(y, last_axes, !keep_dims);

  const std::string t_text = stated(1, t.shape()), y_text = stated(3, y.shape());
  std::vector<NamedTensor> inputs;
  inputs.push_back({"2", *z.Clone()});
  inputs.push_back({"0", *x.Clone()});
  std::vector<std::string> sources = {x_text};
  std::string attrs = Axes(axes, keep_dims);
  if (Below(rng, 2) == 0) {  // the axes as an input
    const Shape count{static_cast<std::int64_t>(axes.size())};
    sources.push_back(TensorText(7, "s32", ExtentsOf(count), RandomStrides(rng, count)));
    inputs.push_back(Named<std::int32_t>("7", count, {axes.begin(), axes.end()}));
    attrs = std::string(R"("keep_dims":{"type":"bool","value":)") + (keep_dims ? "true}" : "false}");
  }
  std::vector<std::string> operands = {t_text, z_text};
  if (Below(rng, 2) == 0) std::swap(operands[0], operands[1]);
  std::vector<std::string> ops = {
      OpText(0, "ReduceMax", attrs, sources, {t_text}), OpText(1, "Maximum", "", operands, {y_text}),
      OpText(2, "ReduceMax", Axes(last_axes, !keep_dims), {y_text}, {stated(4, w.shape())})};
  std::shuffle(ops.begin(), ops.end(), rng);
  const std::string text = GraphText(ops, R"("output_ports":[4,3,1],)");
  const auto outputs = RunText(text, inputs);
  ASSERT_TRUE(outputs) << outputs.error().message << "\n" << text;
  ExpectSameBits((*outputs)[0].tensor, w, text);
  ExpectSameBits((*outputs)[1].tensor, y, text);
  ExpectSameBits((*outputs)[2].tensor, t, text);
}

// Rules: RED-1, RED-2, RED-3, RED-4, TYP-5, ORD-2, ORD-3, ORD-4, MAX-2
TEST(OneDnnProperty, RandomGraphsGiveTheBitsOfTheOracle) {
  for (std::uint64_t seed = 0; seed < 2000 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Rng rng(seed);
    CheckRandomGraph(rng);
  }
}

// Rules: TYP-5, ORD-3, ORD-4
TEST(OneDnnProperty, ADumpRunsAsItIs) {
  std::ifstream file(SUPREMUM_SOURCE_DIR "/tests/frontends/onednn/data/dump.json", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  Rng rng(3);
  const Tensor x = RandomTensor(rng, DType::kBFloat16, {2, 8, 5, 7});
  std::vector<NamedTensor> inputs;
  inputs.push_back({"94371840", *x.Clone()});
  const auto outputs = RunText(text, inputs);
  ASSERT_TRUE(outputs) << outputs.error().message;
  ASSERT_EQ(outputs->size(), 1u);
  EXPECT_EQ(outputs->front().name, "18446744073709551614");
  ExpectSameBits(outputs->front().tensor, ExpectedReduceMax(x, {2, 3}, false), text);
}

}  // namespace
}  // namespace supremum::test
