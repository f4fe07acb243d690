#include "movement/primitives.h"

#include <algorithm>
#include <vector>

namespace supremum::test {
namespace {

using kernels::Block;
using kernels::DenseInputs;
using kernels::Lines;
using kernels::LinesTo;
using kernels::MutableRow;
using kernels::Row;
using kernels::RowKernels;

std::string Text(std::initializer_list<std::pair<const char*, std::ptrdiff_t>> parts) {
  std::string text;
  for (const auto& [name, value] : parts)
    text += std::string(text.empty() ? "" : " ") + name + " " + std::to_string(value);
  return text;
}

class Primitives {
 public:
  Primitives(const RowKernels& row, std::size_t width, std::size_t lanes, Extent extent, const Visit& visit)
      : row_(row), width_(width), lanes_(lanes), extent_(extent), visit_(visit), layout_(width) {}

  void VisitAll() {
    for (const std::size_t n : Lengths()) {
      Joins(n);
      Copies(n);
      LinesOf(n);
      Many(n);
      Repeats(n);
      Clear(n);
    }
    NonTemporalLines();
    Transposes();
    Rows();
    Runs();
  }

 private:
  using Signed = std::ptrdiff_t;

  Signed Bytes(Signed elements) const { return elements * static_cast<Signed>(width_); }

  // Every length to three vectors and tails; or those next to multiples of a vector; or longer ones.
  std::vector<std::size_t> Lengths() const {
    std::vector<std::size_t> found;
    if (extent_ == Extent::kLong) {
      for (std::size_t vectors = 4; vectors <= 10; ++vectors) {
        for (const std::size_t tail : {std::size_t{0}, std::size_t{1}, lanes_ / 2, lanes_ - 1})
          found.push_back(vectors * lanes_ + tail);
      }
      // More than a temporary buffer of the portable kernels, and than the distance of prefetches.
      found.insert(found.end(), {1024 / width_ + 1, 2048 / width_ + 3, 3072 / width_});
      return found;
    }
    for (std::size_t n = 1; n < 4 * lanes_; ++n) {
      const std::size_t tail = n % lanes_;
      if (extent_ != Extent::kSample || tail <= 1 || tail + 1 == lanes_ || n == lanes_ / 2)
        found.push_back(n);
    }
    return found;
  }

  // A strided input of n elements that are read, and the address of the first.
  std::byte* StridedInput(std::size_t n, Signed stride) {
    const std::size_t room = stride == 0 ? 1 : (n - 1) * static_cast<std::size_t>(std::abs(stride)) + 1;
    std::byte* const begin = layout_.Input(room);
    return stride < 0 ? begin + (room - 1) * width_ : begin;
  }
  std::byte* StridedOutput(std::size_t n, Signed stride) {
    const std::size_t room = (n - 1) * static_cast<std::size_t>(std::abs(stride)) + 1;
    std::byte* const begin = layout_.Output(room);
    return stride < 0 ? begin + (room - 1) * width_ : begin;
  }

  void Joins(std::size_t n) {
    for (const Signed to : {1, -1, 2}) {
      for (const Signed left : {1, 0, -1, 2, 3, 4}) {
        for (const Signed right : {1, 0, -1, 2, 3, 4}) {
          if (left > 1 && right > 1 && left != right && left != 3) continue;
          layout_.Begin(width_ * (n % 3));
          std::byte* const a = StridedInput(n, left);
          std::byte* const b = StridedInput(n, right);
          std::byte* const y = StridedOutput(n, to);
          for (std::size_t k = 0; k < n; ++k) {
            const Signed i = static_cast<Signed>(k);
            layout_.Reads(y + Bytes(i * to), a + Bytes(i * left));
            layout_.Reads(y + Bytes(i * to), b + Bytes(i * right));
          }
          visit_(Text({{"join: n", n}, {"strides", left}, {"", right}, {"to", to}}), layout_, [&] {
            row_.join(Row{a, Bytes(left)}, Row{b, Bytes(right)}, MutableRow{y, Bytes(to)}, n);
          });
        }
      }
    }
    // In place: the call begins with a copy of the input.
    layout_.Begin();
    std::byte* const a = layout_.Input(n);
    std::byte* const b = layout_.Input(n);
    std::byte* const y = layout_.Output(n);
    for (std::size_t i = 0; i < n; ++i) {
      layout_.Reads(y + i * width_, a + i * width_);
      layout_.Reads(y + i * width_, b + i * width_);
    }
    for (const bool left : {true, false}) {
      visit_(Text({{"join in place: n", n}, {"left", left}}), layout_, [&] {
        std::memcpy(y, a, n * width_);
        const Row in_place{y, Bytes(1)}, other{b, Bytes(1)};
        row_.join(left ? in_place : other, left ? other : in_place, MutableRow{y, Bytes(1)}, n);
      });
    }
  }

