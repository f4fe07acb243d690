#include "torch_operators.h"

#include <ATen/ATen.h>
#include <ATen/CPUFunctions.h>
#include <ATen/EmptyTensor.h>
#include <ATen/ExpandUtils.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/native/Resize.h>
#include <c10/core/WrapDimMinimal.h>
#include <torch/csrc/api/include/torch/version.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "torch_types.h"

namespace supremum::python {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

const TorchLibrary* library = nullptr;

// PyTorch's own kernels compute what the library does not have: other types, and more dimensions. Those of
// bool are exact, whatever byte true is.
bool IsLeftToPyTorch(at::ScalarType type, const at::Tensor& a, const at::Tensor& b) {
  constexpr std::int64_t kMax = kMaxRank;
  return !TypeOf(type) || type == at::ScalarType::Bool || a.dim() > kMax || b.dim() > kMax;
}

DimsView Dims(at::IntArrayRef dims) { return {dims.data(), dims.size()}; }

// Row-major tensors are views without strides: the library's way for small ones takes no others.
DimsView StridesOf(const at::Tensor& tensor) {
  return tensor.is_contiguous() ? DimsView() : Dims(tensor.strides());
}
TensorView ViewOf(const at::Tensor& tensor) {
#if TORCH_VERSION_MAJOR >= 2
  const void* const data = tensor.const_data_ptr();
#else
  const void* const data = tensor.data_ptr();
#endif
  return {*TypeOf(tensor.scalar_type()), Dims(tensor.sizes()), StridesOf(tensor), data};
}
MutableTensorView OutputView(const at::Tensor& tensor) {
  return {*TypeOf(tensor.scalar_type()), Dims(tensor.sizes()), StridesOf(tensor), tensor.data_ptr()};
}

// PyTorch's own setting, for as many elements as it would compute in threads.
std::size_t Threads(const at::Tensor& largest) {
  return largest.numel() < at::internal::GRAIN_SIZE || at::in_parallel_region()
             ? 1
             : static_cast<std::size_t>(std::max(1, at::get_num_threads()));
}

void ComputeMaximum(const at::Tensor& a, const at::Tensor& b, const at::Tensor& y) {
  const std::array<TensorView, 2> inputs = {ViewOf(a), ViewOf(b)};
  const std::string error = library->max(inputs, OutputView(y), Threads(y));
  TORCH_CHECK(error.empty(), "maximum: ", error);
}

// True if the output has memory in common with an input, but is not exactly that input: PyTorch permits it.
bool OverlapsInAnotherWay(const at::Tensor& y, const at::Tensor& x) {
  if (!y.is_alias_of(x)) return false;
  return y.data_ptr() != x.data_ptr() || y.sizes() != x.sizes() || y.strides() != x.strides();
}

// The iterator has the operands in their common type, and the output's shape, layout and memory, by PyTorch's
// rules.
void ComputeMaximum(at::TensorIterator& iterator) {
  const at::Tensor &a = iterator.input(0), &b = iterator.input(1), &y = iterator.output();
  if (OverlapsInAnotherWay(y, a) || OverlapsInAnotherWay(y, b)) {
    const at::Tensor apart = at::empty(y.sizes(), y.options());
    ComputeMaximum(a, b, apart);
    y.copy_(apart);
  } else {
    ComputeMaximum(a, b, y);
  }
  iterator.cast_outputs();
}

bool IsRowMajor(const at::Tensor& tensor) {
  const at::IntArrayRef sizes = tensor.sizes(), strides = tensor.strides();
  std::int64_t stride = 1;
  for (std::size_t d = sizes.size(); d > 0; --d) {
    if (strides[d - 1] != stride) return false;
    stride *= sizes[d - 1];
  }
  return true;
}

// Such operands of one type have a row-major maximum of that type, without the iterator, which takes as long
// as a small maximum.
bool AreSimple(const at::Tensor& a, const at::Tensor& b) {
  if (a.scalar_type() != b.scalar_type() || IsLeftToPyTorch(a.scalar_type(), a, b)) return false;
  return IsRowMajor(a) && IsRowMajor(b) && !a.has_names() && !b.has_names();
}

at::Tensor Maximum(const at::Tensor& a, const at::Tensor& b) {
  if (AreSimple(a, b)) {
    const bool same_shape = a.sizes() == b.sizes();
    at::Tensor y(at::detail::empty_cpu(
        same_shape ? at::DimVector(a.sizes()) : at::infer_size_dimvector(a.sizes(), b.sizes()),
        a.scalar_type()));
    ComputeMaximum(a, b, y);
    return y;
  }
  if (IsLeftToPyTorch(at::result_type(a, b), a, b)) return at::cpu::maximum(a, b);
  at::Tensor y;
  at::TensorIterator iterator = at::TensorIterator::binary_op(y, a, b);
  ComputeMaximum(iterator);
  return iterator.output();
}

at::Tensor& MaximumOut(const at::Tensor& a, const at::Tensor& b, at::Tensor& out) {
  if (IsLeftToPyTorch(at::result_type(a, b), a, b)) return at::cpu::maximum_out(out, a, b);
  at::TensorIterator iterator = at::TensorIterator::binary_op(out, a, b);
  ComputeMaximum(iterator);
  return out;
}

// The dimensions that are reduced, ascending; none given: all of them.
std::vector<std::int64_t> ReducedDims(const at::Tensor& source, at::IntArrayRef dims) {
  const std::int64_t rank = source.dim();
  std::vector<std::int64_t> ascending;
  if (dims.empty()) {
    for (std::int64_t d = 0; d < rank; ++d) ascending.push_back(d);
    return ascending;
  }
  std::array<bool, kMaxRank> reduced = {};
  for (const std::int64_t stated : dims) {
    const std::int64_t dim = c10::maybe_wrap_dim(stated, rank);
    bool& is_reduced = reduced[static_cast<std::size_t>(dim)];
    TORCH_CHECK(!is_reduced, "dim ", dim, " appears multiple times in the list of dims");
    is_reduced = true;
  }
  for (std::int64_t d = 0; d < rank; ++d) {
    if (reduced[static_cast<std::size_t>(d)]) ascending.push_back(d);
  }
  return ascending;
}

at::DimVector ReducedShape(const at::Tensor& source, const std::vector<std::int64_t>& reduced, bool keepdim) {
  at::DimVector shape;
  auto next = reduced.begin();
  for (std::int64_t d = 0; d < source.dim(); ++d) {
    const bool is_reduced = next != reduced.end() && *next == d;
    if (is_reduced) ++next;
    if (!is_reduced) shape.push_back(source.size(d));
    if (is_reduced && keepdim) shape.push_back(1);
  }
  return shape;
}

void Reduce(const at::Tensor& source, const std::vector<std::int64_t>& reduced, bool keepdim,
            const at::Tensor& y) {
  const std::string error =
      library->reduce_max(ViewOf(source), OutputView(y), reduced, keepdim, Threads(source));
  TORCH_CHECK(error.empty(), "amax: ", error);
}

// Types that supremum lacks, and more dimensions.
bool HasNoRules(const at::Tensor& source) {
  constexpr std::int64_t kMax = kMaxRank;
  return !TypeOf(source.scalar_type()) || source.dim() > kMax;
}

// PyTorch's own operators also compute tensors without elements, and refuse them unless the result is empty.
bool IsLeftToPyTorch(const at::Tensor& source) { return HasNoRules(source) || source.numel() == 0; }

// supremum::amax: also over no elements (RED-6).
at::Tensor AmaxByRules(const at::Tensor& source, at::IntArrayRef dims, bool keepdim) {
  if (HasNoRules(source)) return at::cpu::amax(source, dims, keepdim);
  const std::vector<std::int64_t> reduced = ReducedDims(source, dims);
  at::Tensor y = at::empty(ReducedShape(source, reduced, keepdim), source.options());
  Reduce(source, reduced, keepdim, y);
  return y;
}

at::Tensor Amax(const at::Tensor& source, at::IntArrayRef dims, bool keepdim) {
  return IsLeftToPyTorch(source) ? at::cpu::amax(source, dims, keepdim) : AmaxByRules(source, dims, keepdim);
}

at::Tensor& AmaxOut(const at::Tensor& source, at::IntArrayRef dims, bool keepdim, at::Tensor& out) {
  if (IsLeftToPyTorch(source) || out.scalar_type() != source.scalar_type() || !out.device().is_cpu()) {
    return at::cpu::amax_out(out, source, dims, keepdim);
  }
  const std::vector<std::int64_t> reduced = ReducedDims(source, dims);
  at::native::resize_output(out, ReducedShape(source, reduced, keepdim));
  if (out.is_alias_of(source)) {
    out.copy_(Amax(source, dims, keepdim));  // PyTorch permits it
  } else {
    Reduce(source, reduced, keepdim, out);
  }
  return out;
}

at::Tensor MaxOfAll(const at::Tensor& source) {
  return IsLeftToPyTorch(source) ? at::cpu::max(source) : Amax(source, {}, false);
}

#if TORCH_VERSION_MAJOR >= 2
at::Tensor& MaxOfAllOut(const at::Tensor& source, at::Tensor& out) {
  const at::Tensor y = MaxOfAll(source);
  at::native::resize_output(out, y.sizes());
  return out.copy_(y);
}
#endif

// max over one dimension: the indices are PyTorch's, and so are values of integers, which are exact.
bool AreValuesLeftToPyTorch(const at::Tensor& source) {
  return IsLeftToPyTorch(source) || !source.is_floating_point();
}

std::tuple<at::Tensor, at::Tensor> MaxOfDim(const at::Tensor& source, std::int64_t dim, bool keepdim) {
  std::tuple<at::Tensor, at::Tensor> y = at::cpu::max(source, dim, keepdim);
  if (!AreValuesLeftToPyTorch(source)) Reduce(source, ReducedDims(source, dim), keepdim, std::get<0>(y));
  return y;
}

std::tuple<at::Tensor&, at::Tensor&> MaxOfDimOut(const at::Tensor& source, std::int64_t dim, bool keepdim,
                                                 at::Tensor& values, at::Tensor& indices) {
  if (AreValuesLeftToPyTorch(source)) return at::cpu::max_out(values, indices, source, dim, keepdim);
  const bool overlaps = values.is_alias_of(source) || indices.is_alias_of(source);
  const at::Tensor kept = overlaps ? source.clone() : source;
  at::cpu::max_out(values, indices, source, dim, keepdim);
  values.copy_(Amax(kept, dim, keepdim));
  return {values, indices};
}

// PyTorch's own kernels know the shapes, but of an amax over no elements.
at::Tensor MaximumOfShapes(const at::Tensor& a, const at::Tensor& b) { return at::maximum(a, b); }
at::Tensor AmaxOfShapes(const at::Tensor& source, at::IntArrayRef dims, bool keepdim) {
  const bool has_symbols = source.unsafeGetTensorImpl()->has_symbolic_sizes_strides();
  if (has_symbols || HasNoRules(source) || source.numel() != 0) return at::amax(source, dims, keepdim);
  return at::empty(ReducedShape(source, ReducedDims(source, dims), keepdim), source.options());
}

constexpr const char *kMaximumName = "supremum::maximum", *kAmaxName = "supremum::amax";

template <class Function>
const auto& Operator(const char* name) {
  static const auto handle = c10::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<Function>();
  return handle;
}

at::Tensor CallMaximum(const at::Tensor& a, const at::Tensor& b) {
  const at::AutoDispatchBelowADInplaceOrView below;
  return Operator<at::Tensor(const at::Tensor&, const at::Tensor&)>(kMaximumName).call(a, b);
}
at::Tensor CallAmax(const at::Tensor& source, at::IntArrayRef dims, bool keepdim) {
  const at::AutoDispatchBelowADInplaceOrView below;
  return Operator<at::Tensor(const at::Tensor&, at::IntArrayRef, bool)>(kAmaxName).call(source, dims,
                                                                                        keepdim);
}

bool NeedsGradient(const at::Tensor& tensor) {
  TORCH_CHECK_NOT_IMPLEMENTED(!tensor._fw_grad(0).defined(),
                              "supremum's operators have no forward-mode derivatives; use torch.maximum and "
                              "torch.amax under supremum.torch.everywhere()");
  return at::GradMode::is_enabled() && tensor.requires_grad();
}

// True for each element of x that is the maximum y, as numbers: -0 and +0 are equal, and NaN is equal to NaN.
at::Tensor IsMaximum(const at::Tensor& x, const at::Tensor& y) { return (x == y) | (x.isnan() & y.isnan()); }

// The gradient of maximum goes to the operand that is the maximum, half of it to each if both are.
struct MaximumGradient : torch::autograd::Function<MaximumGradient> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& a, const at::Tensor& b) {
    const at::Tensor y = CallMaximum(a, b);
    context->save_for_backward({a, b, y});
    return y;
  }
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &a = saved[0], &b = saved[1], &y = saved[2], &gradient = gradients[0];
    const at::Tensor a_is = IsMaximum(a, y), b_is = IsMaximum(b, y);
    const at::Tensor share = at::where(a_is & b_is, gradient / 2, gradient);
    const auto part = [&](const at::Tensor& x, const at::Tensor& is) {
      return at::sum_to(share.masked_fill(~is, 0), x.sym_sizes()).to(x.scalar_type());
    };
    return {part(a, a_is), part(b, b_is)};
  }
};

