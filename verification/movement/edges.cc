#include "movement/edges.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
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

// Calls that write nothing: what they are given is a few elements that they must not change.
class Nothing {
 public:
  Nothing(const RowKernels& row, std::size_t width, std::size_t lanes, const Visit& visit)
      : row_(row), width_(width), lanes_(lanes), visit_(visit), layout_(width) {}

  void VisitAll() {
    Joins();
    LinesWithoutElements();
    Moves();
    Folds();
  }

 private:
  using Signed = std::ptrdiff_t;

  Signed Bytes(Signed elements) const { return elements * static_cast<Signed>(width_); }

  template <class Call>
  void Visit(const char* what, Call call) {
    layout_.Begin();
    const std::byte* const x = layout_.Input(8 * lanes_);
    std::byte* const y = layout_.Output(8 * lanes_);
    visit_(std::string("nothing: ") + what, layout_, [&] { call(x, y); });
  }

  void Joins() {
    for (const Signed to : {1, 2}) {
      for (const Signed left : {1, 0, -1}) {
        for (const Signed right : {1, 0, -1}) {
          Visit("join", [&](const std::byte* x, std::byte* y) {
            row_.join(Row{x, Bytes(left)}, Row{x, Bytes(right)}, MutableRow{y, Bytes(to)}, 0);
          });
        }
        Visit("copy", [&](const std::byte* x, std::byte* y) {
          row_.copy(Row{x, Bytes(left)}, MutableRow{y, Bytes(to)}, 0);
        });
      }
    }
    Visit("join_many", [&](const std::byte* x, std::byte* y) {
      const std::vector<const std::byte*> from(20, x);
      std::vector<std::byte> acc(64);
      for (const std::size_t count : std::initializer_list<std::size_t>{1, 2, 5, 17, 20})
        row_.join_many(DenseInputs{from.data(), count, 0}, acc.data(), y, 0, false);
    });
  }

  // No blocks, no lines of some blocks, or lines without elements; then fewer lines than these have.
  void LinesWithoutElements() {
    struct Extents {
      std::size_t blocks, lines, n;
    };
    for (const Extents& extents : {Extents{0, 2, 3 * lanes_},
                                   {2, 0, 3 * lanes_},
                                   {2, 0, 6 * lanes_},
                                   {2, 3, 0},
                                   {0, 3, 1},
                                   {2, 0, 1}}) {
      for (const bool non_temporal : {false, true}) {
        const auto to = [this, extents, non_temporal](std::byte* y) {
          return LinesTo{
              y,         0,           Bytes(static_cast<Signed>(extents.n)), extents.blocks, extents.lines,
              extents.n, non_temporal};
        };
        for (const std::size_t repeat_count : std::initializer_list<std::size_t>{1, 3, 1000}) {
          for (const bool backwards : {false, true}) {
            Visit("join_lines", [&](const std::byte* x, std::byte* y) {
              if (backwards && repeat_count != 1) return;
              row_.join_lines(Lines{x, 0, 0, 1, false}, Lines{x, 0, 0, repeat_count, backwards}, to(y));
            });
          }
        }
      }
    }
  }

  void Moves() {
    for (const Signed stride : {1, 0, -1}) {
      for (const std::size_t count : {std::size_t{1}, std::size_t{2}, 2 * lanes_}) {
        Visit("repeat", [&](const std::byte* x, std::byte* y) {
          row_.repeat(Row{x, Bytes(stride)}, 0, count, y);
        });
      }
    }
    for (const std::size_t some : {std::size_t{1}, 16 / width_, 3 * lanes_}) {
      Visit("transpose", [&](const std::byte* x, std::byte* y) {
        row_.transpose(x, Bytes(3), 0, some, y);
        row_.transpose(x, Bytes(3), some, 0, y);
      });
    }
    // More elements than are repeated by permutations.
    const std::size_t n = kernels::kMaxRepeatLineElements / 2;
    layout_.Begin();
    layout_.OnlyMoves();
    const std::byte* const x = layout_.Input(n);
    std::byte* const y = layout_.Output(2 * n);
    layout_.MayOverwriteBeyond(64);
    for (std::size_t i = 0; i < 2 * n; ++i) layout_.Reads(y + i * width_, x + i / 2 * width_);
    visit_("repeat: a long line", layout_, [&] { row_.repeat(Row{x, Bytes(1)}, n, 2, y); });
  }

