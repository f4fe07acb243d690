#include "supremum/c_models.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/c/dl_operands.h"
#include "bindings/c/options.h"
#include "bindings/c/status.h"
#include "supremum/model.h"

namespace supremum::capi {

// A value as the model states it. Names and symbols are the model's.
struct ModelValue {
  const ValueInfo* info;
  std::vector<std::int64_t> shape;
  std::vector<const char*> symbols;
  supremum_model_value value;
};

namespace {

ModelValue ValueOf(const ValueInfo& info, bool is_optional) {
  const DLDataType dtype = info.dtype ? DlTypeOf(*info.dtype) : DLDataType{};
  ModelValue made{&info, {}, {}, {}};
  made.value = {info.name.c_str(), dtype, is_optional ? 1 : 0, -1, nullptr, nullptr};
  if (!info.shape) return made;
  for (const Dim& dim : *info.shape) {
    made.shape.push_back(dim.value.value_or(-1));
    made.symbols.push_back(dim.symbol.c_str());
  }
  // A message has fewer than 2^31 bytes, and each dimension takes two.
  made.value.rank = static_cast<std::int32_t>(made.shape.size());
  made.value.shape = made.shape.data();
  made.value.symbols = made.symbols.data();
  return made;
}

}  // namespace
}  // namespace supremum::capi

// The types that are opaque in C.
struct supremum_model {
  supremum_model(supremum::Model&& read, std::int64_t limit) : model(std::move(read)), max_bytes(limit) {
    using supremum::capi::ValueOf;
    for (const supremum::ValueInfo& info : model.inputs()) inputs.push_back(ValueOf(info, false));
    for (const supremum::ValueInfo& info : model.optional_inputs()) inputs.push_back(ValueOf(info, true));
    for (const supremum::ValueInfo& info : model.outputs()) outputs.push_back(ValueOf(info, false));
  }

  supremum::Model model;
  std::int64_t max_bytes;
  std::vector<supremum::capi::ModelValue> inputs, outputs;
};
struct supremum_model_plan {
  supremum::ModelPlan plan;
  // The addresses of the last binding that succeeded.
  std::vector<const void*> inputs;
  std::vector<void*> outputs;
};

namespace supremum::capi {
namespace {

// Calls read(LoadOptions), which gives a Result<Model>, and passes ownership of the model to the caller.
template <class Read>
supremum_status HandOverModel(std::int64_t max_bytes, supremum_model** to, Read read) {
  return StatusOf([&]() -> Result<void> {
    if (to == nullptr) return NullError("the address for the model");
    if (max_bytes < 0) {
      return MakeError(ErrorCode::kInvalidArgument,
                       "max_bytes is " + std::to_string(max_bytes) + "; give 0, for 16 GiB, or more");
    }
    LoadOptions options;
    if (max_bytes > 0) options.max_bytes = max_bytes;
    Result<Model> model = read(options);
    if (!model) return std::move(model).error();
    *to = new supremum_model(*std::move(model), options.max_bytes);
    return {};
  });
}

Result<RunOptions> RunOptionsOf(const supremum_options* options, std::int64_t max_bytes) {
  const Result<MaxOptions> read = MaxOptionsOf(options);
  if (!read) return read.error();
  if (options != nullptr && options->opset != 0) {
    return MakeError(ErrorCode::kInvalidArgument, "the options' opset is " + std::to_string(options->opset) +
                                                      "; leave it 0: a model states its own");
  }
  RunOptions run;
  run.identical_shapes_only = read->identical_shapes_only;
  run.threads = read->threads;
  run.max_bytes = max_bytes;
  return run;
}

Result<void> CheckCount(std::size_t given, std::size_t stated, const std::string& what) {
  if (given <= stated) return {};
  return MakeError(ErrorCode::kInputCount, "the model has " + std::to_string(stated) + " " + what +
                                               " and was given " + std::to_string(given));
}

// The views of the tensors, with the names of the model's values. Checked is what prevents a view; Prepare
// checks all else.
Result<std::vector<NamedView>> InputsOf(const supremum_model& model,
                                        std::span<const DLTensor* const> tensors) {
  if (auto ok = CheckCount(tensors.size(), model.inputs.size(), "inputs"); !ok) return ok.error();
  std::vector<NamedView> views;
  for (std::size_t k = 0; k < tensors.size(); ++k) {
    const std::string_view name = model.inputs[k].info->name;
    OperandNames names;
    names.inputs = {&name, 1};
    if (auto ok = DlOperands(tensors.subspan(k, 1), std::nullopt, names).Check(); !ok) return ok.error();
    views.push_back({std::string(name), ViewOf(*tensors[k])});
  }
  return views;
}

Result<std::vector<NamedMutableView>> OutputsOf(const supremum_model& model,
                                                std::span<const DLTensor* const> tensors) {
  if (auto ok = CheckCount(tensors.size(), model.outputs.size(), "outputs"); !ok) return ok.error();
  std::vector<NamedMutableView> views;
  for (std::size_t k = 0; k < tensors.size(); ++k) {
    if (tensors[k] == nullptr) continue;
    OperandNames names;
    names.output = model.outputs[k].info->name;
    if (auto ok = DlOperands({}, tensors[k], names).Check(); !ok) return ok.error();
    views.push_back({model.outputs[k].info->name, MutableViewOf(*tensors[k])});
  }
  return views;
}

}  // namespace
}  // namespace supremum::capi

using namespace supremum;
using capi::NullError;
using capi::StatusOf;

