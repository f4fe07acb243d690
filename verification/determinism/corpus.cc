// Max, ReduceMax and bounds of a fixed corpus of inputs, their results written to standard output in
// row-major order, as they lie in memory. verification/determinism/evidence_determinism.py runs it in many
// configurations: no byte may differ.
//
//   corpus                                           the targets that run here, a line each
//   corpus TARGET THREADS SHIFT LAYOUT ENVIRONMENT   the results
//
// Each tensor begins SHIFT elements after an aligned address. LAYOUT is plain (dense, no strides stated),
// dense, reversed, transposed or padded. ENVIRONMENT is a rounding mode, 0 to 3, plus 4 for FTZ and 8 for
// DAZ.
#include <algorithm>
#include <array>
#include <cfenv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include "supremum/supremum.h"

namespace supremum {
namespace {

struct Configuration {
  std::size_t threads = 1;
  std::size_t shift = 0;
  std::string_view layout;
};

// Numbers that do not depend on any library.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t mixed = (state_ >> 29) ^ state_;
    return mixed * 0x9E3779B97F4A7C15u ^ (mixed >> 32);
  }

 private:
  std::uint64_t state_;
};

// The sizes of the parts of a float: all bits of the exponent, and those behind it.
struct Format {
  int mantissa;
  std::uint64_t exponent;
};
Format FormatOf(DType dtype) {
  switch (dtype) {
    case DType::kBFloat16:
      return {7, 0xFF};
    case DType::kFloat16:
      return {10, 0x1F};
    case DType::kFloat32:
      return {23, 0xFF};
    case DType::kFloat64:
      return {52, 0x7FF};
    default:
      return {0, 0};
  }
}

// Any pattern, and often enough a zero, an infinity, a subnormal number, a NaN.
std::uint64_t Bits(DType dtype, Numbers& numbers) {
  const std::size_t width = 8 * ByteWidth(dtype);
  const std::uint64_t random = numbers(), choice = numbers() % 64;
  if (dtype == DType::kBool) return choice % 2;
  const Format format = FormatOf(dtype);
  if (format.mantissa == 0 || choice >= 8) return random;
  const std::uint64_t sign = (choice & 1) << (width - 1);
  const std::uint64_t rest = random & ((std::uint64_t{1} << format.mantissa) - 1);
  const std::uint64_t top = format.exponent << format.mantissa;
  switch (choice / 2) {
    case 0:
      return sign;
    case 1:
      return sign | top;
    case 2:
      return sign | rest;
    default:
      return numbers() % 16 == 0 ? sign | top | rest | 1 : sign | (top >> 1) | rest;
  }
}

// A pattern that is no NaN, and positive unless unsigned: one in `count` is above all others, so that few
// elements decide the maximum of many.
std::uint64_t SparseBits(DType dtype, std::uint64_t count, Numbers& numbers) {
  const Format format = FormatOf(dtype);
  const std::uint64_t half = format.mantissa == 0 ? std::uint64_t{1} << (8 * ByteWidth(dtype) - 2)
                                                  : format.exponent << format.mantissa >> 1;
  return numbers() % half + (numbers() % count == 0 ? half : 0);
}

// A tensor laid out as the configuration says; its elements are counted in row-major order. It can be moved,
// which leaves its elements in their place, and not copied.
class Laid {
 public:
  Laid(DType dtype, DimsView shape, const Configuration& how)
      : dtype_(dtype), shape_(*Shape::FromSpan(shape)) {
    const std::size_t rank = shape.size();
    std::int64_t step = 1;
    strides_ = Shape::Filled(rank, 0);
    states_strides_ = how.layout != "plain";
    for (std::size_t k = 0; k < rank; ++k) {
      const std::size_t d = how.layout == "transposed" ? k : rank - 1 - k;
      strides_[d] = step;
      step *= std::max<std::int64_t>(shape[d], 1) + (how.layout == "padded" ? 3 : 0);
    }
    const std::size_t width = ByteWidth(dtype),
                      bytes = (static_cast<std::size_t>(step) + how.shift + 8) * width;
    memory_ = std::make_unique<std::byte[]>(bytes + 64);
    const std::size_t past = reinterpret_cast<std::uintptr_t>(memory_.get()) % 64;
    first_ = memory_.get() + (64 - past) + how.shift * width;
    if (how.layout == "reversed") {
      for (std::size_t d = 0; d < rank; ++d) {
        first_ += (std::max<std::int64_t>(shape[d], 1) - 1) * strides_[d] * static_cast<std::int64_t>(width);
        strides_[d] = -strides_[d];
      }
    }
  }

