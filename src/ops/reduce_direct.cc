#include "ops/reduce_direct.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/axes.h"
#include "core/multiply.h"
#include "core/overlap.h"
#include "kernels/kernels.h"
#include "ops/tuning.h"

namespace supremum {
namespace {

// Upper bound of the source's bytes, beyond which a second thread may be worth having.
constexpr std::size_t kMaxBytesWithoutPlan = 2 * kDefaultTuning.min_bytes_per_thread - 1;

// The dimensions of a dense tensor, neighbours merged: reduced and kept ones alternate.
struct Groups {
  struct Group {
    std::size_t extent;
    bool is_reduced;
  };
  std::size_t count = 0;
  std::array<Group, 5> group;  // at most two of them reduced: kept, reduced, kept, reduced, kept

  // Requires: extent > 1. False if there is no room.
  bool Add(std::size_t extent, bool is_reduced) {
    if (count > 0 && group[count - 1].is_reduced == is_reduced) {
      group[count - 1].extent *= extent;
      return true;
    }
    if (count == group.size() || (count == group.size() - 1 && is_reduced)) return false;
    group[count++] = {extent, is_reduced};
    return true;
  }
};

// The reduced group that comes first, and the elements of the groups before and after it.
struct FirstReduction {
  std::size_t before = 1, extent = 1, after = 1;
  bool is_last = true;
};

FirstReduction FirstOf(const Groups& groups) {
  FirstReduction first;
  bool found = false;
  for (std::size_t g = 0; g < groups.count; ++g) {
    const auto [extent, is_reduced] = groups.group[g];
    if (is_reduced && !found) {
      first.extent = extent;
      found = true;
    } else {
      (found ? first.after : first.before) *= extent;
      first.is_last = first.is_last && !is_reduced;
    }
  }
  return first;
}

// The groups that are left when `groups` is reduced along the first reduced one.
Groups WithoutFirst(const Groups& groups) {
  Groups rest;
  bool found = false;
  for (std::size_t g = 0; g < groups.count; ++g) {
    const auto [extent, is_reduced] = groups.group[g];
    if (is_reduced && !found) {
      found = true;
    } else {
      rest.Add(extent, is_reduced);
    }
  }
  return rest;
}

// One call of a primitive: y has first.before x first.after elements.
void Reduce(const kernels::RowKernels& row, std::size_t width, const std::byte* data,
            const FirstReduction& first, std::byte* y) {
  const auto bytes = [&](std::size_t elements) { return static_cast<std::ptrdiff_t>(elements * width); };
  if (first.extent == 1) {
    row.copy({data, bytes(1)}, {y, bytes(1)}, first.before * first.after);
  } else if (first.after == 1) {
    row.reduce_runs({data, bytes(first.extent), bytes(1), first.before, first.extent, true}, y);
  } else {
    row.fold_rows({data, bytes(1), bytes(first.after), first.after, first.extent, true, first.before,
                   bytes(first.extent * first.after)},
                  y);
  }
}

// True if y is aligned to its elements, and if its bytes and those of the source x exist and are apart.
bool MayBeWritten(const void* y, std::size_t y_bytes, std::size_t width, const void* x, std::size_t x_bytes) {
  return reinterpret_cast<std::uintptr_t>(y) % width == 0 && FitsAddressSpace(x, x_bytes) &&
         FitsAddressSpace(y, y_bytes) && Apart(x, x_bytes, y, y_bytes);
}

// A source with stated strides that lies in memory without gaps, as a row-major one: its dimensions in the
// order of the memory, from its lowest address on.
struct RowMajor {
  static constexpr std::size_t kMaxDimensions = 8;
  std::size_t rank = 0, kept = 0;
  std::array<std::int64_t, kMaxDimensions> shape, kept_shape;
  AxisSet reduced;
  std::size_t elements = 1, kept_elements = 1;
  std::size_t elements_before = 0;  // the first element of the source
  bool is_reversed = false;         // so is the output: its kept dimensions run downwards
};

// Reduced dimensions may have any order and direction, as the maximum does not depend on it; kept ones have
// the order of the output. False where there is no such view, and for more than 512 KiB.
bool FindRowMajor(const TensorView& source, const AxisSet& reduced, RowMajor& view) {
  const auto distance = [&](std::size_t d) {
    const std::int64_t stride = source.strides[d];
    return stride < 0 ? 0 - static_cast<std::uint64_t>(stride) : static_cast<std::uint64_t>(stride);
  };
  std::array<std::size_t, RowMajor::kMaxDimensions> order;  // the largest distance first
  for (std::size_t d = 0; d < source.shape.size(); ++d) {
    const std::int64_t extent = source.shape[d];
    if (extent == 1) continue;
    if (!MultiplyUpTo<kMaxBytesWithoutPlan>(extent, view.elements)) return false;
    if (view.rank == order.size()) return false;
    std::size_t place = view.rank++;
    for (; place > 0 && distance(order[place - 1]) < distance(d); --place) order[place] = order[place - 1];
    order[place] = d;
  }
  std::size_t step = view.elements, last_kept = 0;
  for (std::size_t n = 0; n < view.rank; ++n) {
    const std::size_t d = order[n];
    const std::int64_t extent = source.shape[d];
    step /= static_cast<std::size_t>(extent);
    if (distance(d) != step) return false;
    const bool runs_down = source.strides[d] < 0;
    if (runs_down) view.elements_before += static_cast<std::size_t>(extent - 1) * step;
    view.shape[n] = extent;
    if (reduced.Has(d)) {
      view.reduced.Add(n);
      continue;
    }
    if (view.kept > 0 && (d < last_kept || runs_down != view.is_reversed)) return false;
    view.is_reversed = runs_down;
    view.kept_shape[view.kept++] = extent;
    view.kept_elements *= static_cast<std::size_t>(extent);
    last_kept = d;
  }
  return true;
}

// ComputeReduceMaxDirectly for a row-major source without stated strides. Requires: both have data and the
// same type, which the operator admits.
bool ComputeRowMajor(const TensorView& source, const AxisSet& reduced, bool keepdims,
                     const MutableTensorView& output) {
  const std::size_t width = ByteWidth(source.dtype), rank = source.shape.size();
  Groups groups;
  std::size_t bytes = width, kept_bytes = width;
  std::size_t next = 0;  // dimension of the output
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t extent = source.shape[d];
    if (!MultiplyUpTo<kMaxBytesWithoutPlan>(extent, bytes)) return false;
    const bool reduces = reduced.Has(d);
    if (!reduces || keepdims) {
      if (next == output.shape.size() || output.shape[next++] != (reduces ? 1 : extent)) return false;
    }
    if (extent == 1) continue;
    if (!reduces) kept_bytes *= static_cast<std::size_t>(extent);
    if (!groups.Add(static_cast<std::size_t>(extent), reduces)) return false;
  }
  if (next != output.shape.size() || bytes >= 2 * tuning.min_bytes_per_thread) return false;
  const FirstReduction first = FirstOf(groups);
  if (!first.is_last && first.before * first.after * width > tuning.max_partial_bytes) return false;
  if (kept_bytes > tuning.max_unplanned_output_bytes) return false;
  if (!MayBeWritten(output.data, kept_bytes, width, source.data, bytes)) return false;

