// The cases of memory: strides, in-place and overlap, by the library, on every target.
#include <gtest/gtest.h>

#include "kit/further.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"

namespace supremum::test {
namespace {

/// A tensor of the case in its buffers.
struct Placed {
  Placed(const nlohmann::json& shape_json, const nlohmann::json& view, DType of_type,
         std::vector<std::vector<std::byte>>& buffers)
      : shape(ShapeOf(shape_json)),
        strides(ShapeOf(view.at("strides"))),
        dtype(of_type),
        data(buffers.at(view.at("buffer").get<std::size_t>()).data() +
             view.at("offset").get<std::size_t>() * ByteWidth(of_type) +
             view.value("bytes", std::size_t{0})) {}

  TensorView View() const { return {dtype, shape, strides, data}; }
  MutableTensorView MutableView() const { return {dtype, shape, strides, data}; }

  Shape shape, strides;
  DType dtype;
  std::byte* data;
};

/// Runs the case once, with a plan or without one, and says what is wrong; "" if nothing is.
std::string Wrong(const FurtherCase& one, std::size_t threads, bool plan) {
  std::vector<std::vector<std::byte>> buffers;
  for (const auto& text : one.bits.at("buffers")) {
    buffers.push_back(Expand(one.dtype, text.get<std::string>()));
  }
  std::vector<std::vector<std::byte>> expected;  // the same, but for a planted fault
  for (const auto& text : one.bits.contains("expected") ? one.bits["expected"] : one.bits["buffers"]) {
    expected.push_back(Expand(one.dtype, text.get<std::string>()));
  }
  std::vector<Placed> inputs;
  for (std::size_t m = 0; m < one.stated.at("inputs").size(); ++m) {
    inputs.emplace_back(one.stated.at("shapes")[m], one.stated.at("inputs")[m], one.dtype, buffers);
  }
  const Placed output(one.stated.at("output_shape"), one.stated.at("output"), one.dtype, buffers);
  std::vector<TensorView> views;
  for (const Placed& input : inputs) views.push_back(input.View());
  const Reduction reduction(one.stated);
  const ReduceMaxOptions reduce = reduction.Options(threads);
  MaxOptions max;
  max.threads = threads;
  Result<void> done;
  if (!plan) {
    done = one.Reduces() ? ReduceMax(views[0], output.MutableView(), reduce)
                         : Max(views, output.MutableView(), max);
  } else if (one.Reduces()) {
    const Result<ReduceMaxPlan> made = ReduceMaxPlan::Prepare(views[0], output.MutableView(), reduce);
    if (made) made->Run();
    if (!made) done = made.error();
  } else {
    const Result<MaxPlan> made = MaxPlan::Prepare(views, output.MutableView(), max);
    if (made) made->Run();
    if (!made) done = made.error();
  }
  if (one.stated.contains("error")) {
    const std::string text = WrongRefusal(one, done);
    if (!text.empty()) return text;
  } else {
    if (!done) return done.error().message;
    expected.at(one.stated.at("output").at("buffer").get<std::size_t>()) =
        Expand(one.dtype, one.bits.at("output").get<std::string>());
  }
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    const std::string text = Difference(buffers[b], expected[b], ByteWidth(one.dtype));
    if (!text.empty()) return "buffer " + std::to_string(b) + ": " + text;
  }
  return "";
}

std::string WrongInAnyWay(const FurtherCase& one, std::size_t threads) {
  const std::string direct = Wrong(one, threads, false);
  return direct.empty() ? Wrong(one, threads, true) : direct;
}

// Rules: MEM-1, MEM-2
TEST(FurtherCases, OfMemoryLeaveTheBuffersThatTheyState) {
  const std::vector<FurtherCase> cases = ReadFurther("memory");
  EXPECT_GE(cases.size(), 2000u);
  const Failures failures = FailuresOf(cases, WrongInAnyWay);
  EXPECT_EQ(failures.count(), 0u) << failures.texts();
}

// Rules: MEM-1, MEM-2
TEST(FurtherCases, OfMemoryDetectPlantedFaults) {
  std::size_t gaps = 0, refused = 0;
  for (FurtherCase one : ReadFurther("memory")) {
    if (one.stated.contains("error")) {
      ++refused;
      FurtherCase accepted = one;  // as if the call had to be accepted
      accepted.stated.erase("error");
      accepted.bits["output"] =
          one.bits.at("buffers")[one.stated.at("output").at("buffer").get<std::size_t>()];
      EXPECT_NE(WrongInAnyWay(accepted, 1), "") << one.id;
      FurtherCase written = one;  // as if the call had to change a buffer
      written.bits["expected"] = one.bits.at("buffers");
      for (auto& text : written.bits["expected"]) {
        if (text != "") ChangeFirstElement(text.get_ref<std::string&>(), one.dtype);
      }
      EXPECT_EQ(WrongInAnyWay(written, 1).substr(0, 6), "buffer") << one.id;
      one.stated["error"]["rule"] = "MAX-1";
      EXPECT_NE(WrongInAnyWay(one, 1), "") << one.id;
      continue;
    }
    // The lowest bit of the buffer's first element, which most often is in no tensor.
    ChangeFirstElement(one.bits.at("output").get_ref<std::string&>(), one.dtype);
    EXPECT_NE(WrongInAnyWay(one, 1), "") << one.id;
    ++gaps;
  }
  EXPECT_GE(gaps, 1000u);
  EXPECT_GE(refused, 200u);
}

}  // namespace
}  // namespace supremum::test
