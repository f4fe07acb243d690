#include "problem.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <random>

#include "supremum/reference.h"

namespace supremum::bench {
namespace {

constexpr std::size_t kCacheLineBytes = 64, kPageBytes = 4096;

// The approximate number of elements that the reference computes: larger inputs repeat with this period.
constexpr std::size_t kReferenceElements = std::size_t{1} << 17;

struct FloatBits {
  int width;
  std::uint64_t infinity;
};

FloatBits FormatOf(DType dtype) {
  switch (dtype) {
    case DType::kBFloat16:
      return {16, 0x7F80};
    case DType::kFloat16:
      return {16, 0x7C00};
    case DType::kFloat32:
      return {32, 0x7F80'0000};
    default:
      return {64, 0x7FF0'0000'0000'0000};
  }
}

// The probabilities of special values, in units of 2^-20.
struct Chances {
  std::uint64_t absorbing;  // NaN and +inf, which decide a reduction alone
  std::uint64_t special;    // zeros, -inf, subnormal numbers
  std::uint64_t positive;
};

std::uint64_t RandomBits(std::mt19937_64& random, DType dtype, const Chances& chances) {
  const std::uint64_t bits = random(), dice = random();
  if (!IsFloat(dtype)) return bits;
  const FloatBits format = FormatOf(dtype);
  const std::uint64_t sign = std::uint64_t{1} << (format.width - 1);
  const std::uint64_t fraction = format.infinity & (~format.infinity + 1);  // the lowest bit of the exponent
  const std::uint64_t any_sign = (dice >> 60 & 1) != 0 ? sign : 0;
  if ((dice & 0xFFFFF) < chances.absorbing) {
    if ((dice >> 61) == 0) return format.infinity;
    return any_sign | format.infinity | (bits % (fraction - 1) + 1);
  }
  if ((dice >> 20 & 0xFFFFF) < chances.special) {
    const std::uint64_t values[] = {0, sign, format.infinity | sign, any_sign | (bits % fraction)};
    return values[dice >> 62];
  }
  return (bits % format.infinity) | ((dice >> 40 & 0xFFFFF) < chances.positive ? 0 : sign);
}

// From the first element in memory to the last.
std::size_t ElementsOf(const Layout& layout) {
  if (layout.strides.empty()) return Count(layout.shape);
  std::int64_t last = layout.origin;
  for (std::size_t d = 0; d < layout.shape.rank(); ++d) {
    last += std::max<std::int64_t>(0, (layout.shape[d] - 1) * layout.strides[d]);
  }
  return static_cast<std::size_t>(last) + 1;
}

// Operands begin at different offsets in a page, so that their addresses do not alias modulo 4 KiB.
std::size_t Place(std::size_t at, std::size_t number) {
  return (at + kPageBytes - 1) / kPageBytes * kPageBytes + (number * 9 * kCacheLineBytes) % kPageBytes;
}

bool IsNaN(std::uint64_t bits, const FloatBits& format) {
  return (bits & ((std::uint64_t{1} << (format.width - 1)) - 1)) > format.infinity;
}

Grade GradeElement(DType dtype, std::uint64_t actual, std::uint64_t expected) {
  if (actual == expected) return Grade::kExact;
  if (!IsFloat(dtype)) return Grade::kWrong;
  const FloatBits format = FormatOf(dtype);
  if (IsNaN(actual, format) && IsNaN(expected, format)) return Grade::kNaNBits;
  const std::uint64_t magnitude = (std::uint64_t{1} << (format.width - 1)) - 1;
  return ((actual | expected) & magnitude) == 0 ? Grade::kZeroSign : Grade::kWrong;
}

}  // namespace

std::string_view Name(Grade grade) {
  constexpr std::string_view kNames[] = {"exact", "other NaN bits", "zero sign", "wrong"};
  return kNames[static_cast<std::size_t>(grade)];
}

std::string_view Name(Memory memory) { return memory == Memory::kMalloc ? "malloc" : "huge pages"; }

Arena::Arena(std::size_t bytes, Memory memory) : size_(bytes), memory_(memory) {
  if (memory == Memory::kMalloc) {
    std::size_t space = bytes + kCacheLineBytes;
    void* aligned = held_ = std::malloc(space);
    if (held_ == nullptr) throw std::bad_alloc();
    data_ = static_cast<std::byte*>(std::align(kCacheLineBytes, bytes, aligned, space));
    return;
  }
  held_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (held_ == MAP_FAILED) throw std::bad_alloc();
  madvise(held_, bytes, MADV_HUGEPAGE);  // a failure is ignored
  data_ = static_cast<std::byte*>(held_);
}

Arena::~Arena() {
  if (memory_ == Memory::kMalloc) {
    std::free(held_);
  } else {
    munmap(held_, size_);
  }
}

std::size_t ArenaBytes(const Case& spec) {
  std::size_t at = 0, number = 0;
  for (const Layout& input : spec.inputs) {
    at = Place(at, number++) + ElementsOf(input) * ByteWidth(spec.dtype);
  }
  return Place(at, number) + Count(spec.output) * ByteWidth(spec.dtype);
}

Problem::Problem(const Case& spec, const Arena& arena) : spec_(&spec) {
  ChoosePeriod();
  const std::size_t width = ByteWidth(spec.dtype);
  std::size_t at = 0, number = 0;
  for (const Layout& input : spec.inputs) {
    at = Place(at, number);
    std::byte* memory = arena.data() + at;
    Fill(number++, memory);
    at += ElementsOf(input) * width;
    const void* origin = memory + static_cast<std::size_t>(input.origin) * width;
    inputs_.push_back({spec.dtype, input.shape, input.strides, origin});
  }
  output_ = {spec.dtype, spec.output, {}, arena.data() + Place(at, number)};
  ComputeExpected();
}

void Problem::ChoosePeriod() {
  const bool reduction = spec_->op == Op::kReduceMax;
  const Shape& driving_shape = reduction ? spec_->inputs[0].shape : spec_->output;
  if (driving_shape.rank() == 0) return;
  rows_ = driving_shape[0];
  std::size_t elements = Count(driving_shape);
  for (const Layout& input : spec_->inputs) {
    if (!input.strides.empty()) return;
    elements = std::max(elements, ElementsOf(input) * spec_->inputs.size());
  }
  const std::size_t row = std::max<std::size_t>(1, elements / static_cast<std::size_t>(rows_));
  rows_ = std::clamp<std::int64_t>(static_cast<std::int64_t>(kReferenceElements / row), 1, rows_);
}

std::size_t Problem::PeriodOf(const Layout& layout) const {
  const bool reduction = spec_->op == Op::kReduceMax;
  const Shape& driving_shape = reduction ? spec_->inputs[0].shape : spec_->output;
  const std::size_t count = ElementsOf(layout);
  if (layout.shape.rank() != driving_shape.rank() || driving_shape.rank() == 0 ||
      layout.shape[0] != driving_shape[0])
    return count;
  return count / static_cast<std::size_t>(driving_shape[0]) * static_cast<std::size_t>(rows_);
}

void Problem::Fill(std::size_t m, std::byte* memory) const {
  const Layout& layout = spec_->inputs[m];
  const std::size_t width = ByteWidth(spec_->dtype), bytes = ElementsOf(layout) * width;
  const std::size_t period = PeriodOf(layout);
  Chances chances{4096, 8192, std::uint64_t{1} << 19};
  if (spec_->op == Op::kReduceMax) {
    // About every eighth result is NaN or +inf, and a third comes from negative numbers alone.
    const std::size_t outputs = std::max<std::size_t>(1, Count(spec_->output));
    const std::size_t run = std::max<std::size_t>(1, std::min(period, ElementsOf(layout) / outputs));
    chances = {(std::uint64_t{1} << 17) / run, 8192, (std::uint64_t{1} << 20) / run};
  }
  std::mt19937_64 random(m + 1);
  for (std::size_t i = 0; i < period; ++i) {
    const std::uint64_t bits = RandomBits(random, spec_->dtype, chances);
    std::memcpy(memory + i * width, &bits, width);  // a narrow element is the low bytes
  }
  for (std::size_t have = period * width; have < bytes;) {
    const std::size_t more = std::min(have, bytes - have);
    std::memcpy(memory + have, memory, more);
    have += more;
  }
}

void Problem::ComputeExpected() {
  std::vector<Shape> shapes;
  for (const Layout& input : spec_->inputs) shapes.push_back(input.shape);
  const bool reduction = spec_->op == Op::kReduceMax;
  const Shape driving_shape = reduction ? spec_->inputs[0].shape : spec_->output;
  Shape output = spec_->output;
  if (driving_shape.rank() > 0) {
    for (Shape& shape : shapes) {
      if (shape.rank() == driving_shape.rank() && shape[0] == driving_shape[0]) shape[0] = rows_;
    }
    const bool reduced =
        reduction && std::find(spec_->axes.begin(), spec_->axes.end(), 0) != spec_->axes.end();
    if (output.rank() > 0 && !reduced) output[0] = rows_;
  }
  std::vector<TensorView> inputs = inputs_;
  for (std::size_t m = 0; m < inputs.size(); ++m) inputs[m].shape = shapes[m];
  expected_.resize(Count(output) * ByteWidth(spec_->dtype));
  const MutableTensorView part{spec_->dtype, output, {}, expected_.data()};
  const Result<void> done =
      reduction ? reference::ReduceMax(inputs[0], part, spec_->axes, false) : reference::Max(inputs, part);
  done.value();
}

void Problem::Poison() const { std::memset(output_data(), 0xA5, output_bytes()); }

Grade Problem::GradeOutput() const {
  const std::size_t width = ByteWidth(spec_->dtype), bytes = output_bytes(), period = expected_.size();
  Grade worst = Grade::kExact;
  for (std::size_t at = 0; at < bytes; at += period) {
    const std::size_t n = std::min(period, bytes - at);
    const std::byte* part = output_data() + at;
    if (std::memcmp(part, expected_.data(), n) == 0) continue;
    for (std::size_t i = 0; i < n; i += width) {
      std::uint64_t actual = 0, expected = 0;
      std::memcpy(&actual, part + i, width);
      std::memcpy(&expected, expected_.data() + i, width);
      worst = std::max(worst, GradeElement(spec_->dtype, actual, expected));
    }
  }
  return worst;
}

}  // namespace supremum::bench
