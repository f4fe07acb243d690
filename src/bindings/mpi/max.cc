// AllMax and ScatterMax: Max of a rank's own inputs by a plan, prepared before the ranks agree to go on; then
// the ranks' results are joined.
#include "supremum/max.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/mpi/collectives.h"
#include "bindings/mpi/joined_output.h"
#include "bindings/mpi/same.h"
#include "bindings/mpi/status.h"
#include "core/align.h"
#include "core/operand_errors.h"
#include "kernels/kernels.h"
#include "ops/prepare.h"
#include "rules/max.h"
#include "supremum/mpi.h"

namespace supremum::mpi {
namespace {

// The common shape and the type of the inputs of all ranks.
struct Common {
  DType dtype = DType::kFloat32;
  Shape shape;
};

Result<Common> CommonOf(MPI_Comm comm, std::span<const TensorView> inputs, const MaxOptions& options) {
  const Result<Ranks> ranks = RanksOf(comm);
  if (!ranks) return ranks.error();
  Result<void> mine;
  Shape own;
  if (!inputs.empty()) {
    const Result<Shape> shape = MaxOutputShape(inputs, options);
    if (shape) {
      own = *shape;
    } else {
      mine = shape.error();
    }
  }
  const std::array<std::int64_t, 2> stated = {static_cast<std::int64_t>(options.version),
                                              options.identical_shapes_only ? 1 : 0};
  const Result<std::vector<std::int64_t>> first = NumbersOfRank0(comm, stated);
  if (!first) return first.error();
  if (mine && !std::ranges::equal(stated, *first)) {
    mine = MakeError(
        ErrorCode::kInvalidArgument,
        "this rank states another version or identical_shapes_only than rank 0; give all ranks the same");
  }
  if (Result<void> all = Agree(comm, mine); !all) return all.error();

  // All inputs of a rank count as one input of their common shape: groups of inputs broadcast to the same
  // shape as all of them (BRO-2).
  constexpr std::size_t kLength = 1 + kDescription;
  std::vector<std::int64_t> numbers = {inputs.empty() ? 0 : 1};
  Describe({inputs.empty() ? DType::kFloat32 : inputs[0].dtype, own, {}, nullptr}, &numbers);
  std::vector<std::int64_t> all(kLength * static_cast<std::size_t>(ranks->count));
  if (Result<void> done = Done(MPI_Allgather(numbers.data(), static_cast<int>(kLength), MPI_INT64_T,
                                             all.data(), static_cast<int>(kLength), MPI_INT64_T, comm),
                               "MPI_Allgather");
      !done) {
    return done.error();
  }
  std::vector<TensorView> views;
  std::vector<std::string> names;
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(ranks->count); ++rank) {
    const auto of_rank = std::span<const std::int64_t>(all).subspan(rank * kLength, kLength);
    if (of_rank[0] == 0) continue;
    views.push_back(Described(of_rank.subspan(1)));
    names.push_back("rank " + std::to_string(rank));
  }
  const std::vector<std::string_view> shown(names.begin(), names.end());
  MaxOptions named = options;
  named.input_names = shown;
  // All ranks have the same views now, so all report the same error.
  const Result<Shape> shape = MaxOutputShape(views, named);
  if (!shape) return shape.error();
  return Common{views.front().dtype, *shape};
}

// Views of the full shape, with stride 0 where an input is broadcast.
class Expanded {
 public:
  Expanded(std::span<const TensorView> inputs, const Shape& shape) : shape_(shape) {
    for (const TensorView& input : inputs) {
      TensorView& view = views_.emplace_back(input);
      // A view that is not broadcast is unchanged: it may be the output (MEM-2).
      if (SameDims(input.shape, shape_)) continue;
      view.shape = shape_;
      view.strides = strides_.emplace_back(AlignedStrides(input, shape_.rank()));
    }
  }
  std::span<const TensorView> views() const { return views_; }

