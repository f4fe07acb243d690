// The stack use of each kind of call, measured on a painted stack. A line for each kind: its name, a tab,
// the most bytes that any call of it touched. verification/evidence/evidence_calls.py compares them with the
// graph of calls.
#include <pthread.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "supremum/supremum.h"

namespace supremum {
namespace {

constexpr std::size_t kStack = 1 << 20;
constexpr unsigned char kPaint = 0x5A;
alignas(4096) std::array<unsigned char, kStack> stack;

struct Job {
  void (*call)(void*);
  void* argument;
};

void* Main(void* job) {
  const Job& the = *static_cast<const Job*>(job);
  the.call(the.argument);
  return nullptr;
}

// The bytes of the painted stack that a thread which does nothing but this call has touched.
std::size_t Touched(Job job) {
  stack.fill(kPaint);
  pthread_attr_t attributes;
  pthread_t thread;
  if (pthread_attr_init(&attributes) != 0 || pthread_attr_setstack(&attributes, stack.data(), kStack) != 0 ||
      pthread_create(&thread, &attributes, Main, &job) != 0 || pthread_join(thread, nullptr) != 0) {
    std::fputs("stack_probe: no thread\n", stderr);
    std::exit(1);
  }
  const auto* first = std::find_if(stack.begin(), stack.end(), [](unsigned char c) { return c != kPaint; });
  return static_cast<std::size_t>(stack.end() - first);
}

// Stack bytes of a call in addition to those of a thread that calls nothing.
template <class Call>
std::size_t Measured(Call call) {
  static const std::size_t idle = Touched({[](void*) {}, nullptr});
  const std::size_t bytes = Touched({[](void* argument) { (*static_cast<Call*>(argument))(); }, &call});
  return bytes > idle ? bytes - idle : 0;
}

struct Route {
  const char* name;
  std::size_t most = 0;

  template <class Call>
  void Measure(Call call) {
    most = std::max(most, Measured(call));
  }
};

Route max_run{"MaxPlan::Run"}, reduce_run{"ReduceMaxPlan::Run"}, max_prepare{"MaxPlan::Prepare"},
    reduce_prepare{"ReduceMaxPlan::Prepare"}, max_rebind{"MaxPlan::Rebind"},
    reduce_rebind{"ReduceMaxPlan::Rebind"}, max_call{"Max"}, reduce_call{"ReduceMax"},
    max_bounds{"MaxWithBounds"}, reduce_bounds{"ReduceMaxWithBounds"};

void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "stack_probe: %s\n", what);
  std::exit(1);
}

// A tensor of zeros with the dimensions of `shape` in memory in another order where `turned`.
struct Zeros {
  Zeros(DType type, const Shape& of, bool turned)
      : dtype(type),
        shape(of),
        strides(RowMajorStrides(of)),
        bytes(static_cast<std::size_t>(*ElementCount(of)) * ByteWidth(type) + 1) {
    if (!turned) return;
    std::int64_t step = 1;
    for (std::size_t d = 0; d < shape.rank(); ++d) {
      strides[d] = step;
      step *= std::max<std::int64_t>(shape[d], 1);
    }
  }
  TensorView View() const { return {dtype, shape, strides, bytes.data()}; }
  MutableTensorView Output() { return {dtype, shape, strides, bytes.data()}; }

  DType dtype;
  Shape shape, strides;
  std::vector<std::byte> bytes;
};

void OfMax(DType dtype, const std::vector<Shape>& shapes, bool turned) {
  std::vector<Zeros> inputs;
  for (std::size_t m = 0; m < shapes.size(); ++m) inputs.emplace_back(dtype, shapes[m], turned && m % 2 == 0);
  std::vector<TensorView> views;
  std::vector<const void*> data;
  for (const Zeros& input : inputs) {
    views.push_back(input.View());
    data.push_back(input.bytes.data());
  }
  const Result<Shape> shape = MaxOutputShape(views);
  Require(shape.has_value(), "shapes");
  Zeros y(dtype, *shape, turned && shapes.size() % 2 == 0), e = y, low = y, high = y;
  Result<MaxPlan> plan = MakeError(ErrorCode::kInvalidArgument, "");
  max_prepare.Measure([&] { plan = MaxPlan::Prepare(views, y.Output()); });
  Require(plan.has_value(), "a plan of Max");
  max_run.Measure([&] { plan->Run(); });
  max_rebind.Measure([&] { Require(plan->Rebind(data, y.bytes.data()).has_value(), "Rebind"); });
  max_call.Measure([&] { Require(Max(views, y.Output()).has_value(), "Max"); });
  max_bounds.Measure([&] {
    Require(MaxWithBounds(views, views, {y.Output(), e.Output(), low.Output(), high.Output()}).has_value(),
            "MaxWithBounds");
  });
}

