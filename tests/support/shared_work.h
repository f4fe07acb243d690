// Operands of some MiB on which two and more threads compute, with results by loops that share no code with
// the library: each thread's share of the input must count.
#ifndef SUPREMUM_TESTS_SUPPORT_SHARED_WORK_H_
#define SUPREMUM_TESTS_SUPPORT_SHARED_WORK_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace supremum::test {

/// The numbers of threads with which each interface is tested.
inline constexpr std::size_t kThreadCounts[] = {1, 2, 3, 8};

/// ReduceMax of `shapes[0]` along `axes`, or Max of operands of the shapes.
struct SharedWork {
  std::vector<std::vector<std::int64_t>> shapes;
  std::optional<std::vector<std::int64_t>> axes;

  bool IsReduction() const { return axes.has_value(); }
  std::string Title() const {
    std::string title = IsReduction() ? "ReduceMax" : "Max";
    for (const auto& shape : shapes) {
      title += " [";
      for (const std::int64_t extent : shape) title += std::to_string(extent) + ",";
      title.back() = ']';
    }
    for (const std::int64_t axis : axes.value_or(std::vector<std::int64_t>())) {
      title += " " + std::to_string(axis);
    }
    return title;
  }
};

/// Reductions in which threads share a tile, by each kind of schedule, and Max of each layout.
inline std::vector<SharedWork> SharedWorks() {
  return {
      {{{65536, 2, 2}}, {{0, 2}}},
      {{{16384, 16, 3}}, {{0, 2}}},
      {{{100000, 3, 4}}, {{0, 2}}},
      {{{300000, 2, 2}}, {{0, 2}}},
      {{{224, 224, 3, 16}}, {{0, 1, 3}}},
      {{{8, 4096, 16, 2}}, {{0, 1, 3}}},
      {{{2, 65536, 4, 3}}, {{1, 3}}},
      {{{32, 128, 9, 4}}, {{0, 1, 3}}},
      {{{400007}}, {{0}}},
      {{{3, 140000}}, {{1}}},
      {{{140000, 3}}, {{0}}},
      {{{2, 70000, 3}}, {{1}}},
      {{{300007}, {300007}}, std::nullopt},
      {{{601, 500}, {500}, {601, 1}}, std::nullopt},
      {{{500, 601}, {}}, std::nullopt},
  };
}

/// The places of elements in row-major order: of the output, and among those that are reduced to it.
struct Places {
  std::vector<std::size_t> output, reduced;
  std::vector<std::int64_t> output_shape;
  std::size_t outputs = 1, reduced_count = 1;

  Places(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& axes) {
    output = reduced = {0};
    for (std::size_t d = 0; d < shape.size(); ++d) {
      bool is_reduced = false;
      for (const std::int64_t axis : axes) is_reduced |= static_cast<std::size_t>(axis) == d;
      const std::size_t extent = static_cast<std::size_t>(shape[d]);
      if (!is_reduced) output_shape.push_back(shape[d]);
      (is_reduced ? reduced_count : outputs) *= extent;
      std::vector<std::size_t> inner_output, inner_reduced;
      for (std::size_t i = 0; i < output.size(); ++i) {
        for (std::size_t k = 0; k < extent; ++k) {
          inner_output.push_back(is_reduced ? output[i] : output[i] * extent + k);
          inner_reduced.push_back(is_reduced ? reduced[i] * extent + k : reduced[i]);
        }
      }
      output.swap(inner_output);
      reduced.swap(inner_reduced);
    }
  }
};

/// The number of parts of the reduced elements that have a maximum in turn.
inline constexpr std::size_t kParts = 8;

/// Operands of a work and its result.
class SharedOperands {
 public:
  explicit SharedOperands(const SharedWork& work) : work_(work) {
    for (std::size_t m = 0; m < work.shapes.size(); ++m) {
      std::size_t count = 1;
      for (const std::int64_t extent : work.shapes[m]) count *= static_cast<std::size_t>(extent);
      inputs.emplace_back(count);
      // Different numbers below 2^23, which are exact: 40503 is odd.
      for (std::size_t i = 0; i < count; ++i) {
        inputs[m][i] = static_cast<float>(((i + 77 * m) * 40503) % (std::size_t{1} << 23U)) - 9e6F;
      }
    }
    if (work.IsReduction()) {
      places_.emplace(work.shapes[0], *work.axes);
      output_shape = places_->output_shape;
    } else {
      output_shape = work.shapes[0];
    }
    SetHighPart(0);
  }

  /// Places the maxima of a reduction: output j has the maximum j + 1, in part (j + turn) % kParts of the
  /// elements that are reduced to it. Has no effect on the inputs of a Max.
  void SetHighPart(std::size_t turn) {
    if (places_) {
      const std::size_t n = places_->reduced_count;
      std::vector<std::size_t> at(places_->outputs);
      for (std::size_t j = 0; j < at.size(); ++j) at[j] = ((j + turn) % kParts * 2 + 1) * n / (2 * kParts);
      for (std::size_t i = 0; i < inputs[0].size(); ++i) {
        const std::size_t j = places_->output[i];
        if (inputs[0][i] >= 1) inputs[0][i] = -inputs[0][i];
        if (places_->reduced[i] == at[j]) inputs[0][i] = static_cast<float>(j + 1);
      }
    }
    ComputeExpected();
  }

  std::vector<std::vector<float>> inputs;
  std::vector<std::int64_t> output_shape;
  std::vector<float> expected;

 private:
  void ComputeExpected() {
    if (places_) {
      expected.assign(places_->outputs, -9e9F);
      for (std::size_t i = 0; i < inputs[0].size(); ++i) {
        float& best = expected[places_->output[i]];
        if (inputs[0][i] > best) best = inputs[0][i];
      }
      return;
    }
    // The other operands are a scalar, a row, a column, or of the first one's shape.
    const std::vector<std::int64_t>& shape = work_.shapes[0];
    const std::size_t columns = static_cast<std::size_t>(shape.back());
    expected = inputs[0];
    for (std::size_t m = 1; m < inputs.size(); ++m) {
      const std::vector<std::int64_t>& other = work_.shapes[m];
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const std::size_t at = other == shape      ? i
                               : other.empty()     ? 0
                               : other.back() == 1 ? i / columns
                                                   : i % columns;
        if (inputs[m][at] > expected[i]) expected[i] = inputs[m][at];
      }
    }
  }

  SharedWork work_;
  std::optional<Places> places_;
};

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_SHARED_WORK_H_