  void Copies(std::size_t n) {
    for (const Signed to : {1, -1, 2}) {
      for (const Signed from : {1, 0, -1, 3}) {
        layout_.Begin(width_ * (n % 5));
        std::byte* const a = StridedInput(n, from);
        std::byte* const y = StridedOutput(n, to);
        for (std::size_t i = 0; i < n; ++i) {
          layout_.Reads(y + Bytes(static_cast<Signed>(i) * to), a + Bytes(static_cast<Signed>(i) * from));
        }
        visit_(Text({{"copy: n", n}, {"stride", from}, {"to", to}}), layout_, [&] {
          row_.copy(Row{a, Bytes(from)}, MutableRow{y, Bytes(to)}, n);
        });
      }
    }
  }

  struct LinesShape {
    std::size_t blocks, lines, gap, block_gap;  // elements between lines and between blocks of the output
    bool non_temporal;
    std::size_t output_offset;
    std::size_t skew = 0;  // bytes by which the output is not aligned to its elements

    // Elements from line to line and from block to block, of lines of n elements.
    std::size_t Line(std::size_t n) const { return n + gap; }
    std::size_t Block(std::size_t n) const { return lines * Line(n) + block_gap; }
  };
  LinesTo OutputOf(std::byte* y, std::size_t n, const LinesShape& s) const {
    const Signed block = static_cast<Signed>(s.Block(n)), line = static_cast<Signed>(s.Line(n));
    return {y, Bytes(block), Bytes(line), s.blocks, s.lines, n, s.non_temporal};
  }

  // Lines of n elements: `a` dense, `b` by repeat count and direction.
  void OneOfLines(std::size_t n, std::size_t repeat_count, bool backwards, bool swapped,
                  const LinesShape& s) {
    layout_.Begin(s.output_offset * width_ + s.skew);
    const std::size_t line = s.Line(n), block = s.Block(n);
    const std::size_t source = backwards ? n : (n + repeat_count - 1) / repeat_count;
    std::byte* const a = layout_.Input(s.blocks * s.lines * n + 2);
    std::byte* const b = layout_.Input(s.blocks * s.lines * source + 3);
    std::byte* const y = layout_.Output(s.blocks * block);
    for (std::size_t k = 0; k < s.blocks; ++k) {
      for (std::size_t j = 0; j < s.lines; ++j) {
        for (std::size_t i = 0; i < n; ++i) {
          std::byte* const to = y + (k * block + j * line + i) * width_;
          const std::size_t at = backwards ? n - 1 - i : i / repeat_count;
          layout_.Reads(to, a + ((k * s.lines + j) * n + i) * width_);
          layout_.Reads(to, b + ((k * s.lines + j) * source + at) * width_);
        }
      }
    }
    const auto of = [&](const std::byte* data, std::size_t length, std::size_t count, bool reversed) {
      return Lines{data + (reversed ? (length - 1) * width_ : 0),
                   Bytes(static_cast<Signed>(s.lines * length)), Bytes(static_cast<Signed>(length)), count,
                   reversed};
    };
    const Lines left = of(a, n, 1, false), right = of(b, source, repeat_count, backwards);
    const LinesTo to = OutputOf(y, n, s);
    visit_(Text({{"join_lines: n", n},
                 {"repeat_count", repeat_count},
                 {"backwards", backwards},
                 {"blocks", s.blocks},
                 {"lines", s.lines},
                 {"gap", s.gap},
                 {"non-temporal", s.non_temporal},
                 {"offset", s.output_offset},
                 {"swapped", swapped}}),
           layout_, [&] {
             row_.join_lines(swapped ? right : left, swapped ? left : right, to);
             if (s.non_temporal) kernels::StoreFence();
           });
  }

