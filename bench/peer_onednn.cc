// oneDNN: the binary primitive for two inputs, with post-operations for more; the reduction primitive.
#include <omp.h>

#include <algorithm>
#include <oneapi/dnnl/dnnl.hpp>
#include <optional>
#include <unordered_map>

#include "contender.h"

namespace supremum::bench {
namespace {

// Inputs after the second one are post-operations; cases with more inputs are not measured.
constexpr std::size_t kMaxInputs = 16;

std::optional<dnnl::memory::data_type> TypeOf(DType dtype) {
  using Type = dnnl::memory::data_type;
  switch (dtype) {
    case DType::kFloat32:
      return Type::f32;
    case DType::kFloat16:
      return Type::f16;
    case DType::kBFloat16:
      return Type::bf16;
    case DType::kInt8:
      return Type::s8;
    case DType::kUInt8:
      return Type::u8;
    case DType::kInt32:
      return Type::s32;
    default:
      return std::nullopt;
  }
}

// The description of a tensor, with leading extents of 1 up to `rank`.
dnnl::memory::desc Describe(const TensorView& view, std::size_t rank) {
  const Shape dense = RowMajorStrides(view.shape);
  const DimsView strides = view.strides.empty() ? DimsView(dense) : DimsView(view.strides);
  dnnl::memory::dims extents(rank - view.shape.size(), 1), steps(extents.size(), 1);
  for (std::size_t d = 0; d < view.shape.size(); ++d) {
    extents.push_back(view.shape[d]);
    steps.push_back(strides[d]);
  }
  for (std::size_t d = 0; d < rank - view.shape.size(); ++d) {
    steps[d] = static_cast<std::int64_t>(Count(view.shape));
  }
  return dnnl::memory::desc(extents, *TypeOf(view.dtype), steps);
}

class OneDnn final : public Peer {
 public:
  std::string Name() const override { return "oneDNN"; }
  std::string Version() const override {
    const dnnl::version_t* version = dnnl::version();
    return std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
           std::to_string(version->patch);
  }

  ContenderPtr Prepare(const Problem& problem, std::size_t threads) override {
    const Case& spec = problem.spec();
    if (!TypeOf(spec.dtype) || spec.inputs.size() > kMaxInputs) return nullptr;
    for (const Layout& layout : spec.inputs) {
      for (std::int64_t stride : layout.strides) {
        if (stride < 0) return nullptr;
      }
    }
    omp_set_num_threads(static_cast<int>(threads));
    try {
      return spec.op == Op::kMax ? PrepareMax(problem) : PrepareReduceMax(problem);
    } catch (const dnnl::error&) {
      return nullptr;  // unsupported type or shape
    }
  }

 private:
  dnnl::memory Memory(const TensorView& view, std::size_t rank) const {
    return dnnl::memory(Describe(view, rank), engine_, const_cast<void*>(view.data));
  }

  template <class Primitive>
  ContenderPtr Calls(Primitive primitive, std::unordered_map<int, dnnl::memory> arguments) {
    return MakeCalls(Name(), [this, primitive, arguments = std::move(arguments)] {
      primitive.execute(stream_, arguments);
      stream_.wait();
    });
  }

  ContenderPtr PrepareMax(const Problem& problem) {
    const std::size_t rank = std::max<std::size_t>(1, problem.output().shape.size());
    std::vector<TensorView> inputs = problem.inputs();
    if (inputs.size() < 2) return nullptr;
    // Only the second input may be broadcast.
    std::stable_sort(inputs.begin(), inputs.end(), [](const TensorView& a, const TensorView& b) {
      return Count(a.shape) > Count(b.shape);
    });
    std::unordered_map<int, dnnl::memory> arguments = {
        {DNNL_ARG_SRC_0, Memory(inputs[0], rank)},
        {DNNL_ARG_SRC_1, Memory(inputs[1], rank)},
        {DNNL_ARG_DST, Memory(problem.output(), rank)},
    };
    dnnl::post_ops more;
    for (std::size_t m = 2; m < inputs.size(); ++m) {
      more.append_binary(dnnl::algorithm::binary_max, Describe(inputs[m], rank));
      const int position = static_cast<int>(m) - 2;
      arguments[DNNL_ARG_ATTR_MULTIPLE_POST_OP(position) | DNNL_ARG_SRC_1] = Memory(inputs[m], rank);
    }
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(more);
    const dnnl::binary::desc description(dnnl::algorithm::binary_max, Describe(inputs[0], rank),
                                         Describe(inputs[1], rank), Describe(problem.output(), rank));
    return Calls(dnnl::binary({description, attributes, engine_}), std::move(arguments));
  }

  ContenderPtr PrepareReduceMax(const Problem& problem) {
    const Case& spec = problem.spec();
    const TensorView& source = problem.inputs()[0];
    Shape kept = spec.inputs[0].shape;  // oneDNN keeps reduced dimensions
    for (std::int64_t axis : spec.axes) kept[static_cast<std::size_t>(axis)] = 1;
    const TensorView output{spec.dtype, kept, {}, problem.output_data()};
    const std::size_t rank = kept.rank();
    const dnnl::reduction::desc description(dnnl::algorithm::reduction_max, Describe(source, rank),
                                            Describe(output, rank), 0, 0);
    return Calls(dnnl::reduction({description, engine_}),
                 {{DNNL_ARG_SRC, Memory(source, rank)}, {DNNL_ARG_DST, Memory(output, rank)}});
  }

  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  mutable dnnl::stream stream_{engine_};
};

}  // namespace

PeerPtr OneDnnPeer() { return std::make_unique<OneDnn>(); }

}  // namespace supremum::bench
