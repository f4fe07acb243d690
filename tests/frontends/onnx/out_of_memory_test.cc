// Every allocation of loading, checking and running fails once: out of memory is reported, and nothing is
// leaked.
#include "support/out_of_memory.h"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "frontends/onnx/testing.h"
#include "supremum/annotate.h"
#include "supremum/check.h"
#include "supremum/extract.h"

namespace supremum::test {
namespace {

// y = ReduceMax(Max(a, w, c)), with an initializer, a constant and, if asked for, a symbol.
std::string Sample(const ModelDim& rows = "N") {
  ModelBuilder model;
  model.Input("a", kFloat, {rows, 3}).Output("y", kFloat, {rows, 1});
  model.Initializer<float>("w", kFloat, {1, 3}, {1, 2, 3});
  model.Constant("c", MakeTensorProto<float>("", kFloat, {3}, {0, 9, 0}));
  model.ValueInfo("m", kFloat, {rows, 3});
  model.Node("Max", {"a", "w", "c"}, {"m"}, "fuse");
  onnx::NodeProto& pool = model.Node("ReduceMax", {"m"}, {"y"}, "pool");
  ModelBuilder::SetInts(pool, "axes", {1});
  ModelBuilder::SetInt(pool, "keepdims", 1);
  return model.Serialize();
}

std::span<const std::byte> Bytes(const std::string& text) { return std::as_bytes(std::span(text)); }

TEST(OnnxOutOfMemory, OfLoadingIsAnError) {
  const std::string good = Sample();
  WalkOutOfMemory("loading", [&] { return Outcome(Model::Parse(Bytes(good), "m.onnx")); });
  const std::string bad = good.substr(0, good.size() - 5);
  WalkOutOfMemory("refusing", [&] { return Outcome(Model::Parse(Bytes(bad), "m.onnx")); });
}

TEST(OnnxOutOfMemory, OfInferenceIsAnError) {
  const Model model = std::move(Model::Parse(Bytes(Sample()), "m.onnx")).value();
  WalkOutOfMemory("inference", [&] { return Outcome(model.Infer()); });
}

TEST(OnnxOutOfMemory, OfARunIsAnError) {
  const Model model = std::move(Model::Parse(Bytes(Sample()), "m.onnx")).value();
  const auto inputs = List(Named<float>("a", {2, 3}, {1, 5, 2, 4, 3, 6}));
  const auto bounds = List(Named<float>("a", {}, {1}));
  // Each walk loads a model, since a model keeps its plan: the second run has that of the first.
  const auto run_twice = [&](const std::string& bytes, const RunOptions& options) -> Result<void> {
    const Result<Model> loaded = Model::Parse(Bytes(bytes), "m.onnx");
    if (!loaded) return loaded.error();
    if (const auto first = loaded->Run(inputs, options); !first) return first.error();
    return Outcome(loaded->Run(inputs, options));
  };
  const std::string sample = Sample(), explicit_sample = Sample(2);
  WalkOutOfMemory("two runs", [&] { return run_twice(sample, {}); });
  WalkOutOfMemory("a plan", [&]() -> Result<void> {
    const Result<Model> loaded = Model::Parse(Bytes(sample), "m.onnx");
    if (!loaded) return loaded.error();
    float y[2];
    const Shape column{2, 1};
    const NamedView views[] = {{"a", inputs[0].tensor.View()}};
    const NamedMutableView outputs[] = {{"y", MutableTensorView::Of(y, column)}};
    return Outcome(loaded->Prepare(views, outputs));
  });
  WalkOutOfMemory("a run with bounds", [&] { return Outcome(model.RunWithBounds(inputs, bounds)); });
  RunOptions profile;
  profile.profile = Profile::kSonnx;
  WalkOutOfMemory("a run under the profile", [&] { return run_twice(explicit_sample, profile); });
}

TEST(OnnxOutOfMemory, OfTheCheckerIsAnError) {
  const std::string sample = Sample();
  CheckOptions options;
  options.profile = Profile::kSonnx;
  WalkOutOfMemory("the checker", [&] { return Outcome(CheckModel(Bytes(sample), "m.onnx", options)); });
}

TEST(OnnxOutOfMemory, OfInliningAnnotatingAndExtractingIsAnError) {
  ModelBuilder model;
  model.Opset("local", 1).Input("a", kFloat, {2, 3}).Output("y", kFloat, std::nullopt);
  onnx::FunctionProto* function = model.model().add_functions();
  function->set_name("f");
  function->set_domain("local");
  function->add_input("p");
  function->add_output("q");
  function->add_opset_import()->set_version(13);
  ModelBuilder::AddNode(function, "Max", {"p", "p"}, {"t"});
  ModelBuilder::AddNode(function, "ReduceMax", {"t"}, {"q"});
  model.Initializer<float>("w", kFloat, {1, 3}, {1, 2, 3});
  model.Node("f", {"a"}, {"b"}).set_domain("local");
  model.Node("Max", {"a", "b", "w"}, {"y"});
  const std::string bytes = model.Serialize();
  WalkOutOfMemory("the checker of functions", [&] { return Outcome(CheckModel(Bytes(bytes), "m.onnx")); });
  WalkOutOfMemory("reading a model with functions",
                  [&] { return Outcome(Model::Parse(Bytes(bytes), "m.onnx")); });
  WalkOutOfMemory("annotating", [&] { return Outcome(AnnotateModel(Bytes(bytes), "m.onnx")); });
  WalkOutOfMemory("extracting", [&] { return Outcome(ExtractNodes(Bytes(bytes), "m.onnx")); });
}

// An allocation failure in the onnx library becomes a note of the report. The library runs in a subprocess,
// whose allocations are counted separately.
TEST(OnnxOutOfMemory, OfTheOnnxLibrarysInferenceIsNoError) {
  ModelBuilder model;
  model.Input("x", kFloat, {2}).Output("y", kFloat, {2});
  model.Node("Relu", {"x"}, {"t"});
  model.Node("Max", {"t", "x"}, {"y"});
  const std::string bytes = model.Serialize();
  WalkOutOfMemory("the checker behind other operators",
                  [&] { return Outcome(CheckModel(Bytes(bytes), "m.onnx")); });
}

}  // namespace
}  // namespace supremum::test