  std::byte* At(std::int64_t position) {
    std::int64_t offset = 0;
    for (std::size_t d = shape_.rank(); d-- > 0; position /= shape_[d])
      offset += position % shape_[d] * strides_[d];
    return first_ + offset * static_cast<std::int64_t>(ByteWidth(dtype_));
  }
  std::int64_t Count() const { return *ElementCount(shape_); }
  template <class Next>
  void Fill(Next next) {
    const std::int64_t count = Count();
    for (std::int64_t i = 0; i < count; ++i) {
      const std::uint64_t bits = next();
      std::memcpy(At(i), &bits, ByteWidth(dtype_));
    }
  }
  void Fill(Numbers numbers) {
    Fill([&] { return Bits(dtype_, numbers); });
  }
  void Write() {
    for (std::int64_t i = 0; i < Count(); ++i) std::fwrite(At(i), 1, ByteWidth(dtype_), stdout);
  }
  TensorView View() const { return {dtype_, shape_, Strides(), first_}; }
  MutableTensorView Output() { return {dtype_, shape_, Strides(), first_}; }

 private:
  DimsView Strides() const { return states_strides_ ? DimsView(strides_) : DimsView(); }

  DType dtype_;
  Shape shape_, strides_;
  bool states_strides_ = true;
  std::unique_ptr<std::byte[]> memory_;
  std::byte* first_ = nullptr;  // in memory_
};

void Require(const Result<void>& done, const char* what) {
  if (done) return;
  std::fprintf(stderr, "%s: %s\n", what, done.error().message.c_str());
  std::exit(2);
}

void MaxOf(DType dtype, const std::vector<Shape>& shapes, const Configuration& how) {
  std::vector<Laid> inputs;
  std::vector<TensorView> views;
  std::vector<DimsView> dims(shapes.begin(), shapes.end());
  const Shape common = *BroadcastShapes(dims);
  for (std::size_t m = 0; m < shapes.size(); ++m) {
    inputs.emplace_back(dtype, shapes[m], how);
    inputs.back().Fill(Numbers(m + 1));
  }
  for (const Laid& input : inputs) views.push_back(input.View());
  Laid output(dtype, common, how);
  MaxOptions options;
  options.threads = how.threads;
  Require(Max(views, output.Output(), options), "Max");
  output.Write();
}

// `highs`: the expected number of large elements for each output; 0: all patterns.
void ReduceMaxOf(DType dtype, const Shape& shape, const std::vector<std::int64_t>& axes,
                 const Configuration& how, std::int64_t highs = 0) {
  ReduceMaxOptions options;
  options.axes = std::span<const std::int64_t>(axes);
  options.threads = how.threads;
  Laid source(dtype, shape, how);
  const Result<Shape> reduced = ReduceMaxOutputShape(source.View(), options);
  if (!reduced) return Require(reduced.error(), "ReduceMaxOutputShape");
  Laid output(dtype, *reduced, how);
  Numbers numbers(7);
  if (highs == 0)
    source.Fill(numbers);
  else
    source.Fill([&, one_in = static_cast<std::uint64_t>(source.Count() / output.Count() / highs)] {
      return SparseBits(dtype, one_in, numbers);
    });
  Require(ReduceMax(source.View(), output.Output(), options), "ReduceMax");
  output.Write();
}

// Sums of floats are the one place where something is rounded.
void BoundsOf(DType dtype, const Configuration& how) {
  const Shape shape{37, 29};
  Laid value(dtype, shape, how), bound(dtype, shape, how), y(dtype, shape, how), e(dtype, shape, how),
      low(dtype, shape, how), high(dtype, shape, how);
  value.Fill(Numbers(11));
  bound.Fill(Numbers(12));
  const std::size_t last = ByteWidth(dtype) - 1;
  for (std::int64_t i = 0; i < bound.Count(); ++i) bound.At(i)[last] &= std::byte{0x7F};  // not negative
  const TensorView values[] = {value.View()}, bounds[] = {bound.View()};
  MaxOptions options;
  options.threads = how.threads;
  Require(MaxWithBounds(values, bounds, {y.Output(), e.Output(), low.Output(), high.Output()}, options),
          "MaxWithBounds");
  for (Laid* part : {&y, &e, &low, &high}) part->Write();
}

