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
#include "masked_copy.h"
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

py::dict Run(const Model& model, const py::dict& feeds, const std::string& profile,
             bool identical_shapes_only, std::size_t threads, std::map<std::string, std::int64_t> dims,
             std::int64_t max_bytes) {
  const Entered entered;
  RunOptions options;
  options.profile = ProfileOf(profile);
  options.identical_shapes_only = identical_shapes_only;
  options.threads = threads;
  options.dims = std::move(dims);
  options.max_bytes = max_bytes;
  std::vector<NamedTensor> inputs;
  PyObject* first = nullptr;
  // A method of an operand might change the dictionary. Each operand is copied as soon as it is read.
  const auto items = py::reinterpret_steal<py::list>(PyDict_Items(feeds.ptr()));
  for (const py::handle item : items) {
    const std::string input = TextOf(py::str(py::handle(PyTuple_GET_ITEM(item.ptr(), 0))).ptr());
    PyObject* const value = PyTuple_GET_ITEM(item.ptr(), 1);
    Operand operand;
    operand.Read(value, Operand::Access::kRead, "input '" + input + "'");
    if (first == nullptr) first = value;
    inputs.push_back({input, Copy(operand.View())});
  }
  std::vector<NamedTensor> outputs = Take([&] {
    const Unlocked unlocked(Unlocked::kBytes);
    return model.Run(inputs, options);
  }());
  py::dict named;
  for (NamedTensor& output : outputs) {
    const auto tensor = std::make_shared<Tensor>(std::move(output.tensor));
    named[py::str(output.name)] = AsPython(first, tensor);
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
