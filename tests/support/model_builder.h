// Builds ONNX models for tests, well-formed or not: what the builder has no function for is reached through
// model() and graph().
#ifndef SUPREMUM_TESTS_SUPPORT_MODEL_BUILDER_H_
#define SUPREMUM_TESTS_SUPPORT_MODEL_BUILDER_H_

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace supremum::test {

/// An extent as a model states it: a number, a symbol, or kUnknownDim.
class ModelDim {
 public:
  ModelDim(int value) : value_(value) {}
  ModelDim(std::int64_t value) : value_(value) {}
  ModelDim(const char* symbol) : symbol_(symbol) {}
  ModelDim(std::string symbol) : symbol_(std::move(symbol)) {}
  static ModelDim Unknown() { return ModelDim(""); }

  void Store(onnx::TensorShapeProto::Dimension* dim) const {
    if (value_) {
      dim->set_dim_value(*value_);
    } else if (!symbol_.empty()) {
      dim->set_dim_param(symbol_);
    }
  }

 private:
  std::optional<std::int64_t> value_;
  std::string symbol_;
};

inline const ModelDim kUnknownDim = ModelDim::Unknown();

/// A shape as a model states it: {2, "N", kUnknownDim}; {} is a scalar; std::nullopt leaves the shape out.
class ModelShape {
 public:
  ModelShape() = default;
  ModelShape(std::nullopt_t) : stated_(false) {}
  ModelShape(std::initializer_list<ModelDim> dims) : dims_(dims) {}
  explicit ModelShape(std::vector<ModelDim> dims) : dims_(std::move(dims)) {}

  void Store(onnx::TypeProto::Tensor* type) const {
    if (!stated_) return;
    onnx::TensorShapeProto* shape = type->mutable_shape();
    for (const ModelDim& dim : dims_) dim.Store(shape->add_dim());
  }

 private:
  bool stated_ = true;
  std::vector<ModelDim> dims_;
};

/// A TensorProto with the values as raw_data. `elem_type` is one of onnx::TensorProto's; T has its width.
template <class T>
onnx::TensorProto MakeTensorProto(const std::string& name, std::int32_t elem_type,
                                  const std::vector<std::int64_t>& dims, const std::vector<T>& values) {
  onnx::TensorProto proto;
  proto.set_name(name);
  proto.set_data_type(elem_type);
  for (std::int64_t dim : dims) proto.add_dims(dim);
  proto.set_raw_data(values.data(), values.size() * sizeof(T));
  return proto;
}

/// A TensorProto of external data, with these keys ("location", "offset", "length").
inline onnx::TensorProto ExternalTensorProto(const std::string& name, std::int32_t elem_type,
                                             const std::vector<std::int64_t>& dims,
                                             const std::vector<std::pair<std::string, std::string>>& keys) {
  onnx::TensorProto proto;
  proto.set_name(name);
  proto.set_data_type(elem_type);
  for (const std::int64_t extent : dims) proto.add_dims(extent);
  proto.set_data_location(onnx::TensorProto::EXTERNAL);
  for (const auto& [key, value] : keys) {
    onnx::StringStringEntryProto* entry = proto.add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  }
  return proto;
}

/// A model with one graph.
///
///   ModelBuilder model(13);
///   model.Input("a", onnx::TensorProto::FLOAT, {2, "N"}).Input("b", onnx::TensorProto::FLOAT, {1});
///   model.Node("Max", {"a", "b"}, {"y"}, "fuse");
///   model.Output("y", onnx::TensorProto::FLOAT, std::nullopt).Save(path);
class ModelBuilder {
 public:
  explicit ModelBuilder(std::int64_t opset = 13, std::int64_t ir_version = 8) {
    model_.set_ir_version(ir_version);
    model_.set_producer_name("supremum-tests");
    model_.mutable_graph()->set_name("graph");
    Opset("", opset);
  }

  /// Adds an import: another domain, or a second time the same.
  ModelBuilder& Opset(const std::string& domain, std::int64_t version) {
    onnx::OperatorSetIdProto* import = model_.add_opset_import();
    import->set_domain(domain);
    import->set_version(version);
    return *this;
  }

  ModelBuilder& Input(const std::string& name, std::int32_t elem_type, const ModelShape& shape) {
    Store(name, elem_type, shape, graph()->add_input());
    return *this;
  }
  ModelBuilder& Output(const std::string& name, std::int32_t elem_type, const ModelShape& shape) {
    Store(name, elem_type, shape, graph()->add_output());
    return *this;
  }
  ModelBuilder& ValueInfo(const std::string& name, std::int32_t elem_type, const ModelShape& shape) {
    Store(name, elem_type, shape, graph()->add_value_info());
    return *this;
  }

  template <class T>
  ModelBuilder& Initializer(const std::string& name, std::int32_t elem_type,
                            const std::vector<std::int64_t>& dims, const std::vector<T>& values) {
    return Initializer(MakeTensorProto(name, elem_type, dims, values));
  }
  ModelBuilder& Initializer(onnx::TensorProto tensor) {
    *graph()->add_initializer() = std::move(tensor);
    return *this;
  }

  /// The node, which the graph owns: for its attributes, domain, and so on. It stays where it is when more
  /// are added.
  onnx::NodeProto& Node(const std::string& op_type, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs, const std::string& name = "") {
    return AddNode(graph(), op_type, inputs, outputs, name);
  }

  /// The same in `owner`, a GraphProto of an attribute or a FunctionProto.
  template <class Owner>
  static onnx::NodeProto& AddNode(Owner* owner, const std::string& op_type,
                                  const std::vector<std::string>& inputs,
                                  const std::vector<std::string>& outputs, const std::string& name = "") {
    onnx::NodeProto* node = owner->add_node();
    node->set_op_type(op_type);
    node->set_name(name);
    for (const std::string& input : inputs) node->add_input(input);
    for (const std::string& output : outputs) node->add_output(output);
    return *node;
  }

  /// Sparse tensors, of which only name and type are set: an input, an initializer, a Constant node.
  ModelBuilder& SparseInput(const std::string& name, std::int32_t elem_type) {
    onnx::ValueInfoProto* info = graph()->add_input();
    info->set_name(name);
    info->mutable_type()->mutable_sparse_tensor_type()->set_elem_type(elem_type);
    return *this;
  }
  ModelBuilder& SparseInitializer(const std::string& name, std::int32_t elem_type) {
    onnx::TensorProto* values = graph()->add_sparse_initializer()->mutable_values();
    values->set_name(name);
    values->set_data_type(elem_type);
    return *this;
  }
  ModelBuilder& SparseConstant(const std::string& output, std::int32_t elem_type) {
    onnx::AttributeProto& value =
        Attribute(Node("Constant", {}, {output}), "sparse_value", onnx::AttributeProto::SPARSE_TENSOR);
    value.mutable_sparse_tensor()->mutable_values()->set_data_type(elem_type);
    return *this;
  }

  /// A Constant node with the attribute `value`; the tensor's name is free.
  onnx::NodeProto& Constant(const std::string& output, onnx::TensorProto tensor) {
    onnx::NodeProto& node = Node("Constant", {}, {output});
    onnx::AttributeProto& value = Attribute(node, "value", onnx::AttributeProto::TENSOR);
    *value.mutable_t() = std::move(tensor);
    return node;
  }

  /// A new attribute of `node`, of which only name and type are set.
  static onnx::AttributeProto& Attribute(onnx::NodeProto& node, const std::string& name,
                                         onnx::AttributeProto::AttributeType type) {
    onnx::AttributeProto* attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(type);
    return *attribute;
  }

  /// The attributes of a ReduceMax: an INT and INTS.
  static void SetInt(onnx::NodeProto& node, const std::string& name, std::int64_t value) {
    Attribute(node, name, onnx::AttributeProto::INT).set_i(value);
  }
  static void SetInts(onnx::NodeProto& node, const std::string& name,
                      const std::vector<std::int64_t>& values) {
    onnx::AttributeProto& attribute = Attribute(node, name, onnx::AttributeProto::INTS);
    for (std::int64_t value : values) attribute.add_ints(value);
  }

  onnx::ModelProto& model() { return model_; }
  onnx::GraphProto* graph() { return model_.mutable_graph(); }

  std::string Serialize() const { return model_.SerializeAsString(); }

  /// Throws std::runtime_error if the file cannot be written.
  void Save(const std::string& path) const {
    std::ofstream file(path, std::ios::binary);
    file << Serialize();
    file.close();
    if (!file) throw std::runtime_error("cannot write " + path);
  }

 private:
  static void Store(const std::string& name, std::int32_t elem_type, const ModelShape& shape,
                    onnx::ValueInfoProto* info) {
    info->set_name(name);
    onnx::TypeProto::Tensor* type = info->mutable_type()->mutable_tensor_type();
    type->set_elem_type(elem_type);
    shape.Store(type);
  }

  onnx::ModelProto model_;
};

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_MODEL_BUILDER_H_