  void Folds() {
    Visit("clear", [&](const std::byte*, std::byte* y) { row_.clear(y, 0); });
    for (const bool rows : {true, false}) {
      for (const bool fresh : {true, false}) {
        for (const Signed stride : {1, 2}) {
          for (const auto& extents : {std::array<std::size_t, 3>{0, 5, 1},
                                      {0, 0, 1},
                                      {3, 5, 0},
                                      {3 * lanes_, 5, 0},
                                      {10 * lanes_, 5, 0},
                                      {1, 20 * lanes_, 0},
                                      {lanes_ / 2, 2, 0},
                                      {3, 0, 0},
                                      {3, 0, 2},
                                      {0, 5, 3}}) {
            const std::size_t kept = extents[0], reduced = extents[1], blocks = extents[2];
            if (fresh && kept * blocks > 0) continue;  // writes
            Visit(rows ? "fold_rows" : "reduce_runs", [&](const std::byte* x, std::byte* y) {
              (rows ? row_.fold_rows : row_.reduce_runs)(
                  Block{x, Bytes(rows ? stride : static_cast<Signed>(reduced)),
                        Bytes(rows ? static_cast<Signed>(kept) : stride), kept, reduced, fresh, blocks,
                        Bytes(9)},
                  y);
            });
          }
        }
      }
    }
  }

  const RowKernels& row_;
  const std::size_t width_, lanes_;
  const test::Visit& visit_;
  Layout layout_;
};

// Calls whose inputs end or begin next to the output, or are the output: where elements are few, the
// compiler's tests for overlapping memory then have the other outcome.
class Neighbours {
 public:
  Neighbours(const RowKernels& row, std::size_t width, const Visit& visit)
      : row_(row), width_(width), visit_(visit), layout_(width) {}

  void VisitAll() {
    for (std::size_t n = 1; n <= 40; n += n < 2 * 16 / width_ + 2 ? 1 : 5) {
      Joins(n);
      Moves(n);
      for (std::size_t m = 1; m <= 20; m += m < 5 ? 1 : 4) Folds(n, m);
    }
  }

 private:
  using Signed = std::ptrdiff_t;
  enum class Where { kBefore, kAfter, kInPlace };
  struct Read {
    Signed output;
    bool of_b;
    Signed input;
  };

  Signed Bytes(Signed elements) const { return elements * static_cast<Signed>(width_); }

  // `a`, `b` and the output have so many elements; calls call(a, b, output).
  template <class Call>
  void Visit(const std::string& what, const std::array<std::size_t, 3>& sizes, const std::vector<Read>& reads,
             bool in_place, bool only_moves, Call call) {
    const std::size_t a_size = sizes[0], b_size = sizes[1], size = sizes[2];
    for (const Where a_where : {Where::kBefore, Where::kAfter, Where::kInPlace}) {
      if (a_where == Where::kInPlace && !in_place) continue;
      for (const std::size_t gap : std::initializer_list<std::size_t>{0, 1, 3}) {
        layout_.Begin(7 * ++visited_ % 16, gap * width_);  // at any address
        if (only_moves) layout_.OnlyMoves();
        std::byte* const a_source = layout_.Input(a_size);
        std::byte* const b_source = layout_.Input(b_size);
        const std::size_t largest = std::max(a_size, b_size) + gap, before = largest * width_;
        std::byte* const y = layout_.Output(2 * largest + size) + before;
        for (const Read& read : reads) {
          layout_.Reads(y + Bytes(read.output), (read.of_b ? b_source : a_source) + Bytes(read.input));
        }
        const auto place = [&](Where where, std::size_t n) {
          return where == Where::kBefore  ? y - (n + gap) * width_
                 : where == Where::kAfter ? y + (size + gap) * width_
                                          : y;
        };
        std::byte* const a = place(a_where, a_size);
        std::byte* const b = place(a_where == Where::kBefore ? Where::kAfter : Where::kBefore, b_size);
        visit_(what, layout_, [&] {
          std::memcpy(a, a_source, a_size * width_);
          std::memcpy(b, b_source, b_size * width_);
          call(a, b, y);
          // The inputs must not have changed; then they are as if nothing had been written there.
          const bool same = (a == y || std::memcmp(a, a_source, a_size * width_) == 0) &&
                            std::memcmp(b, b_source, b_size * width_) == 0;
          if (a != y && same) std::memset(a, 0x5A, a_size * width_);
          if (same) std::memset(b, 0x5A, b_size * width_);
        });
      }
    }
  }

