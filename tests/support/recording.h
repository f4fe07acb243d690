// Kernels that record: an element is a set of source positions, one bit each, and Join is their union. After
// a call, each output shows which source positions reached it, and the record shows who wrote it how often.
#ifndef SUPREMUM_TESTS_SUPPORT_RECORDING_H_
#define SUPREMUM_TESTS_SUPPORT_RECORDING_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/kernels.h"
#include "kernels/targets.h"
#include "ops/parallel.h"

namespace supremum::test {

/// Memory accesses of one call, recorded by the recording kernels. A test makes its calls one after the other
/// on one thread, so that one record is enough.
struct Record {
  const std::byte* memory = nullptr;  ///< all operands of the call
  const std::byte* memory_end = nullptr;
  const std::byte* output = nullptr;  ///< the part of `memory` that belongs to the output
  const std::byte* output_end = nullptr;
  std::size_t width = 0;
  int part = -1;                    ///< the part of a ParallelFor that runs; -1 outside
  std::vector<std::uint8_t> fresh;  ///< by element of the output's memory: writes that join nothing
  std::vector<int> writer;          ///< the part that has written it last; -2: none
  std::size_t parts = 0;            ///< of all ParallelFor
  const char* fault = nullptr;      ///< the first violation of a kernel's contract, or null

  void Begin(const std::byte* from, const std::byte* to, const std::byte* first, const std::byte* last,
             std::size_t element_width) {
    memory = from;
    memory_end = to;
    output = first;
    output_end = last;
    width = element_width;
    part = -1;
    const std::size_t elements = static_cast<std::size_t>(last - first) / width;
    fresh.assign(elements, 0);
    writer.assign(elements, -2);
    parts = 0;
    fault = nullptr;
  }
  void Require(bool holds, const char* what) {
    if (!holds && fault == nullptr) fault = what;
  }
};
inline Record record;

/// The bit of a byte that no operand owns, in every element that is no element of an operand.
inline constexpr unsigned kOutside = 1;

template <class T>
class RecordingKernels {
 public:
  static kernels::RowKernels Row(std::size_t vector_bytes) {
    kernels::RowKernels row;
    row.join = [](kernels::Row a, kernels::Row b, kernels::MutableRow y, std::size_t n) {
      const bool accumulates = y.data == a.data || y.data == b.data;
      for (std::size_t i = 0; i < n; ++i) {
        Write(At(y.data, y.stride, i),
              static_cast<T>(Read(At(a.data, a.stride, i)) | Read(At(b.data, b.stride, i))), accumulates);
      }
    };
    row.copy = [](kernels::Row a, kernels::MutableRow y, std::size_t n) {
      for (std::size_t i = 0; i < n; ++i)
        Write(At(y.data, y.stride, i), Read(At(a.data, a.stride, i)), y.data == a.data);
    };
    row.join_lines = JoinLines;
    row.max_step = 4;
    row.vector_bytes = vector_bytes;
    row.join_many = JoinMany;
    row.repeat = [](kernels::Row a, std::size_t n, std::size_t repeat_count, std::byte* out) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < repeat_count; ++k)
          Write(Next(out, i * repeat_count + k), Read(At(a.data, a.stride, i)), false);
      }
      Spoil(Next(out, n * repeat_count), 64);
    };
    row.transpose = [](const std::byte* from, std::ptrdiff_t row_stride, std::size_t rows,
                       std::size_t columns, std::byte* out) {
      for (std::size_t c = 0; c < columns; ++c) {
        for (std::size_t r = 0; r < rows; ++r)
          Write(Next(out, c * rows + r), Read(At(from, row_stride, r) + c * sizeof(T)), false);
      }
    };
    row.clear = [](std::byte* acc, std::size_t n) {
      for (std::size_t i = 0; i < n; ++i) Write(Next(acc, i), 0, false);
    };
    row.fold_rows = Fold;
    row.reduce_runs = Fold;
    return row;
  }

 private:
  static const std::byte* At(const std::byte* data, std::ptrdiff_t stride, std::size_t i) {
    return data + static_cast<std::ptrdiff_t>(i) * stride;
  }
  static std::byte* At(std::byte* data, std::ptrdiff_t stride, std::size_t i) {
    return data + static_cast<std::ptrdiff_t>(i) * stride;
  }
  static std::byte* Next(std::byte* data, std::size_t i) { return data + i * sizeof(T); }

  static T Read(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    return value;
  }

  static void Write(std::byte* to, T value, bool accumulates) {
    if (to >= record.output && to < record.output_end) {
      const std::size_t element = static_cast<std::size_t>(to - record.output) / sizeof(T);
      record.Require(record.writer[element] == -2 || record.writer[element] == record.part,
                     "two parts write one output");
      record.writer[element] = record.part;
      if (!accumulates) ++record.fresh[element];
    } else {
      record.Require(to < record.memory || to >= record.memory_end, "a source is written");
    }
    std::memcpy(to, &value, sizeof(T));
  }

  // Memory that a kernel may overwrite.
  static void Spoil(std::byte* from, std::size_t bytes) {
    record.Require(from < record.memory || from >= record.memory_end, "an operand serves as a buffer");
    std::memset(from, 0xFF, bytes);
  }

  static const std::byte* InLine(const kernels::Lines& x, std::size_t block, std::size_t line,
                                 std::size_t i) {
    const std::byte* const first = At(At(x.data, x.block_stride, block), x.line_stride, line);
    return x.backwards ? first - i * sizeof(T) : first + i / x.repeat_count * sizeof(T);
  }

  static void JoinLines(const kernels::Lines& a, const kernels::Lines& b, const kernels::LinesTo& y) {
    record.Require(a.IsDense() || b.IsDense(), "join_lines: neither operand is dense");
    for (const kernels::Lines& x : {a, b}) {
      record.Require(x.repeat_count > 0 && (!x.backwards || x.repeat_count == 1),
                     "join_lines: the repeat count");
      const bool repeats = x.repeat_count > 1 && x.repeat_count < y.n;
      record.Require(
          !repeats || (x.repeat_count <= kernels::kMaxRepeatCount && y.n <= kernels::kMaxRepeatLineElements),
          "join_lines: too many repeated elements");
    }
    const bool accumulates = y.data == a.data || y.data == b.data;
    for (std::size_t block = 0; block < y.blocks; ++block) {
      for (std::size_t line = 0; line < y.lines; ++line) {
        std::byte* const to = At(At(y.data, y.block_stride, block), y.line_stride, line);
        for (std::size_t i = 0; i < y.n; ++i) {
          Write(Next(to, i),
                static_cast<T>(Read(InLine(a, block, line, i)) | Read(InLine(b, block, line, i))),
                accumulates);
        }
      }
    }
  }

  static void JoinMany(const kernels::DenseInputs& x, std::byte* acc, std::byte* y, std::size_t n, bool) {
    record.Require(x.count > 0, "join_many: no input");
    Spoil(acc, n * sizeof(T));
    bool accumulates = false;
    for (std::size_t m = 0; m < x.count; ++m) accumulates = accumulates || x.from[m] + x.offset == y;
    for (std::size_t i = 0; i < n; ++i) {
      T all = 0;
      for (std::size_t m = 0; m < x.count; ++m)
        all = static_cast<T>(all | Read(x.from[m] + x.offset + i * sizeof(T)));
      Write(Next(y, i), all, accumulates);
    }
  }

  static void Fold(const kernels::Block& a, std::byte* acc) {
    record.Require(reinterpret_cast<std::uintptr_t>(acc) % sizeof(T) == 0,
                   "an accumulator is not aligned to its element");
    for (std::size_t block = 0; block < a.blocks; ++block) {
      for (std::size_t j = 0; j < a.kept; ++j) {
        std::byte* const to = Next(acc, block * a.kept + j);
        T all = a.fresh ? T{0} : Read(to);
        for (std::size_t i = 0; i < a.reduced; ++i) {
          all = static_cast<T>(
              all | Read(At(At(At(a.data, a.block_stride, block), a.kept_stride, j), a.reduced_stride, i)));
        }
        Write(to, all, !a.fresh);
      }
    }
  }
};