at::Tensor MaximumWithGradient(const at::Tensor& a, const at::Tensor& b) {
  const bool first = NeedsGradient(a), second = NeedsGradient(b);
  return first || second ? MaximumGradient::apply(a, b) : CallMaximum(a, b);
}

// The gradient of amax goes in equal shares to the elements that are the maximum.
struct AmaxGradient : torch::autograd::Function<AmaxGradient> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& source, at::IntArrayRef dims,
                            bool keepdim) {
    const at::Tensor y = CallAmax(source, dims, keepdim);
    context->save_for_backward({source, y});
    context->saved_data["reduced"] = ReducedDims(source, dims);
    context->saved_data["keepdim"] = keepdim;
    return y;
  }
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const std::vector<std::int64_t> reduced = context->saved_data["reduced"].toIntVector();
    at::Tensor y = saved[1], gradient = gradients[0];
    if (!context->saved_data["keepdim"].toBool()) {
      for (const std::int64_t d : reduced) {
        y = y.unsqueeze(d);
        gradient = gradient.unsqueeze(d);
      }
    }
    const at::Tensor is = IsMaximum(saved[0], y);
    // A scalar has no dimensions to count in.
    const at::Tensor count = reduced.empty() ? at::ones_like(gradient) : is.sum(reduced, true);
    return {(gradient / count).masked_fill(~is, 0), at::Tensor(), at::Tensor()};
  }
};

