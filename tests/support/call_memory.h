// The operands of a call (calls.h) in memory, with elements of any type.
#ifndef SUPREMUM_TESTS_SUPPORT_CALL_MEMORY_H_
#define SUPREMUM_TESTS_SUPPORT_CALL_MEMORY_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "support/calls.h"
#include "support/values.h"
#include "supremum/dtype.h"
#include "supremum/reference.h"
#include "supremum/result.h"
#include "supremum/tensor_view.h"

namespace supremum::test {

/// All operands in one buffer, bytes that belong to none around them and between their elements. A copy has
/// operands of its own.
class CallMemory {
 public:
  /// Addresses need not be aligned: each operand begins up to 16 bytes after a multiple of 16.
  template <class Choices>
  CallMemory(Choices& choices, const Call& call, DType dtype)
      : call_(&call), dtype_(dtype), width_(ByteWidth(dtype)) {
    for (const Layout& source : call.sources) origins_.push_back(Place(choices, source));
    output_ = call.in_place ? origins_[*call.in_place] : Place(choices, call.output);
    memory_.resize(memory_.size() + kGap, kGuard);
  }

  std::vector<TensorView> Sources() const {
    std::vector<TensorView> views;
    for (std::size_t m = 0; m < origins_.size(); ++m) {
      const Layout& source = call_->sources[m];
      views.push_back({dtype_, source.shape, source.Stated(), memory_.data() + origins_[m]});
    }
    return views;
  }
  MutableTensorView Output() {
    return {dtype_, call_->output.shape, call_->output.Stated(), memory_.data() + output_};
  }

  const std::vector<std::byte>& memory() const { return memory_; }
  std::span<std::byte> Bytes() { return memory_; }
  std::size_t output_origin() const { return output_; }
  std::size_t width() const { return width_; }

  /// Calls visit(address) for each element of each source. Elements at one address are visited repeatedly.
  template <class Visit>
  void ForEachSourceElement(Visit visit) {
    for (std::size_t m = 0; m < origins_.size(); ++m) ForEachElement(call_->sources[m], origins_[m], visit);
  }

  /// The same for the output too.
  template <class Visit>
  void ForEachElement(Visit visit) {
    ForEachSourceElement(visit);
    ForEachElement(call_->output, output_, visit);
  }

  /// Gives the sources values of one of three kinds: mostly special ones, among which a long reduction finds
  /// its maximum nearly everywhere; all different; or all low but one in each of up to 16 shares of the
  /// elements, which then decides.
  template <class Choices>
  void FillSources(Choices& choices) {
    Rng rng(choices.Below(1 << 16));
    const std::size_t kind = choices.Below(3), shares = std::size_t{1} << choices.Below(5);
    const std::vector<std::uint64_t> special = SpecialBits(dtype_);
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - 8 * width_), sign = all ^ (all >> 1);
    const bool is_float = IsFloat(dtype_), is_unsigned = !is_float && !IsSigned();
    std::size_t elements = 0;
    ForEachSourceElement([&](std::byte*) { ++elements; });
    std::vector<bool> is_high(elements, false);
    for (std::size_t k = 0; kind == 2 && elements > 0 && k < shares; ++k) {
      const std::size_t begin = k * elements / shares, end = (k + 1) * elements / shares;
      if (begin < end) is_high[begin + Below(rng, end - begin)] = true;
    }
    std::size_t i = 0;
    ForEachSourceElement([&](std::byte* element) {
      std::uint64_t bits = rng() & all;
      if (kind == 0) {
        bits = RandomBits(rng, dtype_, special);
      } else if (is_float) {
        bits &= ~(InfinityBits(dtype_) & (~InfinityBits(dtype_) + 1)) & ~(sign >> 1);  // a number
      }
      if (kind == 2) {
        const bool high = is_high[i++];
        if (is_float || !is_unsigned) {
          bits = high ? bits & ~sign : bits | sign;
        } else {
          bits = high ? bits | sign : bits & (sign - 1);
        }
      }
      if (dtype_ == DType::kBool) bits = kind == 2 ? bits >> 7 : bits & 1;
      std::memcpy(element, &bits, width_);
    });
  }

  /// The memory after the call, by the reference.
  CallMemory Expected() const {
    CallMemory expected = *this;
    const std::vector<TensorView> sources =
        Sources();  // of this memory, so that no element is read after it is written
    const Result<void> done =
        call_->axes ? reference::ReduceMax(sources[0], expected.Output(),
                                           std::span<const std::int64_t>(*call_->axes), call_->keepdims)
                    : reference::Max(sources, expected.Output());
    if (!done) expected.memory_.clear();  // equals nothing
    return expected;
  }

  friend bool operator==(const CallMemory& a, const CallMemory& b) { return a.memory_ == b.memory_; }

 private:
  template <class Visit>
  void ForEachElement(const Layout& layout, std::size_t origin, Visit visit) {
    ForEachOffset(layout.shape, layout.strides, [&](std::int64_t offset) {
      visit(memory_.data() + static_cast<std::ptrdiff_t>(origin) +
            offset * static_cast<std::ptrdiff_t>(width_));
    });
  }

  static constexpr std::size_t kGap = 32;
  static constexpr std::byte kGuard{0xA5};

  bool IsSigned() const {
    return dtype_ == DType::kInt8 || dtype_ == DType::kInt16 || dtype_ == DType::kInt32 ||
           dtype_ == DType::kInt64;
  }

  // Adds memory for an operand; returns where its first element is.
  template <class Choices>
  std::size_t Place(Choices& choices, const Layout& layout) {
    std::int64_t lowest = 0, highest = 0;
    for (std::size_t d = 0; d < layout.shape.rank(); ++d) {
      const std::int64_t reach = layout.shape[d] > 1 ? layout.strides[d] * (layout.shape[d] - 1) : 0;
      (reach < 0 ? lowest : highest) += reach;
    }
    const std::size_t skew = choices.Below(2) == 0 ? 0 : choices.Below(17);
    const std::size_t begin = (memory_.size() + kGap + 15) / 16 * 16 + skew;
    const std::size_t origin = begin + static_cast<std::size_t>(-lowest) * width_;
    memory_.resize(origin + static_cast<std::size_t>(highest + 1) * width_, kGuard);
    return origin;
  }

  const Call* call_;
  DType dtype_;
  std::size_t width_;
  std::vector<std::size_t> origins_;
  std::size_t output_ = 0;
  std::vector<std::byte> memory_;
};

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_CALL_MEMORY_H_
