// One call with recording kernels, and what must be true after it.
#ifndef SUPREMUM_TESTS_SCHEDULES_RECORDED_CALL_H_
#define SUPREMUM_TESTS_SCHEDULES_RECORDED_CALL_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ops/parallel.h"
#include "support/calls.h"
#include "support/recording.h"
#include "support/run_call.h"
#include "supremum/dtype.h"
#include "supremum/shape.h"
#include "supremum/tensor_view.h"

namespace supremum::test {

template <class T>
class Recorded {
 public:
  /// Runs the call once for each group of kGroup source positions, and for at most `most_groups` groups. Each
  /// position of a group has its own bit of an element; the remaining bit marks memory outside all operands.
  /// Returns the first violation, or an empty text.
  std::string Check(const Call& call, std::size_t most_groups = SIZE_MAX, std::size_t first_group = 0) {
    Place(call);
    const std::size_t groups = (positions_.size() + kGroup - 1) / kGroup;
    for (std::size_t g = 0; g < std::min(std::max<std::size_t>(groups, 1), most_groups); ++g) {
      if (std::string fault = CheckGroup(call, groups == 0 ? 0 : (first_group + g) % groups);
          !fault.empty()) {
        return fault + "\n" + call.Text();
      }
    }
    return {};
  }

 private:
  static constexpr std::size_t kGroup = 8 * sizeof(T) - 1, kGap = 4;
  static constexpr T kPoison = static_cast<T>(~T{0});

  struct Placed {
    std::size_t begin = 0, origin = 0,
                end = 0;  // elements of memory_: all of the operand's, and its first one
  };

  Placed PlaceOne(const Layout& layout) {
    std::int64_t lowest = 0, highest = 0;
    for (std::size_t d = 0; d < layout.shape.rank(); ++d) {
      const std::int64_t reach = layout.strides[d] * std::max<std::int64_t>(layout.shape[d] - 1, 0);
      (reach < 0 ? lowest : highest) += reach;
    }
    Placed placed;
    placed.begin = size_ + kGap;
    placed.origin = placed.begin + static_cast<std::size_t>(-lowest);
    placed.end = placed.origin + static_cast<std::size_t>(highest) + 1;
    size_ = placed.end + kGap;
    return placed;
  }

  // Places all operands in one memory, and numbers the positions of the sources.
  void Place(const Call& call) {
    size_ = 0;
    placed_.clear();
    for (const Layout& source : call.sources) placed_.push_back(PlaceOne(source));
    output_ = call.in_place ? placed_[*call.in_place] : PlaceOne(call.output);
    if (memory_.size() < size_ + 64) memory_.assign(size_ + 64, kPoison);
    is_position_.assign(size_, false);
    positions_.clear();
    for (std::size_t m = 0; m < call.sources.size(); ++m) {
      ForEachOffset(call.sources[m].shape, call.sources[m].strides, [&](std::int64_t at) {
        const std::size_t slot = placed_[m].origin + static_cast<std::size_t>(at);
        if (!is_position_[slot]) positions_.push_back(slot);
        is_position_[slot] = true;
      });
    }
    Expect(call);
  }

  // The slots whose union each output is, by row-major output position.
  void Expect(const Call& call) {
    expected_begin_.clear();
    expected_slots_.clear();
    if (call.axes) return ExpectReduced(call);
    // Sources over the output's dimensions.
    std::vector<Shape> strides;
    for (const Layout& source : call.sources) {
      Shape over = Shape::Filled(call.output.shape.rank(), 0);
      const std::size_t missing = over.rank() - source.shape.rank();
      for (std::size_t d = 0; d < source.shape.rank(); ++d) {
        if (source.shape[d] != 1) over[missing + d] = source.strides[d];
      }
      strides.push_back(over);
    }
    const std::size_t outputs = static_cast<std::size_t>(*ElementCount(call.output.shape));
    expected_slots_.assign(outputs * call.sources.size(), 0);
    for (std::size_t m = 0; m < strides.size(); ++m) {
      std::size_t next = m;
      ForEachOffset(call.output.shape, strides[m], [&](std::int64_t at) {
        expected_slots_[next] = placed_[m].origin + static_cast<std::size_t>(at);
        next += strides.size();
      });
    }
    for (std::size_t i = 0; i <= outputs; ++i) expected_begin_.push_back(i * strides.size());
  }

