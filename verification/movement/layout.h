// One call of a primitive or of an operator on memory of its own, and which elements of its inputs each
// element of its output is the maximum of.
#ifndef SUPREMUM_VERIFICATION_MOVEMENT_LAYOUT_H_
#define SUPREMUM_VERIFICATION_MOVEMENT_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace supremum::test {

/// Memory that is reused from layout to layout: inputs, then outputs with room around them.
class Layout {
 public:
  static constexpr std::size_t kMargin = 128, kBytes = std::size_t{1} << 21;

  explicit Layout(std::size_t width) : width_(width), memory_(2 * kBytes) {}

  /// Forgets everything. The beginning of both parts is aligned to 64 bytes plus `input_offset` and
  /// `output_offset`.
  void Begin(std::size_t output_offset = 0, std::size_t input_offset = 0) {
    const std::size_t align = 64 - reinterpret_cast<std::uintptr_t>(memory_.data()) % 64;
    input_ = memory_.data() + align + kMargin + input_offset;
    output_ = memory_.data() + align + kBytes + kMargin + output_offset;
    elements_.clear();
    reads_.clear();
    written_ = 0;
    scratch_ = 0;
    only_moves_ = false;
  }

  /// Room for n input elements, each an element of its own that can be hot.
  std::byte* Input(std::size_t n) {
    std::byte* const begin = input_;
    for (std::size_t i = 0; i < n; ++i) elements_.push_back(begin + i * width_);
    input_ += n * width_ + kMargin;
    Require(input_ < memory_.data() + kBytes);
    return begin;
  }
  /// The output's n elements; those that Reads does not name must be left as they are.
  std::byte* Output(std::size_t n) {
    written_ = n * width_;
    Require(output_ + written_ + 3 * kMargin < memory_.data() + memory_.size());
    return output_;
  }
  /// The first `bytes` after the output may be overwritten.
  void MayOverwriteBeyond(std::size_t bytes) { scratch_ = bytes; }

  /// Bits are moved as they are: NaNs are not made canonical.
  void OnlyMoves() { only_moves_ = true; }
  bool only_moves() const { return only_moves_; }

  /// The element at `output` is the maximum of the one at `input`, and of others that are named so.
  void Reads(const std::byte* output, const std::byte* input) {
    reads_.push_back({static_cast<std::uint32_t>(output - output_), input});
  }
  /// The output element at `output` is written without reading anything: it is Bottom.
  void Writes(const std::byte* output) {
    reads_.push_back({static_cast<std::uint32_t>(output - output_), nullptr});
  }

  struct Read {
    std::uint32_t output;  // offset in the output
    const std::byte* input;
  };

  std::size_t width() const { return width_; }
  std::byte* output() const { return output_; }
  std::size_t output_bytes() const { return written_; }
  std::size_t scratch() const { return scratch_; }
  const std::vector<std::byte*>& elements() const { return elements_; }
  const std::vector<Read>& reads() const { return reads_; }

 private:
  static void Require(bool holds) {
    if (holds) return;
    std::fprintf(stderr, "layout.h: a layout is larger than its memory\n");
    std::abort();
  }

  std::size_t width_, written_ = 0, scratch_ = 0;
  bool only_moves_ = false;
  std::vector<std::byte> memory_;
  std::byte *input_ = nullptr, *output_ = nullptr;
  std::vector<std::byte*> elements_;
  std::vector<Read> reads_;
};

/// What is done with each layout: its name, its memory, and the call.
using Visit = std::function<void(const std::string& what, Layout& layout, const std::function<void()>& call)>;

}  // namespace supremum::test

#endif  // SUPREMUM_VERIFICATION_MOVEMENT_LAYOUT_H_