  void Joins(std::size_t n) {
    const Signed count = static_cast<Signed>(n);
    for (const Signed left : {1, 0, -1, 2}) {
      for (const Signed right : {1, 0, -1, 2}) {
        if (left != 1 && right != 1 && left != right) continue;
        for (const Signed to : {1, 2}) {
          const auto size = [&](Signed stride) {
            return stride == 0 ? 1 : (n - 1) * static_cast<std::size_t>(std::abs(stride)) + 1;
          };
          const auto begin = [&](Signed stride) { return stride < 0 ? count - 1 : 0; };
          std::vector<Read> reads, copied;
          for (Signed i = 0; i < count; ++i) {
            reads.push_back({i * to, false, begin(left) + i * left});
            reads.push_back({i * to, true, begin(right) + i * right});
            copied.push_back({i * to, false, begin(left) + i * left});
          }
          Visit("join beside", {size(left), size(right), size(to)}, reads, left == 1 && to == 1, false,
                [&](std::byte* a, std::byte* b, std::byte* y) {
                  row_.join(Row{a + Bytes(begin(left)), Bytes(left)},
                            Row{b + Bytes(begin(right)), Bytes(right)}, MutableRow{y, Bytes(to)}, n);
                });
          if (right != 1) continue;
          Visit("copy beside", {size(left), 1, size(to)}, copied, left == 1 && to == 1, false,
                [&](std::byte* a, std::byte*, std::byte* y) {
                  row_.copy(Row{a + Bytes(begin(left)), Bytes(left)}, MutableRow{y, Bytes(to)}, n);
                });
        }
      }
    }
    std::vector<Read> reads;
    for (Signed i = 0; i < count; ++i) {
      for (const bool of_b : {false, true}) reads.push_back({i, of_b, i});
    }
    for (const std::size_t inputs : std::initializer_list<std::size_t>{2, 3, 20}) {
      Visit("join_many beside", {n, n, n}, reads, true, false, [&](std::byte* a, std::byte* b, std::byte* y) {
        std::vector<const std::byte*> from(inputs, a);
        from.back() = b;
        std::vector<std::byte> acc(n * width_);
        row_.join_many(DenseInputs{from.data(), inputs, 0}, acc.data(), y, n, false);
      });
    }
    for (const std::size_t repeat_count : std::initializer_list<std::size_t>{1, 2, 5, 1000}) {
      for (const bool swapped : {false, true}) {
        for (const bool backwards : {false, true}) {
          if (backwards && repeat_count != 1) continue;
          const std::size_t source = (n + repeat_count - 1) / repeat_count;
          std::vector<Read> of_lines;
          for (Signed i = 0; i < count; ++i) {
            of_lines.push_back({i, false, i});
            of_lines.push_back({i, true, backwards ? count - 1 - i : i / static_cast<Signed>(repeat_count)});
          }
          Visit("join_lines beside", {n, source, n}, of_lines, true, false,
                [&](std::byte* a, std::byte* b, std::byte* y) {
                  const Lines dense{a, 0, 0, 1, false};
                  const Lines other{backwards ? b + Bytes(count - 1) : b, 0, 0, repeat_count, backwards};
                  row_.join_lines(swapped ? other : dense, swapped ? dense : other,
                                  LinesTo{y, 0, 0, 1, 1, n, false});
                });
        }
      }
    }
  }

  void Moves(std::size_t n) {
    const Signed count = static_cast<Signed>(n);
    for (std::size_t rows = 1; rows <= n; ++rows) {
      if (n % rows != 0) continue;
      const Signed columns = count / static_cast<Signed>(rows);
      std::vector<Read> reads;
      for (Signed i = 0; i < count; ++i)
        reads.push_back({i % columns * static_cast<Signed>(rows) + i / columns, false, i});
      Visit("transpose beside", {n, 1, n}, reads, false, true, [&](std::byte* a, std::byte*, std::byte* y) {
        row_.transpose(a, Bytes(columns), rows, static_cast<std::size_t>(columns), y);
      });
    }
  }

  void Folds(std::size_t kept, std::size_t reduced) {
    const Signed k = static_cast<Signed>(kept), r = static_cast<Signed>(reduced);
    for (const bool rows : {true, false}) {
      for (const Signed step : {1, 2}) {
        const Signed kept_stride = rows ? step : r * step, reduced_stride = rows ? k * step : step;
        std::vector<Read> reads;
        for (Signed j = 0; j < k; ++j) {
          for (Signed i = 0; i < r; ++i) reads.push_back({j, false, j * kept_stride + i * reduced_stride});
        }
        const std::size_t size =
            static_cast<std::size_t>((k - 1) * kept_stride + (r - 1) * reduced_stride + 1);
        Visit(rows ? "fold_rows beside" : "reduce_runs beside", {size, 1, kept}, reads, false, false,
              [&](std::byte* a, std::byte*, std::byte* y) {
                (rows ? row_.fold_rows : row_.reduce_runs)(
                    Block{a, Bytes(kept_stride), Bytes(reduced_stride), kept, reduced, true}, y);
              });
      }
    }
  }

  const RowKernels& row_;
  const std::size_t width_;
  const test::Visit& visit_;
  Layout layout_;
  std::size_t visited_ = 0;
};

}  // namespace

void VisitEdges(const RowKernels& row, std::size_t width, std::size_t lanes, const Visit& visit) {
  Nothing(row, width, lanes, visit).VisitAll();
  Neighbours(row, width, visit).VisitAll();
}

}  // namespace supremum::test