  // A repeat count of at least the elements of any line.
  static constexpr int kScalar = 5000;

  std::vector<std::size_t> RepeatCounts(std::size_t n) const {
    std::vector<std::size_t> found = {1, 2, 3, 5, n, kScalar};
    for (std::size_t count = 4; count <= kernels::kMaxRepeatCount; ++count) {
      if (count != 5 && extent_ == Extent::kAll) found.push_back(count);
    }
    return found;
  }

  void LinesOf(std::size_t n) {
    const LinesShape one{1, 1, 0, 0, false, 0}, several{2, 3, 1, 2, false, 1};
    for (const std::size_t count : RepeatCounts(n)) {
      if (count <= kernels::kMaxRepeatCount || count >= n) OneOfLines(n, count, false, false, one);
    }
    OneOfLines(n, 1, true, false, one);
    OneOfLines(n, 3, false, true, one);
    if (n % 3 == 0 || extent_ == Extent::kAll) {
      for (const std::size_t count : std::initializer_list<std::size_t>{1, 3, kScalar})
        OneOfLines(n, count, false, false, several);
      OneOfLines(n, 1, true, true, several);
    }
  }

  void NonTemporalLines() {
    for (const std::size_t n : Lengths()) {
      if (n < lanes_) continue;
      for (const std::size_t offset : {std::size_t{0}, std::size_t{1}, lanes_ / 2, lanes_ - 1}) {
        for (const auto& [count, backwards] :
             {std::pair{1, false}, {3, false}, {kScalar, false}, {1, true}}) {
          OneOfLines(n, static_cast<std::size_t>(count), backwards, false, {1, 3, 0, 0, true, offset});
        }
        if (offset == 1 && width_ > 1) OneOfLines(n, 3, false, false, {1, 3, 0, 0, true, offset, 1});
        if (n % 2 == 0) OneOfLines(n, 1, false, false, {2, 2, 0, 3, true, offset});
        if (n % 5 == 0) OneOfLines(n, 1, false, false, {2, 2, 1, 0, true, offset});
      }
    }
  }

  // An output that is written by non-temporal stores begins `offset` bytes after an aligned vector.
  void OneOfMany(std::size_t n, std::size_t count, bool non_temporal, std::size_t offset) {
    layout_.Begin(offset);
    std::vector<const std::byte*> from;
    for (std::size_t m = 0; m < count; ++m) from.push_back(layout_.Input(n) - 8);
    std::byte* const y = layout_.Output(n);
    for (const std::byte* x : from) {
      for (std::size_t i = 0; i < n; ++i) layout_.Reads(y + i * width_, x + 8 + i * width_);
    }
    std::vector<std::byte> acc(n * width_);
    visit_(Text({{"join_many: n", n}, {"inputs", count}, {"non-temporal", non_temporal}, {"offset", offset}}),
           layout_, [&] {
             row_.join_many(DenseInputs{from.data(), count, 8}, acc.data(), y, n, non_temporal);
             if (non_temporal) kernels::StoreFence();
           });
  }