supremum_status supremum_model_load(const char* path, int64_t max_bytes, uint32_t flags,
                                    supremum_model** model) {
  return capi::HandOverModel(max_bytes, model, [&](LoadOptions options) -> Result<Model> {
    if (path == nullptr) return NullError("the path");
    if ((flags & ~SUPREMUM_MODEL_EXTERNAL_DATA) != 0) {
      return MakeError(ErrorCode::kInvalidArgument,
                       "flags are " + std::to_string(flags) + "; give SUPREMUM_MODEL_EXTERNAL_DATA (1) or 0");
    }
    options.allow_external_data = flags != 0;
    return Model::Load(path, options);
  });
}

supremum_status supremum_model_parse(const void* bytes, size_t byte_count, const char* name,
                                     int64_t max_bytes, supremum_model** model) {
  return capi::HandOverModel(max_bytes, model, [&](const LoadOptions& options) -> Result<Model> {
    if (bytes == nullptr && byte_count > 0) return NullError("the address of the bytes");
    if (name == nullptr) return NullError("the name");
    return Model::Parse({static_cast<const std::byte*>(bytes), byte_count}, name, options);
  });
}

void supremum_model_destroy(supremum_model* model) { delete model; }

size_t supremum_model_input_count(const supremum_model* model) {
  return model == nullptr ? 0 : model->inputs.size();
}

size_t supremum_model_output_count(const supremum_model* model) {
  return model == nullptr ? 0 : model->outputs.size();
}

const supremum_model_value* supremum_model_input(const supremum_model* model, size_t index) {
  return index < supremum_model_input_count(model) ? &model->inputs[index].value : nullptr;
}

const supremum_model_value* supremum_model_output(const supremum_model* model, size_t index) {
  return index < supremum_model_output_count(model) ? &model->outputs[index].value : nullptr;
}

supremum_status supremum_model_prepare(const supremum_model* model, const DLTensor* const* inputs,
                                       size_t input_count, const DLTensor* const* outputs,
                                       size_t output_count, const supremum_options* options,
                                       supremum_model_plan** plan) {
  return StatusOf([&]() -> Result<void> {
    if (model == nullptr) return NullError("the model");
    if (plan == nullptr) return NullError("the address for the plan");
    if (inputs == nullptr && input_count > 0) return NullError("the list of inputs");
    if (outputs == nullptr && output_count > 0) return NullError("the list of outputs");
    const Result<RunOptions> run = capi::RunOptionsOf(options, model->max_bytes);
    if (!run) return run.error();
    const auto read = capi::InputsOf(*model, {inputs, input_count});
    if (!read) return read.error();
    const auto written = capi::OutputsOf(*model, {outputs, output_count});
    if (!written) return written.error();
    Result<ModelPlan> prepared = model->model.Prepare(*read, *written, *run);
    if (!prepared) return std::move(prepared).error();
    std::vector<const void*> from;
    for (const NamedView& view : *read) from.push_back(view.view.data);
    std::vector<void*> to(model->outputs.size(), nullptr);
    for (std::size_t k = 0; k < output_count; ++k) {
      if (outputs[k] != nullptr) to[k] = capi::MutableViewOf(*outputs[k]).data;
    }
    *plan = new supremum_model_plan{*std::move(prepared), std::move(from), std::move(to)};
    return {};
  });
}

supremum_status supremum_model_plan_output(const supremum_model_plan* plan, size_t index, DLTensor* tensor) {
  return StatusOf([&]() -> Result<void> {
    if (plan == nullptr) return NullError("the plan");
    if (tensor == nullptr) return NullError("the address for the description");
    if (index >= plan->plan.output_count()) {
      return MakeError(ErrorCode::kInvalidArgument,
                       "the model has " + std::to_string(plan->plan.output_count()) +
                           " outputs, and none with index " + std::to_string(index));
    }
    const TensorView view = plan->plan.output(index);
    *tensor = {};
    tensor->data = const_cast<void*>(view.data);
    tensor->device = {kDLCPU, 0};
    tensor->ndim = static_cast<std::int32_t>(view.shape.size());
    tensor->dtype = capi::DlTypeOf(view.dtype);
    tensor->shape = const_cast<std::int64_t*>(view.shape.data());
    tensor->strides = view.strides.empty() ? nullptr : const_cast<std::int64_t*>(view.strides.data());
    return {};
  });
}

supremum_status supremum_model_plan_rebind(supremum_model_plan* plan, const void* const* inputs,
                                           size_t input_count, void* const* outputs, size_t output_count) {
  return StatusOf([&]() -> Result<void> {
    if (plan == nullptr) return NullError("the plan");
    if (inputs == nullptr && input_count > 0) return NullError("the list of inputs");
    if (outputs == nullptr && output_count > 0) return NullError("the list of outputs");
    if (Result<void> ok = plan->plan.Rebind({inputs, input_count}, {outputs, output_count}); !ok) {
      // A binding that succeeded once succeeds again, without an allocation.
      static_cast<void>(plan->plan.Rebind(plan->inputs, plan->outputs));
      return ok;
    }
    std::copy_n(inputs, input_count, plan->inputs.begin());
    std::copy_n(outputs, output_count, plan->outputs.begin());
    return {};
  });
}

supremum_status supremum_model_plan_run(supremum_model_plan* plan) {
  return StatusOf([&]() -> Result<void> {
    if (plan == nullptr) return NullError("the plan");
    plan->plan.Run();
    return {};
  });
}

size_t supremum_model_plan_memory_bytes(const supremum_model_plan* plan) {
  if (plan == nullptr) return 0;
  return sizeof(*plan) + (plan->inputs.size() + plan->outputs.size()) * sizeof(void*) +
         plan->plan.MemoryBytes();
}

void supremum_model_plan_destroy(supremum_model_plan* plan) { delete plan; }

// The text is that of this library's copy of the status functions.
const char* supremum_model_last_error(void) { return supremum_last_error(); }
