// oneDNN's primitives: binary, with post-operations for more than two inputs, and reduction.
#include <algorithm>
#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>

#include "kit.h"

namespace {

using Type = dnnl::memory::data_type;

const std::map<std::string, Type> kTypes = {
#if DNNL_VERSION_MAJOR >= 3
    {"float64", Type::f64},
#endif
    {"float32", Type::f32}, {"float16", Type::f16}, {"bfloat16", Type::bf16},
    {"int8", Type::s8},     {"uint8", Type::u8},    {"int32", Type::s32},
};

// Row-major.
dnnl::memory::desc Describe(Type type, const kit::Dims& shape) {
  kit::Dims strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * std::max<std::int64_t>(1, shape[d]);
  return dnnl::memory::desc(shape, type, strides);
}

class OneDnn {
 public:
  kit::Tensor Run(const kit::Case& problem) {
    const auto type = kTypes.find(problem.type);
    if (type == kTypes.end()) throw kit::Unsupported("dnnl::memory::data_type has no " + problem.type);
    try {
      return problem.op == "Max" ? Max(problem, type->second) : ReduceMax(problem, type->second);
    } catch (const dnnl::error& error) {
      // It has no kernel, or its argument checks refuse the type or the shape.
      const std::string text = error.what();
      if (error.status == dnnl_unimplemented) throw kit::Unsupported(text + ": unimplemented");
      if (error.status == dnnl_invalid_arguments) throw kit::Unsupported(text + ": invalid arguments");
      if (error.status == dnnl_out_of_memory) throw std::runtime_error(text + ": out of memory");
      throw std::runtime_error(text + ": status " + std::to_string(error.status));
    }
  }

 private:
  using Arguments = std::unordered_map<int, dnnl::memory>;

  dnnl::memory Memory(const dnnl::memory::desc& description, const kit::Tensor& tensor) {
    return dnnl::memory(description, engine_, tensor.data.get());
  }

  void Execute(const dnnl::primitive& primitive, const Arguments& arguments) {
    primitive.execute(stream_, arguments);
    stream_.wait();
  }

  // A scalar is passed as one element of rank 1: oneDNN takes a description without dimensions as no tensor.
  static kit::Dims AtLeastOne(kit::Dims shape) { return kit::WithRank(std::move(shape), 1); }

  // All tensors have the same rank, and oneDNN does not broadcast the first input: the first input that has
  // the result's shape, if there is one, is moved to the front.
  kit::Tensor Max(const kit::Case& problem, Type type) {
    if (problem.inputs.size() < 2) throw kit::Unsupported("the binary primitive takes two tensors");
    const kit::Dims shape = AtLeastOne(kit::BroadcastShape(problem));
    std::vector<kit::Tensor> inputs = problem.inputs;
    for (kit::Tensor& input : inputs) input.shape = kit::WithRank(input.shape, shape.size());
    for (std::size_t m = 0; m < inputs.size(); ++m) {
      if (inputs[m].shape != shape) continue;
      std::rotate(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(m),
                  inputs.begin() + static_cast<std::ptrdiff_t>(m) + 1);
      break;
    }
    kit::Tensor y(shape, problem.width);
    std::vector<dnnl::memory::desc> descriptions;
    for (const kit::Tensor& input : inputs) descriptions.push_back(Describe(type, input.shape));
    const dnnl::memory::desc result = Describe(type, shape);
    Arguments arguments = {{DNNL_ARG_SRC_0, Memory(descriptions[0], inputs[0])},
                           {DNNL_ARG_SRC_1, Memory(descriptions[1], inputs[1])},
                           {DNNL_ARG_DST, Memory(result, y)}};
    dnnl::post_ops more;
    for (std::size_t m = 2; m < inputs.size(); ++m) {
      more.append_binary(dnnl::algorithm::binary_max, descriptions[m]);
      arguments[DNNL_ARG_ATTR_MULTIPLE_POST_OP(static_cast<int>(m) - 2) | DNNL_ARG_SRC_1] =
          Memory(descriptions[m], inputs[m]);
    }
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(more);
#if DNNL_VERSION_MAJOR < 3
    const dnnl::binary::desc description(dnnl::algorithm::binary_max, descriptions[0], descriptions[1],
                                         result);
    const dnnl::binary::primitive_desc primitive(description, attributes, engine_);
#else
    const dnnl::binary::primitive_desc primitive(engine_, dnnl::algorithm::binary_max, descriptions[0],
                                                 descriptions[1], result, attributes);
#endif
    Execute(dnnl::binary(primitive), arguments);
    y.shape = kit::BroadcastShape(problem);
    return y;
  }

  // It keeps reduced dimensions; without them the same elements have fewer extents.
  kit::Tensor ReduceMax(const kit::Case& problem, Type type) {
    kit::Tensor y(AtLeastOne(kit::KeptShape(problem)), problem.width);
    const dnnl::memory::desc source = Describe(type, AtLeastOne(problem.inputs[0].shape));
    const dnnl::memory::desc result = Describe(type, y.shape);
#if DNNL_VERSION_MAJOR < 3
    const dnnl::reduction::desc description(dnnl::algorithm::reduction_max, source, result, 0, 0);
    const dnnl::reduction::primitive_desc primitive(description, engine_);
#else
    const dnnl::reduction::primitive_desc primitive(engine_, dnnl::algorithm::reduction_max, source, result,
                                                    0, 0);
#endif
    Execute(dnnl::reduction(primitive),
            {{DNNL_ARG_SRC, Memory(source, problem.inputs[0])}, {DNNL_ARG_DST, Memory(result, y)}});
    y.shape = kit::ReducedShape(problem);
    return y;
  }

  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
};

}  // namespace

int main(int argc, char** argv) {
  const kit::Arguments arguments = kit::ParseArguments(argc, argv);
  const dnnl::version_t* const version = dnnl::version();
  const std::string text = std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
                           std::to_string(version->patch);
  OneDnn onednn;
  return kit::RunCases(arguments, {"oneDNN", text},
                       [&](const kit::Case& problem) { return onednn.Run(problem); });
}