/// Makes operators use recording kernels with vectors of `vector_bytes` bytes while it exists.
class ScopedRecording {
 public:
  explicit ScopedRecording(std::size_t vector_bytes) {
    table_.target = "recording";
    table_.rows[static_cast<std::size_t>(DType::kUInt8)] = RecordingKernels<std::uint8_t>::Row(vector_bytes);
    table_.rows[static_cast<std::size_t>(DType::kUInt16)] =
        RecordingKernels<std::uint16_t>::Row(vector_bytes);
    table_.rows[static_cast<std::size_t>(DType::kUInt32)] =
        RecordingKernels<std::uint32_t>::Row(vector_bytes);
    table_.rows[static_cast<std::size_t>(DType::kUInt64)] =
        RecordingKernels<std::uint64_t>::Row(vector_bytes);
    kernels::UseKernels(&table_);
  }
  ~ScopedRecording() { kernels::UseKernels(nullptr); }
  ScopedRecording(const ScopedRecording&) = delete;
  ScopedRecording& operator=(const ScopedRecording&) = delete;

 private:
  kernels::KernelTable table_;
};

/// Worker threads in name alone: the parts of a ParallelFor run one after the other, the last one first, and
/// the record knows which one runs.
inline const Workers kRecordedWorkers = {
    [](void*, std::size_t count, Workers::Part part, void* task) noexcept {
      record.parts += count;
      for (std::size_t k = count; k-- > 0;) {
        record.part = static_cast<int>(k);
        part(task, k);
      }
      record.part = -1;
      return true;
    },
    nullptr};

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_RECORDING_H_