  void Many(std::size_t n) {
    for (const std::size_t count : std::initializer_list<std::size_t>{1, 2, 3, 4, 5, 16, 17, 33}) {
      if (count > 5 && extent_ != Extent::kAll && n % lanes_ > 1 && n % lanes_ != lanes_ - 1) continue;
      for (const bool non_temporal : {false, true}) {
        if (non_temporal && (n < lanes_ || (extent_ != Extent::kAll && n % lanes_ > 2) || count > 5))
          continue;
        OneOfMany(n, count, non_temporal, non_temporal ? width_ : 0);
      }
      if (extent_ != Extent::kLong || n / lanes_ != 5 || count > 17) continue;
      for (std::size_t offset = 0; offset < lanes_ * width_; offset += n % lanes_ == 0 ? 1 : width_)
        OneOfMany(n, count, true, offset);
    }
  }

  // The output has n elements, the last of which may be the first of several that are equal.
  void Repeats(std::size_t n) {
    for (const Signed stride : {1, -1, 0, 2, 3, 4, -2}) {
      const std::size_t most = stride >= -1 && stride <= 2 ? n : 1;
      for (std::size_t count = 1; count <= most; ++count) {
        if (n % count != 0) continue;
        const std::size_t source = n / count;
        layout_.Begin(width_ * (n % 2));
        std::byte* const a = StridedInput(source, stride);
        std::byte* const y = layout_.Output(n);
        layout_.MayOverwriteBeyond(64);
        layout_.OnlyMoves();
        for (std::size_t i = 0; i < n; ++i)
          layout_.Reads(y + i * width_, a + Bytes(static_cast<Signed>(i / count) * stride));
        visit_(Text({{"repeat: n", source}, {"repeat_count", count}, {"stride", stride}}), layout_, [&] {
          row_.repeat(Row{a, Bytes(stride)}, source, count, y);
        });
      }
    }
  }

  void Clear(std::size_t n) {
    layout_.Begin();
    std::byte* const y = layout_.Output(n);
    for (std::size_t i = 0; i < n; ++i) layout_.Writes(y + i * width_);
    visit_(Text({{"clear: n", n}}), layout_, [&] { row_.clear(y, n); });
  }

  void Transposes() {
    const std::size_t most = extent_ == Extent::kAll ? 40 : 16 / width_ * 2 + 2;
    for (std::size_t rows = 1; rows <= most; ++rows) {
      for (std::size_t columns = 1; columns <= most; ++columns) {
        if (extent_ == Extent::kSample && (rows * 7 + columns) % 5 != 0) continue;
        for (const Signed pad : {0, 3}) {
          const Signed step = (static_cast<Signed>(columns) + pad) * (pad != 0 && rows % 2 == 0 ? -1 : 1);
          layout_.Begin();
          layout_.OnlyMoves();
          std::byte* const from = StridedBlock(rows, columns, step);
          std::byte* const y = layout_.Output(rows * columns);
          for (std::size_t c = 0; c < columns; ++c) {
            for (std::size_t r = 0; r < rows; ++r) {
              layout_.Reads(y + (c * rows + r) * width_,
                            from + Bytes(static_cast<Signed>(r) * step + static_cast<Signed>(c)));
            }
          }
          visit_(Text({{"transpose: rows", rows}, {"columns", columns}, {"step", step}}), layout_,
                 [&] { row_.transpose(from, Bytes(step), rows, columns, y); });
        }
      }
    }
  }

  // Rows of n dense elements, `step` elements apart.
  std::byte* StridedBlock(std::size_t rows, std::size_t n, Signed step) {
    const std::size_t reach = (rows - 1) * static_cast<std::size_t>(std::abs(step));
    std::byte* const begin = layout_.Input(reach + n);
    return step < 0 ? begin + reach * width_ : begin;
  }

