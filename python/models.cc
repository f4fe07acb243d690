#include "models.h"

#include <pybind11/stl.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arguments.h"
#include "dlpack.h"
#include "errors.h"
#include "foreign.h"
#include "operand.h"
#include "output.h"
#include "supremum/annotate.h"
#include "supremum/check.h"
#include "supremum/model.h"

namespace py = pybind11;

namespace supremum::python {
namespace {

std::span<const std::byte> BytesOf(const py::bytes& bytes) {
  const std::string_view view = bytes;
  return {reinterpret_cast<const std::byte*>(view.data()), view.size()};
}

Profile ProfileOf(const std::string& name) {
  if (name == "onnx") return Profile::kOnnx;
  if (name == "sonnx") return Profile::kSonnx;
  Fail(ErrorCode::kInvalidArgument, "profile is '" + name + "'; expected 'onnx' or 'sonnx'");
}

// (name, dtype or None, shape or None): a symbolic extent is its name, an unknown one None.
py::tuple AsTuple(const ValueInfo& info) {
  py::object shape = py::none();
  if (info.shape) {
    py::list extents;
    for (const Dim& dim : *info.shape) {
      if (dim.value) {
        extents.append(*dim.value);
      } else {
        extents.append(dim.symbol.empty() ? py::object(py::none()) : py::str(dim.symbol));
      }
    }
    shape = py::tuple(extents);
  }
  const py::object dtype = info.type_name.empty() ? py::object(py::none()) : py::str(info.type_name);
  return py::make_tuple(info.name, dtype, shape);
}

py::list AsList(const std::vector<ValueInfo>& infos) {
  py::list list;
  for (const ValueInfo& info : infos) list.append(AsTuple(info));
  return list;
}

// The tensors of a dictionary by name, read in its order.
struct NamedOperands {
  NamedOperands(const py::dict& dict, Operand::Access access, const std::string& kind)
      : items(py::reinterpret_steal<py::list>(PyDict_Items(dict.ptr()))), operands(items.size()) {
    names.reserve(items.size());
    for (const py::handle item : items) {  // a method of an operand might change the dictionary
      names.push_back(TextOf(py::str(py::handle(PyTuple_GET_ITEM(item.ptr(), 0))).ptr()));
      operands[names.size() - 1].Read(PyTuple_GET_ITEM(item.ptr(), 1), access,
                                      NameOf(kind, names.size() - 1));
    }
  }
  std::string NameOf(const std::string& kind, std::size_t m) const { return kind + " '" + names[m] + "'"; }

  py::list items;
  std::vector<std::string> names;
  Operands operands;
};

// An output that the package allocates: a tensor of the first input's kind where both have one type.
struct NewOutput {
  NewOutput(const TensorView& view, NamedOperands& inputs) {
    const bool has_type = inputs.names.empty() || inputs.operands[0].dtype() != view.dtype;
    if (!has_type) {
      output.Make(view.dtype, view.shape, inputs.operands[0], {});
      data = output.view().data;
      return;
    }
    tensor = std::make_shared<Tensor>(Take(Tensor::Create(view.dtype, view.shape, INT64_MAX)));
    data = tensor->data();
    like = inputs.names.empty() ? nullptr : inputs.operands[0].object();
  }
  py::object Finish() { return tensor != nullptr ? AsPython(like, tensor) : output.Finish(); }