// Sources and outputs that eight threads share, of each width of an element: whole reductions, and few
// outputs along axes with kept ones between them.
void RunLarge(const Configuration& how) {
  for (DType dtype : {DType::kUInt8, DType::kFloat16, DType::kInt32, DType::kFloat64}) {
    const std::int64_t elements = (std::int64_t{2} << 20) / static_cast<std::int64_t>(ByteWidth(dtype));
    MaxOf(dtype, {Shape{elements / 1024, 1024}, Shape{elements / 1024, 1024}, Shape{1024}}, how);
    ReduceMaxOf(dtype, Shape{elements}, {0}, how, 8);
    ReduceMaxOf(dtype, Shape{elements / 4 + 1, 2, 2}, {0, 2}, how, 8);
    ReduceMaxOf(dtype, Shape{elements / 48 + 1, 16, 3}, {0, 2}, how, 8);
    ReduceMaxOf(dtype, Shape{2, elements / 24 + 1, 4, 3}, {1, 3}, how, 8);
    ReduceMaxOf(dtype, Shape{8, elements / 256 + 1, 16, 2}, {0, 1, 3}, how, 8);
    ReduceMaxOf(dtype, Shape{16, elements / 16 + 1}, {1}, how, 8);
    ReduceMaxOf(dtype, Shape{elements / 16 + 1, 16}, {0}, how, 8);
  }
}

void Run(const Configuration& how) {
  for (DType dtype : kAllDTypes) {
    if (dtype != DType::kBool) {
      for (std::int64_t n :
           {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 255, 257, 4095, 4097}) {
        MaxOf(dtype, {Shape{n}, Shape{n}}, how);
        MaxOf(dtype, {Shape{n}, Shape{}}, how);
      }
      MaxOf(dtype, {Shape{129, 131}, Shape{131}, Shape{129, 1}}, how);
      MaxOf(dtype, {Shape{2048, 3}, Shape{3}}, how);
      MaxOf(dtype, {Shape{64, 3, 5}, Shape{64, 1, 5}, Shape{3, 1}, Shape{}}, how);
      MaxOf(dtype, {Shape{5, 1, 7, 1}, Shape{6, 1, 8}}, how);
      MaxOf(dtype, {Shape{700, 333}, Shape{700, 333}, Shape{333}}, how);  // worth more than one thread
      MaxOf(dtype, {Shape{61}}, how);
      MaxOf(dtype, std::vector<Shape>(17, Shape{8191}), how);
      BoundsOf(dtype, how);
    }
    for (const std::vector<std::int64_t>& axes :
         std::vector<std::vector<std::int64_t>>{{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}, {}}) {
      ReduceMaxOf(dtype, Shape{11, 13, 17}, axes, how);
      ReduceMaxOf(dtype, Shape{3, 1000, 4}, axes, how);
      ReduceMaxOf(dtype, Shape{7, 0, 5}, axes, how);
    }
    ReduceMaxOf(dtype, Shape{8193}, {0}, how);
    ReduceMaxOf(dtype, Shape{4096, 3}, {1}, how);
    ReduceMaxOf(dtype, Shape{4096, 65}, {0}, how);
  }
}

}  // namespace
}  // namespace supremum

int main(int count, char** arguments) {
  using namespace supremum;
  if (count == 1) {
    for (const TargetInfo& target : Targets()) {
      if (target.runs_here) std::printf("%s\n", std::string(target.name).c_str());
    }
    return 0;
  }
  if (count != 6) return std::fputs("corpus TARGET THREADS SHIFT LAYOUT ENVIRONMENT\n", stderr), 2;
  if (Result<void> used = UseTarget(arguments[1]); !used)
    return std::fprintf(stderr, "%s\n", used.error().message.c_str()), 2;
  Configuration how;
  how.threads = static_cast<std::size_t>(std::atoi(arguments[2]));
  how.shift = static_cast<std::size_t>(std::atoi(arguments[3]));
  how.layout = arguments[4];
  const int environment = std::atoi(arguments[5]);
  constexpr std::array<int, 4> kRounding = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
  std::fesetround(kRounding[static_cast<std::size_t>(environment % 4)]);
#if defined(__SSE__)
  _mm_setcsr(_mm_getcsr() | ((environment & 4) != 0 ? 0x8000u : 0) | ((environment & 8) != 0 ? 0x0040u : 0));
#endif
  Run(how);
  RunLarge(how);
  return 0;
}