  const kernels::RowKernels& row = kernels::ActiveKernels().For(source.dtype);
  const std::byte* const x = static_cast<const std::byte*>(source.data);
  std::byte* const y = static_cast<std::byte*>(output.data);
  if (first.is_last) {
    Reduce(row, width, x, first, y);
  } else {
    alignas(64) std::array<std::byte, kDefaultTuning.max_partial_bytes> partial;
    Reduce(row, width, x, first, partial.data());
    Reduce(row, width, partial.data(), FirstOf(WithoutFirst(groups)), y);
  }
  return true;
}

// The same for a source with stated strides.
bool ComputeWithStrides(const TensorView& source, const AxisSet& reduced, bool keepdims,
                        const MutableTensorView& output) {
  RowMajor view;
  if (source.strides.size() != source.shape.size() || !FindRowMajor(source, reduced, view)) return false;
  if (!SameDims(ReducedShape(source.shape, reduced, keepdims), output.shape)) return false;
  const std::size_t width = ByteWidth(source.dtype);
  const std::size_t bytes_before = view.elements_before * width;
  if (reinterpret_cast<std::uintptr_t>(source.data) < bytes_before) return false;
  const std::byte* const x = static_cast<const std::byte*>(source.data) - bytes_before;
  const auto compute_to = [&](void* y) {
    return ComputeRowMajor({source.dtype, DimsView(view.shape.data(), view.rank), {}, x}, view.reduced, false,
                           {output.dtype, DimsView(view.kept_shape.data(), view.kept), {}, y});
  };
  if (!view.is_reversed) return compute_to(output.data);
  const std::size_t kept_bytes = view.kept_elements * width;
  if (kept_bytes > tuning.max_partial_bytes) return false;
  if (!MayBeWritten(output.data, kept_bytes, width, x, view.elements * width)) return false;
  alignas(64) std::array<std::byte, kDefaultTuning.max_partial_bytes> partial;
  if (!compute_to(partial.data())) return false;
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(width);
  kernels::ActiveKernels()
      .For(source.dtype)
      .copy({partial.data() + (kept_bytes - width), -step}, {static_cast<std::byte*>(output.data), step},
            view.kept_elements);
  return true;
}

}  // namespace

bool ComputeReduceMaxDirectly(const TensorView& source, const MutableTensorView& output,
                              const ReduceMaxOptions& options) {
  if (!output.strides.empty()) return false;
  if (source.data == nullptr || output.data == nullptr || source.dtype != output.dtype) return false;
  const std::size_t rank = source.shape.size();
  if (rank > kMaxRank || !Admits(options.version, source.dtype)) return false;
  AxisSet reduced = AxisSet::All(rank);
  if (options.axes) {
    const Result<AxisSet> named =
        ResolveAxes(options.axes.list(), rank, options.version, options.source_name);
    if (!named) return false;
    reduced = *named;
  }
  return source.strides.empty() ? ComputeRowMajor(source, reduced, options.keepdims, output)
                                : ComputeWithStrides(source, reduced, options.keepdims, output);
}

}  // namespace supremum