 private:
  Shape shape_;
  std::deque<Shape> strides_;
  std::vector<TensorView> views_;
};

// The local part of the computation.
struct LocalMax {
  JoinedOutput joined;
  std::optional<MaxPlan> plan;  // none where the rank has no input

  Result<void> Prepare(std::span<const TensorView> inputs, MutableTensorView output, const Common& common,
                       const MaxOptions& options) {
    const OperandNames names{options.input_names, options.output_name};
    if (output.dtype != common.dtype) {
      return TypeMismatchError(names.Output(), Name(output.dtype), "the inputs", Name(common.dtype));
    }
    if (Result<void> ok = CheckOutputShape(names, output.shape, common.shape); !ok) return ok;
    const Expanded expanded(inputs, common.shape);
    // A rank without inputs checks its output, in place, as its only input.
    const TensorView alone = output;
    OperandNames names_of_views = names;
    if (inputs.empty()) names_of_views.inputs = {};
    const std::span<const TensorView> views = inputs.empty() ? std::span(&alone, 1) : expanded.views();
    const Views operands(views, &output, names_of_views);
    const Result<CheckedMax> checked = JudgeMax(operands, {options.version, options.identical_shapes_only});
    if (!checked) return checked.error();
    if (Result<void> ok = operands.CheckMemory(); !ok) return ok;
    if (Result<void> ok = joined.Prepare(output); !ok) return ok;
    if (inputs.empty()) return {};
    Result<MaxPlan> into_target = PrepareChecked(*checked, views, joined.View(), options);
    if (!into_target) return into_target.error();
    plan.emplace(*std::move(into_target));
    return {};
  }

  void Run(const Common& common) {
    if (plan) return plan->Run();
    const std::span<std::byte> bytes = joined.Bytes();
    if (!bytes.empty()) {
      kernels::ActiveKernels().For(common.dtype).clear(bytes.data(), bytes.size() / ByteWidth(common.dtype));
    }
  }
};

}  // namespace

Result<Shape> AllMaxOutputShape(MPI_Comm comm, std::span<const TensorView> inputs,
                                const MaxOptions& max_options) {
  const Result<Common> common = CommonOf(comm, inputs, max_options);
  if (!common) return common.error();
  return common->shape;
}

Result<void> AllMax(MPI_Comm comm, std::span<const TensorView> inputs, MutableTensorView output,
                    const MaxOptions& max_options, const Options& options) {
  const Result<Common> common = CommonOf(comm, inputs, max_options);
  if (!common) return common.error();
  LocalMax local;
  if (Result<void> all = Agree(comm, local.Prepare(inputs, output, *common, max_options)); !all) return all;
  local.Run(*common);
  if (Result<void> done = JoinEverywhere(comm, common->dtype, local.joined.Bytes(), options); !done)
    return done;
  local.joined.Finish();
  return {};
}

Result<void> ScatterMax(MPI_Comm comm, std::span<const TensorView> inputs, std::span<std::byte> block,
                        const MaxOptions& max_options, const Options& options) {
  const Result<Ranks> ranks = RanksOf(comm);
  if (!ranks) return ranks.error();
  const Result<Common> common = CommonOf(comm, inputs, max_options);
  if (!common) return common.error();
  LocalMax local;
  Scatter scatter;
  const auto prepare = [&]() -> Result<void> {
    if (Result<void> ok = local.joined.Allocate(common->dtype, common->shape); !ok) return ok;
    Result<Scatter> prepared =
        PrepareScatter(*ranks, common->dtype, *ElementCount(common->shape), block.size(), options);
    if (!prepared) return prepared.error();
    scatter = *std::move(prepared);
    return local.Prepare(inputs, local.joined.View(), *common, max_options);
  };
  if (Result<void> all = Agree(comm, prepare()); !all) return all;
  local.Run(*common);
  return JoinScattered(comm, common->dtype, local.joined.Bytes().data(), block, scatter);
}

}  // namespace supremum::mpi