  // kept x reduced elements by a primitive; strides in elements, and `gap` elements between blocks.
  void OneBlock(bool rows, std::size_t kept, std::size_t reduced, Signed kept_stride, Signed reduced_stride,
                bool fresh, std::size_t blocks, Signed gap = 1) {
    layout_.Begin(0, width_ * (reduced % 3));
    const auto reach = [](std::size_t n, Signed stride) { return static_cast<Signed>(n - 1) * stride; };
    Signed first = 0, last = 0;
    for (const Signed r : {reach(kept, kept_stride), reach(reduced, reduced_stride)})
      (r < 0 ? first : last) += r;
    const Signed block = last - first + 1 + gap;
    std::byte* const data = layout_.Input(static_cast<std::size_t>(block) * blocks) - Bytes(first);
    std::byte* const before = fresh ? nullptr : layout_.Input(kept * blocks);
    std::byte* const acc = layout_.Output(kept * blocks);
    for (std::size_t b = 0; b < blocks; ++b) {
      for (std::size_t j = 0; j < kept; ++j) {
        std::byte* const to = acc + (b * kept + j) * width_;
        for (std::size_t i = 0; i < reduced; ++i) {
          layout_.Reads(to,
                        data + Bytes(static_cast<Signed>(b) * block + static_cast<Signed>(j) * kept_stride +
                                     static_cast<Signed>(i) * reduced_stride));
        }
        if (!fresh) layout_.Reads(to, before + (b * kept + j) * width_);
        if (fresh && reduced == 0) layout_.Writes(to);
      }
    }
    visit_(Text({{rows ? "fold_rows: kept" : "reduce_runs: kept", kept},
                 {"reduced", reduced},
                 {"strides", kept_stride},
                 {"", reduced_stride},
                 {"fresh", fresh},
                 {"blocks", blocks}}),
           layout_, [&] {
             if (!fresh) std::memcpy(acc, before, kept * blocks * width_);
             (rows ? row_.fold_rows : row_.reduce_runs)(Block{data, Bytes(kept_stride), Bytes(reduced_stride),
                                                              kept, reduced, fresh, blocks, Bytes(block)},
                                                        acc);
           });
  }

  void Rows() {
    for (const std::size_t kept : Lengths()) {
      const Signed n = static_cast<Signed>(kept);
      for (const std::size_t reduced : std::initializer_list<std::size_t>{1, 2, 3, 5, 17, 33}) {
        if (reduced > 5 && extent_ != Extent::kAll && kept % 4 != 1) continue;
        OneBlock(true, kept, reduced, 1, n, reduced % 2 == 0, 1);
        OneBlock(true, kept, reduced, 1, n + 3, reduced % 2 != 0, 1);
        if (extent_ == Extent::kAll || extent_ == Extent::kLong) {
          OneBlock(true, kept, reduced, 1, n, reduced % 2 != 0, 1);
          OneBlock(true, kept, reduced, 1, n + 3, reduced % 2 == 0, reduced % 3);
        }
        if (kept % 4 == 1) OneBlock(true, kept, reduced, 1, -n - 1, true, 2);
        if (kept % 8 == 2) OneBlock(true, kept, reduced, 2, 2 * n + 5, false, 1);
      }
    }
    // Contiguous blocks, the last of which cannot be read by whole vectors.
    for (std::size_t kept = 1; kept <= lanes_; kept = extent_ == Extent::kAll ? kept + 1 : 2 * kept + 1) {
      for (const std::size_t reduced : std::initializer_list<std::size_t>{1, 2, 5}) {
        for (const std::size_t blocks : std::initializer_list<std::size_t>{2, 3, 40})
          OneBlock(true, kept, reduced, 1, static_cast<Signed>(kept), blocks % 3 != 0, blocks, 0);
      }
    }
    // More than a strip of vectors; many rows that are narrower than a vector.
    for (const std::size_t kept : {4 * lanes_ + 1, 8 * lanes_, 8 * lanes_ + 3, 9 * lanes_ - 1}) {
      for (const std::size_t reduced : std::initializer_list<std::size_t>{1, 15, 16, 17}) {
        if (extent_ != Extent::kAll && reduced == 16) continue;
        OneBlock(true, kept, reduced, 1, static_cast<Signed>(kept), reduced != 16, 1);
        if (extent_ == Extent::kAll)
          OneBlock(true, kept, reduced, 1, static_cast<Signed>(kept), reduced == 16, 1);
      }
    }
    // Whole vectors of some rows at a time, and the rows that are left.
    for (const std::size_t kept : {lanes_, 2 * lanes_}) {
      for (std::size_t reduced = 16; reduced <= 20; ++reduced) {
        const Signed pad = reduced % 2 == 0 ? 0 : 2;
        OneBlock(true, kept, reduced, 1, static_cast<Signed>(kept) + pad, reduced % 3 == 0, 1);
      }
    }
    for (std::size_t kept = 1; kept < lanes_; kept = extent_ == Extent::kAll ? kept + 1 : 2 * kept + 1) {
      for (const std::size_t reduced : {16 * lanes_, 17 * lanes_ + 1}) {
        if (kept * reduced > 2600 && extent_ != Extent::kAll) continue;
        OneBlock(true, kept, reduced, 1, static_cast<Signed>(kept), kept % 2 != 0, 1);
        if (extent_ == Extent::kAll)
          OneBlock(true, kept, reduced, 1, static_cast<Signed>(kept), kept % 2 == 0, 2);
      }
    }
  }