  void ExpectReduced(const Call& call) {
    const Layout& source = call.sources[0];
    std::vector<bool> reduced(source.shape.rank(), false);
    for (const std::int64_t axis : *call.axes)
      reduced[static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(reduced.size()) : axis)] =
          true;
    Shape number = Shape::Filled(source.shape.rank(), 0);  // strides of the output's row-major position
    std::int64_t outputs = 1;
    for (std::size_t d = source.shape.rank(); d-- > 0;) {
      if (reduced[d]) continue;
      number[d] = outputs;
      outputs *= source.shape[d];
    }
    std::vector<std::vector<std::size_t>> of(static_cast<std::size_t>(outputs));
    std::vector<std::int64_t> to;
    ForEachOffset(source.shape, number, [&](std::int64_t at) { to.push_back(at); });
    std::size_t next = 0;
    ForEachOffset(source.shape, source.strides, [&](std::int64_t at) {
      of[static_cast<std::size_t>(to[next++])].push_back(placed_[0].origin + static_cast<std::size_t>(at));
    });
    for (const std::vector<std::size_t>& slots : of) {
      expected_begin_.push_back(expected_slots_.size());
      expected_slots_.insert(expected_slots_.end(), slots.begin(), slots.end());
    }
    expected_begin_.push_back(expected_slots_.size());
  }

  std::string CheckGroup(const Call& call, std::size_t group) {
    // Bits differ from run to run, so that what a buffer still holds from the run before is noticed.
    turn_ = turn_ * 5 + 3;
    std::fill_n(memory_.begin(), size_, kPoison);
    for (std::size_t p = 0; p < positions_.size(); ++p) {
      const bool in_group = p / kGroup == group;
      memory_[positions_[p]] = in_group ? static_cast<T>(T{2} << ((p + turn_) % kGroup)) : T{0};
    }
    expected_.clear();
    for (std::size_t i = 0; i + 1 < expected_begin_.size(); ++i) {
      T all = 0;
      for (std::size_t k = expected_begin_[i]; k < expected_begin_[i + 1]; ++k)
        all = static_cast<T>(all | memory_[expected_slots_[k]]);
      expected_.push_back(all);
    }
    before_.assign(memory_.begin(), memory_.begin() + static_cast<std::ptrdiff_t>(size_));

    const auto bytes = [&](std::size_t slot) {
      return reinterpret_cast<const std::byte*>(memory_.data() + slot);
    };
    record.Begin(bytes(0), bytes(size_), bytes(output_.begin), bytes(output_.end), sizeof(T));
    const Result<void> ran = Run(call);
    if (!ran) return "the call was refused: " + ran.error().message;
    if (record.fault != nullptr) return record.fault;
    return Compare(call);
  }

  std::string Compare(const Call& call) {
    std::size_t next = 0;
    std::string fault;
    ForEachOffset(call.output.shape, call.output.strides, [&](std::int64_t at) {
      const std::size_t slot = output_.origin + static_cast<std::size_t>(at), i = next++;
      if (!fault.empty()) return;
      const T is = memory_[slot], lacks = static_cast<T>(expected_[i] & ~is),
              extra = static_cast<T>(is & ~expected_[i]);
      const unsigned fresh = record.fresh[slot - output_.begin];
      const auto where = [&](const char* what) { fault = "output " + std::to_string(i) + " " + what; };
      if (lacks != 0)
        where("lacks a source position");
      else if ((extra & kOutside) != 0)
        where("was read from memory outside");
      else if (extra != 0)
        where("has a source position of another output");
      else if (record.writer[slot - output_.begin] == -2)
        where("is not written");
      else if (!call.in_place && fresh != 1)
        where("is not written once");
      before_[slot] = is;
    });
    if (!fault.empty()) return fault;
    if (!std::equal(before_.begin(), before_.end(), memory_.begin()))
      return "memory beside the output has changed";
    return {};
  }

  Result<void> Run(const Call& call) {
    views_.clear();
    for (std::size_t m = 0; m < call.sources.size(); ++m) {
      const Layout& source = call.sources[m];
      views_.push_back({kDTypeOf<T>, source.shape, source.Stated(), memory_.data() + placed_[m].origin});
    }
    const MutableTensorView output{kDTypeOf<T>, call.output.shape, call.output.Stated(),
                                   memory_.data() + output_.origin};
    const ScopedWorkers workers(kRecordedWorkers);
    return RunCall(call, views_, output);
  }

  std::vector<T> memory_, before_, expected_;
  std::vector<bool> is_position_;
  std::vector<std::size_t> positions_, expected_begin_, expected_slots_;
  std::vector<Placed> placed_;
  std::vector<TensorView> views_;
  Placed output_;
  std::size_t size_ = 0, turn_ = 1;
};

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SCHEDULES_RECORDED_CALL_H_