void OfReduceMax(DType dtype, const Shape& shape, const std::vector<std::int64_t>& axes, bool turned) {
  Zeros source(dtype, shape, turned);
  ReduceMaxOptions options;
  options.axes = std::span<const std::int64_t>(axes);
  const Result<Shape> reduced = ReduceMaxOutputShape(source.View(), options);
  Require(reduced.has_value(), "axes");
  Zeros y(dtype, *reduced, false), e = y, low = y, high = y;
  Result<ReduceMaxPlan> plan = MakeError(ErrorCode::kInvalidArgument, "");
  reduce_prepare.Measure([&] { plan = ReduceMaxPlan::Prepare(source.View(), y.Output(), options); });
  Require(plan.has_value(), "a plan of ReduceMax");
  reduce_run.Measure([&] { plan->Run(); });
  reduce_rebind.Measure(
      [&] { Require(plan->Rebind(source.bytes.data(), y.bytes.data()).has_value(), "Rebind"); });
  reduce_call.Measure(
      [&] { Require(ReduceMax(source.View(), y.Output(), options).has_value(), "ReduceMax"); });
  reduce_bounds.Measure([&] {
    Require(ReduceMaxWithBounds(source.View(), source.View(),
                                {y.Output(), e.Output(), low.Output(), high.Output()}, options)
                .has_value(),
            "ReduceMaxWithBounds");
  });
}

void Probe() {
  for (DType dtype : kAllDTypes) {
    for (bool turned : {false, true}) {
      if (dtype != DType::kBool) {
        OfMax(dtype, {Shape{1000}, Shape{1000}}, turned);
        OfMax(dtype, {Shape{70, 300}, Shape{300}, Shape{70, 1}}, turned);
        OfMax(dtype, {Shape{600, 3}, Shape{3}, Shape{600, 1}, Shape{}}, turned);
        OfMax(dtype, {Shape{9, 7, 5, 3}, Shape{7, 1, 3}, Shape{5, 1}, Shape{9, 1, 1, 1}}, turned);
        OfMax(dtype, std::vector<Shape>(20, Shape{31, 33}), turned);
      }
      OfReduceMax(dtype, Shape{9, 17, 13}, {1}, turned);
      OfReduceMax(dtype, Shape{9, 17, 13}, {0, 2}, turned);
      OfReduceMax(dtype, Shape{9, 3000, 4}, {0, 1}, turned);
      OfReduceMax(dtype, Shape{3000, 4}, {1}, turned);
      OfReduceMax(dtype, Shape{5, 6, 7, 8, 9}, {1, 3}, turned);
      OfReduceMax(dtype, Shape{100'000}, {0}, turned);
    }
  }
  Shape high;  // rank 40: few elements, many loops
  for (int d = 0; d < 40; ++d) high.PushBack(d % 3 == 0 ? 2 : 1);
  OfMax(DType::kFloat32, {high, Shape{2, 1, 1}}, true);
  OfReduceMax(DType::kFloat32, high, {0, 6, 12}, true);
}

}  // namespace
}  // namespace supremum

int main() {
  using namespace supremum;
  for (const TargetInfo& target : Targets()) {
    if (!target.runs_here) continue;
    Require(UseTarget(target.name).has_value(), "a target");
    Probe();
  }
  for (const Route* route : {&max_run, &reduce_run, &max_prepare, &reduce_prepare, &max_rebind,
                             &reduce_rebind, &max_call, &reduce_call, &max_bounds, &reduce_bounds}) {
    std::printf("%s\t%zu\n", route->name, route->most);
  }
  return 0;
}