at::Tensor AmaxWithGradient(const at::Tensor& source, at::IntArrayRef dims, bool keepdim) {
  return NeedsGradient(source) ? AmaxGradient::apply(source, dims, keepdim) : CallAmax(source, dims, keepdim);
}

// PyTorch warns of each kernel that takes another's place, which is what ReplaceTorchKernels is asked for.
#if TORCH_VERSION_MAJOR >= 2
using c10::WarningUtils::WarningHandlerGuard;
struct NoWarnings : c10::WarningHandler {
  void process(const c10::Warning&) override {}
};
#else
using c10::Warning::WarningHandlerGuard;
struct NoWarnings : c10::WarningHandler {
  void process(const c10::SourceLocation&, const std::string&, bool) override {}
};
#endif

// Never destroyed: PyTorch may be gone by then.
std::optional<torch::Library>& Replacement() {
  static auto* const replacement = new std::optional<torch::Library>;
  return *replacement;
}

}  // namespace

void DefineTorchOperators(const TorchLibrary& functions) {
  library = &functions;
  static auto* const registered = new std::vector<torch::Library>;  // as Replacement
  torch::Library& defined = registered->emplace_back(MAKE_TORCH_LIBRARY(supremum));
  defined.def("maximum(Tensor a, Tensor b) -> Tensor");
  defined.def("amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor");
  torch::Library& cpu = registered->emplace_back(MAKE_TORCH_LIBRARY_IMPL(supremum, CPU));
  cpu.impl("maximum", &Maximum);
  cpu.impl("amax", &AmaxByRules);
  torch::Library& meta = registered->emplace_back(MAKE_TORCH_LIBRARY_IMPL(supremum, Meta));
  meta.impl("maximum", &MaximumOfShapes);
  meta.impl("amax", &AmaxOfShapes);
  torch::Library& gradients = registered->emplace_back(MAKE_TORCH_LIBRARY_IMPL(supremum, Autograd));
  gradients.impl("maximum", &MaximumWithGradient);
  gradients.impl("amax", &AmaxWithGradient);
}

void ReplaceTorchKernels(bool replace) {
  if (replace == TorchKernelsAreReplaced()) return;
  if (!replace) return Replacement().reset();
  NoWarnings silent;
  const WarningHandlerGuard guard(&silent);
  torch::Library aten = MAKE_TORCH_LIBRARY_IMPL(aten, CPU);
  aten.impl("maximum", &Maximum);
  aten.impl("maximum.out", &MaximumOut);
  aten.impl("amax", &Amax);
  aten.impl("amax.out", &AmaxOut);
  aten.impl("max", &MaxOfAll);
  aten.impl("max.dim", &MaxOfDim);
  aten.impl("max.dim_max", &MaxOfDimOut);
#if TORCH_VERSION_MAJOR >= 2
  aten.impl("max.unary_out", &MaxOfAllOut);
#endif
  Replacement().emplace(std::move(aten));
}

bool TorchKernelsAreReplaced() { return Replacement().has_value(); }

}  // namespace supremum::python