  Output output;
  std::shared_ptr<Tensor> tensor;
  PyObject* like = nullptr;
  void* data = nullptr;
};

py::dict Run(const Model& model, const py::dict& feeds, const py::dict& out, const std::string& profile,
             bool identical_shapes_only, std::size_t threads, std::map<std::string, std::int64_t> dims,
             std::int64_t max_bytes) {
  const Entered entered;
  RunOptions options;
  options.profile = ProfileOf(profile);
  options.identical_shapes_only = identical_shapes_only;
  options.threads = threads;
  options.dims = std::move(dims);
  options.max_bytes = max_bytes;

  NamedOperands inputs(feeds, Operand::Access::kRead, "input"), given(out, Operand::Access::kWrite, "output");
  std::vector<NamedView> views;
  views.reserve(inputs.names.size());
  std::vector<NamedMutableView> given_views;
  std::vector<const void*> input_data;
  std::size_t bytes = 0;
  for (std::size_t m = 0; m < inputs.names.size(); ++m) {
    views.push_back({inputs.names[m], inputs.operands[m].View()});
    input_data.push_back(views[m].view.data);
    bytes += inputs.operands[m].Bytes();
  }
  for (std::size_t m = 0; m < given.names.size(); ++m) {
    given_views.push_back({given.names[m], given.operands[m].MutableView()});
  }
  const auto settle = [&](std::size_t used) {
    Settle(Unlocked::Pays(used), [&](auto visit) {
      for (std::size_t m = 0; m < inputs.names.size(); ++m)
        visit(inputs.operands[m], [&, m] { return inputs.NameOf("input", m); });
      for (std::size_t m = 0; m < given.names.size(); ++m)
        visit(given.operands[m], [&, m] { return given.NameOf("output", m); });
    });
  };
  settle(bytes);
  ModelPlan plan = Take([&] {
    const Unlocked unlocked(bytes);
    return model.Prepare(views, given_views, options);
  }());

  // Making outputs may run code of Python, after which the operands are looked at again.
  std::map<std::string_view, PyObject*> objects;
  for (std::size_t m = 0; m < given.names.size(); ++m) objects[given.names[m]] = given.operands[m].object();
  std::vector<std::unique_ptr<NewOutput>> made;
  std::vector<void*> output_data;
  for (std::size_t k = 0; k < plan.output_count(); ++k) {
    if (objects.contains(model.outputs()[k].name)) {
      output_data.push_back(const_cast<void*>(plan.output(k).data));
    } else {
      made.push_back(std::make_unique<NewOutput>(plan.output(k), inputs));
      output_data.push_back(made.back()->data);
    }
  }
  bytes += plan.MemoryBytes();
  settle(bytes);
  Take([&] {
    const Unlocked unlocked(bytes);
    Result<void> bound = made.empty() ? Result<void>() : plan.Rebind(input_data, output_data);
    if (bound) plan.Run();
    return bound;
  }());
  py::dict named;
  for (std::size_t k = 0, next = 0; k < plan.output_count(); ++k) {
    const std::string& name = model.outputs()[k].name;
    const auto object = objects.find(name);
    if (object != objects.end()) {
      named[py::str(name)] = py::reinterpret_borrow<py::object>(object->second);
    } else {
      named[py::str(name)] = made[next++]->Finish();
    }
  }
  return named;
}

// [(node, scope, rule, verdict, text, change)], the notes, the opset, how the inference was confined.
py::tuple Check(const std::optional<std::string>& path, const std::optional<py::bytes>& bytes,
                const std::string& profile, bool identical_shapes_only,
                std::map<std::string, std::int64_t> dims) {
  CheckOptions options;
  options.profile = ProfileOf(profile);
  options.identical_shapes_only = identical_shapes_only;
  options.dims = std::move(dims);
  const auto view = bytes ? BytesOf(*bytes) : std::span<const std::byte>();
  const CheckReport report = Take([&] {
    const Unlocked unlocked(Unlocked::kBytes);
    return path ? CheckModel(*path, options) : CheckModel(view, "model", options);
  }());
  py::list findings;
  for (const NodeReport& node : report.nodes) {
    for (const Finding& finding : node.findings) {
      findings.append(py::make_tuple(Describe(node.node), node.scope, finding.rule,
                                     std::string(ToString(finding.verdict)), finding.text, finding.change));
    }
  }
  std::optional<std::string> inference;
  if (report.inference) inference = ToString(*report.inference);
  return py::make_tuple(findings, report.notes, report.opset, inference);
}

// The annotated model, [(scope, subject, text)], the notes.
py::tuple Annotate(const py::bytes& bytes, std::map<std::string, std::int64_t> dims) {
  AnnotateOptions options;
  options.dims = std::move(dims);
  const auto view = BytesOf(bytes);
  const AnnotatedModel model = Take([&] {
    const Unlocked unlocked(Unlocked::kBytes);
    return AnnotateModel(view, "model", options);
  }());
  py::list annotations;
  for (const Annotation& annotation : model.annotations) {
    annotations.append(py::make_tuple(annotation.place, annotation.subject, annotation.text));
  }
  return py::make_tuple(py::bytes(reinterpret_cast<const char*>(model.bytes.data()), model.bytes.size()),
                        annotations, model.notes);
}

// The model and its bytes.
py::tuple Load(const std::optional<std::string>& path, const std::optional<py::bytes>& bytes,
               std::int64_t max_bytes, bool allow_external_data, const std::string& external_data_root) {
  const auto view = bytes ? BytesOf(*bytes) : std::span<const std::byte>();
  std::vector<std::byte> content;
  LoadOptions options;
  options.max_bytes = max_bytes;
  if (path) {
    options.allow_external_data = allow_external_data;
    options.external_data_root = external_data_root;
    options.content = &content;
  }
  auto model = std::make_unique<Model>(Take([&] {
    const Unlocked unlocked(Unlocked::kBytes);
    return path ? Model::Load(*path, options) : Model::Parse(view, "model", options);
  }()));
  const py::object kept =
      path ? py::bytes(reinterpret_cast<const char*>(content.data()), content.size()) : py::object(*bytes);
  return py::make_tuple(std::move(model), kept);
}

}  // namespace

void AddModels(py::module_& module) {
  module.attr("DEFAULT_MAX_BYTES") = kDefaultMaxBytes;
  module.def("load", &Load);
  module.def("check", &Check);
  module.def("annotate", &Annotate);
  py::class_<Model> type(module, "Model", py::is_final());
  ForbidNew(type);
  type.def("run", &Run)
      .def_property_readonly("external_data",
                             [](const Model& model) {
                               py::list locations;
                               for (const ExternalData& file : model.contents().external_data) {
                                 locations.append(file.location);
                               }
                               return locations;
                             })
      .def_property_readonly("graph_name", &Model::graph_name)
      .def_property_readonly("opset", &Model::opset)
      .def_property_readonly("operators",
                             [](const Model& model) {
                               py::list operators;
                               for (const NodeInfo& node : model.nodes()) {
                                 operators.append(py::make_tuple(node.op_type, node.version));
                               }
                               return operators;
                             })
      .def_property_readonly("inputs", [](const Model& model) { return AsList(model.inputs()); })
      .def_property_readonly("optional_inputs",
                             [](const Model& model) { return AsList(model.optional_inputs()); })
      .def_property_readonly("outputs", [](const Model& model) { return AsList(model.outputs()); });
}

}  // namespace supremum::python