  void Runs() {
    for (const std::size_t reduced : Lengths()) {
      const Signed n = static_cast<Signed>(reduced);
      std::vector<std::size_t> counts = {1, 3};
      if (reduced <= 16 || extent_ == Extent::kAll) counts.push_back(lanes_ + 1);
      if (reduced <= 16 && extent_ != Extent::kSample)
        counts.insert(counts.end(), {lanes_ - 1, lanes_, 2 * lanes_ + 3});
      for (const std::size_t kept : counts) {
        OneBlock(false, kept, reduced, n, 1, kept % 2 == 0, 1);
        OneBlock(false, kept, reduced, n + 2, 1, kept % 2 != 0, 1);
        if (kept == 3) OneBlock(false, kept, reduced, -n, 1, false, 2);
        if (kept == 3 && reduced % 4 == 1) OneBlock(false, kept, reduced, 2 * n + 1, 2, true, 1);
      }
    }
    const std::size_t lengths[] = {5 * lanes_ + 1,  6 * lanes_,  12 * lanes_ + 3,
                                   24 * lanes_ - 1, 48 * lanes_, 53 * lanes_ + 5};
    for (const std::size_t reduced : lengths) {
      if (reduced * width_ > 2000 && extent_ == Extent::kSample) continue;
      OneBlock(false, 1, reduced, static_cast<Signed>(reduced), 1, true, 1);
      OneBlock(false, 2, reduced, static_cast<Signed>(reduced) + 1, 1, false, 1);
    }
    // A vector of runs of some vectors each.
    for (const std::size_t reduced : {2 * lanes_ + 1, 3 * lanes_, 8 * lanes_ - 1, 8 * lanes_}) {
      if (reduced * width_ > 200 && extent_ == Extent::kSample) continue;
      const Signed pad = reduced % 2 == 0 ? 0 : 2;
      OneBlock(false, lanes_ + 1, reduced, static_cast<Signed>(reduced) + pad, 1, pad == 0, 1);
    }
    // Runs of less than 16 bytes, behind each of which a vector may have elements of the next one.
    for (const std::size_t reduced : std::initializer_list<std::size_t>{7, 9, 13, 15}) {
      if (reduced * width_ >= 16) continue;
      OneBlock(false, lanes_ + 3, reduced, static_cast<Signed>(reduced), 1, reduced % 4 != 1, 1);
    }
    OneBlock(false, 3, 0, 1, 1, true, 2);
    OneBlock(true, 3, 0, 1, 3, true, 2);
  }

  const RowKernels& row_;
  const std::size_t width_, lanes_;
  const Extent extent_;
  const Visit& visit_;
  Layout layout_;
};

}  // namespace

void VisitPrimitives(const RowKernels& row, std::size_t width, std::size_t lanes, Extent extent,
                     const Visit& visit) {
  Primitives(row, width, lanes, extent, visit).VisitAll();
}

std::size_t VectorBytes(const kernels::KernelTable& table) {
  if (table.target.starts_with("avx3")) return 64;
  return table.target == "avx2" || table.target == "sve_256" ? 32 : 16;
}

}  // namespace supremum::test
