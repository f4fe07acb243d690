// ONNX Runtime's execution provider, through sessions of ONNX Runtime; skipped where ONNX Runtime is not
// installed.
#define ORT_API_MANUAL_INIT
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "onnxruntime_library.h"
#include "support/model_builder.h"
#include "support/shared_work.h"
#include "support/values.h"
#include "supremum/dtype.h"
#include "supremum/onnxruntime.h"
#include "supremum/reference.h"
#include "supremum/shape.h"

namespace supremum {
namespace {

using test::ModelBuilder;
using test::Rng;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsNan;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

std::int32_t OnnxType(DType dtype) {
  static const std::map<DType, std::int32_t> types = {
      {DType::kBFloat16, 16}, {DType::kFloat16, 10}, {DType::kFloat32, 1}, {DType::kFloat64, 11},
      {DType::kInt8, 3},      {DType::kInt16, 5},    {DType::kInt32, 6},   {DType::kInt64, 7},
      {DType::kUInt8, 2},     {DType::kUInt16, 4},   {DType::kUInt32, 12}, {DType::kUInt64, 13},
      {DType::kBool, 9},
  };
  return types.at(dtype);
}

// A tensor of any type, row-major.
struct Values {
  DType dtype = DType::kFloat32;
  std::vector<std::int64_t> shape;
  std::vector<std::byte> bytes;

  static Values Of(DType dtype, std::vector<std::int64_t> shape) {
    const std::size_t count = static_cast<std::size_t>(
        std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>()));
    return {dtype, std::move(shape), std::vector<std::byte>(count * ByteWidth(dtype))};
  }
  template <class T>
  static Values Of(std::vector<std::int64_t> shape, const std::vector<T>& elements) {
    Values values = Of(kDTypeOf<T>, std::move(shape));
    if (!elements.empty()) std::memcpy(values.bytes.data(), elements.data(), values.bytes.size());
    return values;
  }
  static Values Random(DType dtype, std::vector<std::int64_t> shape, Rng& rng) {
    Values values = Of(dtype, std::move(shape));
    const std::vector<std::uint64_t> special =
        dtype == DType::kBool ? std::vector<std::uint64_t>{0, 1} : test::SpecialBits(dtype);
    for (std::size_t i = 0; i < values.bytes.size(); i += ByteWidth(dtype)) {
      std::memcpy(values.bytes.data() + i, &special[test::Below(rng, special.size())], ByteWidth(dtype));
    }
    return values;
  }
  template <class T>
  std::vector<T> As() const {
    std::vector<T> elements(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(elements.data(), bytes.data(), bytes.size());
    return elements;
  }

  TensorView View() const {
    return {dtype, shape, {}, bytes.empty() ? &shape : static_cast<const void*>(bytes.data())};
  }
  MutableTensorView MutableView() {
    return {dtype, shape, {}, bytes.empty() ? static_cast<void*>(&shape) : bytes.data()};
  }
  friend bool operator==(const Values&, const Values&) = default;
};

Values MaxOf(const std::vector<Values>& inputs) {
  std::vector<std::vector<std::int64_t>> shapes;
  std::vector<TensorView> views;
  for (const Values& input : inputs) {
    shapes.push_back(input.shape);
    views.push_back(input.View());
  }
  Values y = Values::Of(inputs[0].dtype, reference::BroadcastShape(shapes).value());
  reference::Max(views, y.MutableView()).value();
  return y;
}

Values ReduceMaxOf(const Values& source, const std::optional<std::vector<std::int64_t>>& axes,
                   bool keepdims) {
  const std::vector<bool> reduced = reference::ReducedDimensions(axes, source.shape.size()).value();
  std::vector<std::int64_t> shape;
  for (std::size_t d = 0; d < reduced.size(); ++d) {
    if (!reduced[d] || keepdims) shape.push_back(reduced[d] ? 1 : source.shape[d]);
  }
  Values y = Values::Of(source.dtype, shape);
  std::optional<std::span<const std::int64_t>> list;
  if (axes) list = *axes;
  reference::ReduceMax(source.View(), y.MutableView(), list, keepdims).value();
  return y;
}

class OnnxRuntimeProvider : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const OrtApiBase* const base = kit::LoadOnnxRuntime();
    const OrtApi* const api = base == nullptr ? nullptr : base->GetApi(ORT_API_VERSION);
    if (api != nullptr) Ort::InitApi(api);
    found_ = api != nullptr;
  }
  void SetUp() override {
    if (!found_)
      GTEST_SKIP() << "ONNX Runtime 1.23 or newer is not installed: scripts/setup.sh --onnxruntime";
    env_.emplace(ORT_LOGGING_LEVEL_FATAL, "test");
  }

  static OnnxRuntimeOptions Options() {
    OnnxRuntimeOptions options;
    options.library = SUPREMUM_PROVIDER;
    options.threads = "1";
    return options;
  }

  // With nodes on the provider alone, unless `shared`.
  Ort::Session Open(ModelBuilder& model, const OnnxRuntimeOptions& options = Options(), bool shared = false,
                    int session_threads = 2) {
    Ort::SessionOptions session;
    session.SetIntraOpNumThreads(session_threads);
    session.AddConfigEntry("session.intra_op.allow_spinning", "0");
    if (!shared) session.AddConfigEntry("session.disable_cpu_ep_fallback", "1");
    AppendSupremumProvider(*env_, session, options);
    return Open(model, session);
  }
  Ort::Session Open(ModelBuilder& model, const Ort::SessionOptions& session) {
    const std::string bytes = model.model().SerializeAsString();
    return Ort::Session(*env_, bytes.data(), bytes.size(), session);
  }

  static std::vector<Values> Run(Ort::Session& session, const std::vector<Values>& inputs) {
    const Ort::MemoryInfo memory = Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault);
    const std::vector<std::string> names = session.GetInputNames(), results = session.GetOutputNames();
    std::vector<const char*> feeds, fetches;
    for (const std::string& name : names) feeds.push_back(name.c_str());
    for (const std::string& name : results) fetches.push_back(name.c_str());
    std::vector<Ort::Value> values;
    for (const Values& input : inputs) {
      values.push_back(Ort::Value::CreateTensor(
          memory, const_cast<std::byte*>(input.bytes.data()), input.bytes.size(), input.shape.data(),
          input.shape.size(), static_cast<ONNXTensorElementDataType>(OnnxType(input.dtype))));
    }
    const std::vector<Ort::Value> outputs = session.Run(Ort::RunOptions(), feeds.data(), values.data(),
                                                        values.size(), fetches.data(), fetches.size());
    std::vector<Values> read;
    for (const Ort::Value& output : outputs) {
      const Ort::TensorTypeAndShapeInfo info = output.GetTensorTypeAndShapeInfo();
      for (const DType dtype : kAllDTypes) {
        if (OnnxType(dtype) != info.GetElementType()) continue;
        read.push_back(Values::Of(dtype, info.GetShape()));
        if (!read.back().bytes.empty()) {
          std::memcpy(read.back().bytes.data(), output.GetTensorRawData(), read.back().bytes.size());
        }
      }
    }
    return read;
  }

  // The text of the exception that `function` throws.
  template <class Function>
  static std::string ErrorOf(const Function& function) {
    try {
      function();
    } catch (const Ort::Exception& error) {
      return error.what();
    }
    return "no error";
  }

  static ModelBuilder MaxModel(DType dtype, std::int64_t opset, std::size_t inputs) {
    ModelBuilder model(opset);
    std::vector<std::string> names;
    for (std::size_t m = 0; m < inputs; ++m) {
      names.push_back("x" + std::to_string(m));
      model.Input(names.back(), OnnxType(dtype), std::nullopt);
    }
    model.Node("Max", names, {"y"}, "fuse");
    model.Output("y", OnnxType(dtype), std::nullopt);
    return model;
  }

  // ReduceMax of any source along axes that are fed.
  static ModelBuilder ReductionModel() {
    ModelBuilder model(18);
    model.Input("x", 1, std::nullopt).Input("axes", 7, {test::kUnknownDim});
    ModelBuilder::SetInt(model.Node("ReduceMax", {"x", "axes"}, {"y"}), "keepdims", 0);
    model.Output("y", 1, std::nullopt);
    return model;
  }
  // The operands of a work, and its axes.
  static std::vector<Values> InputsOf(const test::SharedWork& work, const test::SharedOperands& operands) {
    std::vector<Values> inputs;
    for (std::size_t m = 0; m < work.shapes.size(); ++m) {
      inputs.push_back(Values::Of<float>(work.shapes[m], operands.inputs[m]));
    }
    if (work.IsReduction()) {
      inputs.push_back(Values::Of<std::int64_t>({std::ssize(*work.axes)}, *work.axes));
    }
    return inputs;
  }

  // An If with a Max in one branch and a ReduceMax in the other.
  static ModelBuilder BranchesModel() {
    ModelBuilder model(13);
    model.Input("take", 9, {}).Input("a", 1, {3}).Input("b", 1, {3});
    onnx::NodeProto& node = model.Node("If", {"take"}, {"y"});
    const auto add = [&node](const char* branch, const char* op, const std::vector<std::string>& inputs) {
      onnx::GraphProto* graph =
          ModelBuilder::Attribute(node, branch, onnx::AttributeProto::GRAPH).mutable_g();
      graph->set_name(branch);
      ModelBuilder::AddNode(graph, op, inputs, {branch});
      onnx::ValueInfoProto* info = graph->add_output();
      info->set_name(branch);
      info->mutable_type()->mutable_tensor_type()->set_elem_type(1);
    };
    add("then_branch", "Max", {"a", "b"});
    add("else_branch", "ReduceMax", {"a"});
    model.Output("y", 1, std::nullopt);
    return model;
  }

  static inline bool found_ = false;
  std::optional<Ort::Env> env_;
};

TEST_F(OnnxRuntimeProvider, TheAxesMayBeFedAndChangeBetweenRuns) {
  Rng rng(3);
  for (const bool noop : {false, true}) {
    ModelBuilder model(18);
    model.Input("x", 1, std::nullopt).Input("axes", 7, {test::kUnknownDim});
    ModelBuilder::SetInt(model.Node("ReduceMax", {"x", "axes"}, {"y"}), "noop_with_empty_axes", noop ? 1 : 0);
    model.Output("y", 1, std::nullopt);
    Ort::Session session = Open(model);
    const Values x = Values::Random(DType::kFloat32, {4, 5, 6}, rng);
    for (const std::vector<std::int64_t>& axes :
         std::vector<std::vector<std::int64_t>>{{0}, {0}, {1}, {-1}, {2, 0}, {}, {0, 1, 2}, {}, {1}}) {
      const Values list = Values::Of<std::int64_t>({static_cast<std::int64_t>(axes.size())}, axes);
      std::optional<std::vector<std::int64_t>> reduced = axes;
      if (axes.empty() && !noop) reduced.reset();
      EXPECT_EQ(Run(session, {x, list}), std::vector{ReduceMaxOf(x, reduced, true)}) << axes.size();
    }
    const auto feed = [&](std::vector<std::int64_t> axes) {
      return ErrorOf([&] {
        Run(session, {x, Values::Of<std::int64_t>({static_cast<std::int64_t>(axes.size())}, axes)});
      });
    };
    EXPECT_THAT(feed({3}), AllOf(HasSubstr("wrong axis"), HasSubstr("RED-2")));
    EXPECT_THAT(feed({1, -2}), AllOf(HasSubstr("wrong axis"), HasSubstr("RED-2")));
    EXPECT_EQ(feed({1}), "no error");
  }
}

TEST_F(OnnxRuntimeProvider, ShapesMayChangeBetweenRuns) {
  Rng rng(4);
  ModelBuilder model = MaxModel(DType::kFloat32, 13, 2);
  Ort::Session session = Open(model);
  const std::vector<std::vector<std::int64_t>> shapes = {{},     {1},       {3},     {0},   {2, 3},
                                                         {2, 1}, {5, 1, 3}, {64, 3}, {1, 1}};
  for (int round = 0; round < 3; ++round) {
    for (const auto& a : shapes) {
      for (const auto& b : shapes) {
        const std::vector<Values> inputs = {Values::Random(DType::kFloat32, a, rng),
                                            Values::Random(DType::kFloat32, b, rng)};
        if (reference::BroadcastShape({a, b})) {
          EXPECT_EQ(Run(session, inputs), std::vector{MaxOf(inputs)});
        } else {
          EXPECT_THAT(
              ErrorOf([&] { Run(session, inputs); }),
              AllOf(HasSubstr("node 'fuse' (Max)"), HasSubstr("E1 not broadcastable"), HasSubstr("'x0'")));
        }
      }
    }
  }
}

TEST_F(OnnxRuntimeProvider, AnErrorOfARunIsTheTextOfThePage) {
  std::ifstream page(SUPREMUM_SOURCE_DIR "/docs/onnxruntime.md");
  std::string line;
  while (std::getline(page, line) && !line.starts_with("supremum: ")) {
  }
  ASSERT_THAT(line, HasSubstr("E1 not broadcastable"));
  ModelBuilder model = MaxModel(DType::kFloat32, 13, 2);
  Ort::Session session = Open(model);
  const std::vector<Values> inputs = {Values::Of<float>({2}, {1, 2}), Values::Of<float>({3}, {1, 2, 3})};
  EXPECT_THAT(ErrorOf([&] { Run(session, inputs); }), EndsWith(line));
}

// With ONNX Runtime's own optimizer before providers: its result, which is wrong today, would be another.
TEST_F(OnnxRuntimeProvider, NodesOfConstantsAreNotComputedByTheOptimizer) {
  ModelBuilder model(13);
  model.Initializer<float>("c", 1, {3}, {0, kNaN, 2});
  model.Initializer<float>("minus", 1, {1}, {-0.0F}).Initializer<float>("plus", 1, {1}, {0.0F});
  model.Node("ReduceMax", {"c"}, {"y"});
  model.Node("Max", {"minus", "plus"}, {"z"});
  model.Output("y", 1, {1}).Output("z", 1, {1});
  Ort::Session session = Open(model);
  EXPECT_EQ(Run(session, {}), (std::vector{Values::Of<float>({1}, {kNaN}), Values::Of<float>({1}, {0.0F})}));

  OnnxRuntimeOptions options = Options();
  options.strict = true;
  Open(model, options);
  options.fold_constants = true;
  EXPECT_THAT(ErrorOf([&] { Open(model, options); }),
              AllOf(HasSubstr("strict is 1"), HasSubstr("'ConstantFolding'")));
  options.strict = false;
  Open(model, options, true);
}

TEST_F(OnnxRuntimeProvider, OtherDisabledOptimizersStayDisabled) {
  Ort::SessionOptions session;
  session.AddConfigEntry("optimization.disable_specified_optimizers", "ConstantSharing");
  AppendSupremumProvider(*env_, session, Options());
  EXPECT_EQ(session.GetConfigEntry("optimization.disable_specified_optimizers"),
            "ConstantSharing;ConstantFolding");
}

TEST_F(OnnxRuntimeProvider, OptionsMayBeUsedAgainAndTheLastOnesCount) {
  ModelBuilder model = MaxModel(DType::kFloat32, 13, 2);
  Ort::SessionOptions session;
  session.AddConfigEntry("session.disable_cpu_ep_fallback", "1");
  OnnxRuntimeOptions options = Options();
  options.threads = "many";
  AppendSupremumProvider(*env_, session, options);
  EXPECT_THAT(ErrorOf([&] { Open(model, session); }), HasSubstr("the option threads is 'many'"));
  AppendSupremumProvider(*env_, session, Options());
  EXPECT_EQ(session.GetConfigEntry("optimization.disable_specified_optimizers"), "ConstantFolding");
  const std::vector<Values> inputs = {Values::Of<float>({1}, {-0.0F}), Values::Of<float>({1}, {0.0F})};
  for (int i = 0; i < 2; ++i) {
    Ort::Session opened = Open(model, session);
    EXPECT_EQ(Run(opened, inputs), std::vector{MaxOf(inputs)});
  }
}

TEST_F(OnnxRuntimeProvider, TheLibraryMayBeRegisteredByThreadsAtOnce) {
  std::atomic<int> failed = 0;
  for (int i = 0; i < 20; ++i) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        Ort::SessionOptions session;
        if (ErrorOf([&] { AppendSupremumProvider(*env_, session, Options()); }) != "no error") ++failed;
      });
    }
    for (std::thread& thread : threads) thread.join();
    env_->UnregisterExecutionProviderLibrary("supremum");
  }
  EXPECT_EQ(failed, 0);
}

// A provider before this one has the first choice; with strict, that is no secret.
TEST_F(OnnxRuntimeProvider, NodesThatAnotherProviderHasTakenAreReportedIfStrict) {
  ModelBuilder model = MaxModel(DType::kFloat32, 13, 2);
  const std::vector<Values> inputs = {Values::Of<float>({1}, {1}), Values::Of<float>({1}, {2})};
  for (const bool strict : {false, true}) {
    Ort::SessionOptions session;
    for (const Ort::ConstEpDevice& device : env_->GetEpDevices()) {
      if (device.EpName() == std::string("CPUExecutionProvider")) {
        session.AppendExecutionProvider_V2(*env_, {device}, std::unordered_map<std::string, std::string>());
      }
    }
    OnnxRuntimeOptions options = Options();
    options.strict = strict;
    AppendSupremumProvider(*env_, session, options);
    Ort::Session opened = Open(model, session);
    const std::string error = ErrorOf([&] { Run(opened, inputs); });
    if (strict) {
      EXPECT_THAT(error, AllOf(HasSubstr("strict is 1"),
                               HasSubstr("node 'fuse' (Max) is computed by CPUExecutionProvider")));
    } else {
      EXPECT_EQ(error, "no error");
    }
  }
}

TEST_F(OnnxRuntimeProvider, WhatCannotBeWrittenToAModelIsRefused) {
  ModelBuilder model = MaxModel(DType::kFloat32, 13, 2);
  Ort::SessionOptions session;
  AppendSupremumProvider(*env_, session, Options());
  session.AddConfigEntry("ep.context_enable", "1");
  session.AddConfigEntry("ep.context_file_path", "context.onnx");
  EXPECT_THAT(ErrorOf([&] { Open(model, session); }),
              HasSubstr("the session's entry ep.context_enable is 1"));
}

// Other providers end the process at some of these.
TEST_F(OnnxRuntimeProvider, InputsOfMaxThatAreLeftOutAreRefused) {
  ModelBuilder model(13);
  model.Input("x", 1, {3});
  model.Node("Max", {"x", "", "x"}, {"y"}, "gap");
  model.Output("y", 1, {3});
  EXPECT_THAT(ErrorOf([&] { Open(model, Options(), true); }),
              AllOf(HasSubstr("node 'gap' (Max)"), HasSubstr("input 1 is left out"), HasSubstr("MAX-1")));
}

TEST_F(OnnxRuntimeProvider, MemoryThatOverlapsIsRefusedByName) {
  ModelBuilder model = MaxModel(DType::kFloat32, 13, 2);
  Ort::Session session = Open(model);
  std::vector<float> memory(20, 1);
  const std::int64_t shape[] = {10};
  const Ort::MemoryInfo info = Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault);
  const auto at = [&](std::size_t i) {
    return Ort::Value::CreateTensor<float>(info, memory.data() + i, 10, shape, 1);
  };
  const char* const names[] = {"x0", "x1"};
  const char* const results[] = {"y"};
  for (int run = 0; run < 3; ++run) {
    const Ort::Value inputs[] = {at(0), at(0)};
    Ort::Value apart = at(10), same = at(0), shifted = at(3);
    EXPECT_EQ(ErrorOf([&] { session.Run(Ort::RunOptions(), names, inputs, 2, results, &apart, 1); }),
              "no error");
    EXPECT_EQ(ErrorOf([&] { session.Run(Ort::RunOptions(), names, inputs, 2, results, &same, 1); }),
              "no error");
    EXPECT_THAT(ErrorOf([&] { session.Run(Ort::RunOptions(), names, inputs, 2, results, &shifted, 1); }),
                AllOf(HasSubstr("overlapping memory"), HasSubstr("'x0'"), HasSubstr("MEM-2")));
  }
}

TEST_F(OnnxRuntimeProvider, OtherNodesStayWhereTheyAre) {
  ModelBuilder model(13);
  model.Input("a", 1, {2}).Input("b", 1, {2});
  model.Node("Add", {"a", "b"}, {"s"});
  model.Node("Max", {"s", "a"}, {"m"});
  model.Node("Neg", {"m"}, {"y"});
  model.Output("y", 1, {2});
  Ort::Session session = Open(model, Options(), true);
  const std::vector<Values> y =
      Run(session, {Values::Of<float>({2}, {1, -3}), Values::Of<float>({2}, {2, kNaN})});
  EXPECT_THAT(y[0].As<float>(), ElementsAre(-3, IsNan()));
  EXPECT_THAT(ErrorOf([&] { Open(model); }), HasSubstr("CPU"));
}

TEST_F(OnnxRuntimeProvider, NodesInSubgraphsAreComputedHere) {
  ModelBuilder model = BranchesModel();
  Ort::Session session = Open(model, Options(), true);
  const Values a = Values::Of<float>({3}, {-0.0F, kNaN, 1}), b = Values::Of<float>({3}, {0.0F, 7, 2});
  EXPECT_EQ(Run(session, {Values::Of(DType::kBool, {}), a, b}), std::vector{Values::Of<float>({1}, {kNaN})});
}

// ONNX Runtime puts the body into a Loop after it has asked providers, and asks again.
TEST_F(OnnxRuntimeProvider, NodesInTheBodyOfASequenceMapAreComputedHere) {
  ModelBuilder model(17);
  model.Input("a", 1, {2}).Input("b", 1, {3});
  model.Node("SequenceConstruct", {"a", "b"}, {"s"});
  onnx::NodeProto& node = model.Node("SequenceMap", {"s"}, {"m"});
  onnx::GraphProto* body = ModelBuilder::Attribute(node, "body", onnx::AttributeProto::GRAPH).mutable_g();
  body->set_name("body");
  ModelBuilder::AddNode(body, "ReduceMax", {"e"}, {"r"});
  for (auto [name, info] : {std::pair{"e", body->add_input()}, std::pair{"r", body->add_output()}}) {
    info->set_name(name);
    info->mutable_type()->mutable_tensor_type()->set_elem_type(1);
  }
  ModelBuilder::SetInt(model.Node("ConcatFromSequence", {"m"}, {"y"}), "axis", 0);
  model.Output("y", 1, std::nullopt);
  Ort::Session session = Open(model, Options(), true);
  EXPECT_EQ(Run(session, {Values::Of<float>({2}, {0, 1}), Values::Of<float>({3}, {0, kNaN, 2})}),
            std::vector{Values::Of<float>({2}, {1, kNaN})});
}

// The session's own threads, and the provider's, each in several numbers; 0 is ONNX Runtime's default.
// Rules: ORD-5, MAX-2, RED-1
TEST_F(OnnxRuntimeProvider, EveryShareOfEachNumberOfThreadsCounts) {
  struct Given {
    test::SharedWork work;
    std::vector<Values> inputs;
    std::vector<float> expected;
  };
  std::vector<Given> all;
  for (const test::SharedWork& work : test::SharedWorks()) {
    test::SharedOperands operands(work);
    operands.SetHighPart(test::kParts - 1);
    all.push_back({work, InputsOf(work, operands), operands.expected});
  }
  ModelBuilder reduction = ReductionModel();
  std::map<std::size_t, ModelBuilder> maxima;  // by their number of inputs
  for (const std::size_t inputs : {2u, 3u}) maxima.emplace(inputs, MaxModel(DType::kFloat32, 13, inputs));
  const auto check = [&](const char* threads, int session_threads) {
    OnnxRuntimeOptions options = Options();
    options.threads = threads;
    Ort::Session reduce = Open(reduction, options, false, session_threads);
    std::map<std::size_t, Ort::Session> max;
    for (auto& [inputs, model] : maxima) max.emplace(inputs, Open(model, options, false, session_threads));
    for (const Given& given : all) {
      Ort::Session& session = given.work.IsReduction() ? reduce : max.at(given.inputs.size());
      EXPECT_TRUE(Run(session, given.inputs)[0].As<float>() == given.expected)
          << given.work.Title() << ", threads " << threads << ", those of the session " << session_threads;
    }
  };
  for (const int session_threads : {0, 1, 2, 3, 8}) check("session", session_threads);
  for (const char* threads : {"0", "1", "2", "3", "8"}) check(threads, 1);
}

TEST_F(OnnxRuntimeProvider, WrongOptionsAreRefused) {
  ModelBuilder model = MaxModel(DType::kFloat32, 13, 2);
  for (const char* threads : {"", "x", "-1", "2x", "99999999999999999999999"}) {
    OnnxRuntimeOptions options = Options();
    options.threads = threads;
    EXPECT_THAT(ErrorOf([&] { Open(model, options); }),
                HasSubstr("the option threads is '" + std::string(threads) + "'"));
  }
  env_->UnregisterExecutionProviderLibrary("supremum");
  OnnxRuntimeOptions options = Options();
  options.library = "nowhere/libsupremum_ort.so";
  Ort::SessionOptions session;
  EXPECT_THAT(ErrorOf([&] { AppendSupremumProvider(*env_, session, options); }),
              HasSubstr("nowhere/libsupremum_ort.so"));
}

TEST_F(OnnxRuntimeProvider, SessionsMayRunAtOnceAndEachInThreads) {
  ModelBuilder model = MaxModel(DType::kFloat32, 13, 2);
  OnnxRuntimeOptions options = Options();
  options.threads = "session";
  Ort::Session first = Open(model, options), second = Open(model, options);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      Rng rng(t);
      for (int i = 0; i < 60; ++i) {
        const std::int64_t n = static_cast<std::int64_t>(1 + test::Below(rng, i % 20 == 0 ? 400'000 : 50));
        const std::vector<Values> inputs = {Values::Random(DType::kFloat32, {2, n}, rng),
                                            Values::Random(DType::kFloat32, {2, 1}, rng)};
        if (Run(t % 2 == 0 ? first : second, inputs)[0] != MaxOf(inputs)) ++wrong;
        // An error in one thread does not disturb the others.
        const std::vector<Values> bad = {Values::Random(DType::kFloat32, {2}, rng),
                                         Values::Random(DType::kFloat32, {3}, rng)};
        if (ErrorOf([&] { Run(first, bad); }) == "no error") ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(OnnxRuntimeProvider, TheLibraryCanBeUnloadedAndLoadedAgain) {
  ModelBuilder model = MaxModel(DType::kFloat32, 13, 2);
  for (int i = 0; i < 3; ++i) {
    {
      Ort::Session session = Open(model);
      const std::vector<Values> inputs = {Values::Of<float>({1}, {-0.0F}), Values::Of<float>({1}, {0.0F})};
      EXPECT_EQ(Run(session, inputs), std::vector{MaxOf(inputs)});
    }
    env_->UnregisterExecutionProviderLibrary("supremum");
  }
}

// ONNX Runtime with a planted fault. The provider reports the fault, or the results are right in spite of it.
class FaultyOnnxRuntime : public OnnxRuntimeProvider {
 protected:
  void SetUp() override {
    OnnxRuntimeProvider::SetUp();
    if (IsSkipped()) return;
    ASSERT_EQ(setenv("SUPREMUM_PROVIDER", SUPREMUM_PROVIDER, 1), 0);
  }
  static OnnxRuntimeOptions With(const char* fault) {
    EXPECT_EQ(setenv("SUPREMUM_FAULT", fault, 1), 0);
    OnnxRuntimeOptions options = Options();
    options.library = SUPREMUM_FAULTY_PROVIDER;
    return options;
  }
  std::string ErrorWith(const char* fault, bool strict = false) {
    ModelBuilder model = MaxModel(DType::kFloat32, 13, 2);
    OnnxRuntimeOptions options = With(fault);
    options.strict = strict;
    const std::string error = ErrorOf([&] {
      Ort::Session session = Open(model, options, true);
      Run(session, {Values::Of<float>({1}, {1}), Values::Of<float>({1}, {2})});
    });
    Forget();
    return error;
  }
  // The number of parts since the last call, and of those that other threads computed.
  static std::pair<std::size_t, std::size_t> TakeParts() {
    void* const library = dlopen(SUPREMUM_FAULTY_PROVIDER, RTLD_NOW | RTLD_LOCAL);
    const auto take = reinterpret_cast<void (*)(std::size_t*, std::size_t*)>(dlsym(library, "TakeParts"));
    std::pair<std::size_t, std::size_t> counts;
    take(&counts.first, &counts.second);
    dlclose(library);
    return counts;
  }
  void Forget() {
    static_cast<void>(ErrorOf([&] { env_->UnregisterExecutionProviderLibrary("supremum"); }));
  }
};

TEST_F(FaultyOnnxRuntime, TooOldIsSaidWithItsVersion) {
  EXPECT_THAT(ErrorWith("old"), AllOf(HasSubstr("needs ONNX Runtime 1.23 or newer"), HasSubstr("1.22.0")));
}

TEST_F(FaultyOnnxRuntime, NodesOfNewerVersionsAreLeftOrRefused) {
  EXPECT_EQ(ErrorWith("newer_version"), "no error");
  EXPECT_THAT(ErrorWith("newer_version", true),
              AllOf(HasSubstr("strict is 1"), HasSubstr("node 'fuse' (Max)"),
                    HasSubstr("its version 99 is not known here")));
}

TEST_F(FaultyOnnxRuntime, ErrorsArePassedOn) {
  EXPECT_THAT(ErrorWith("no_room"), HasSubstr("no room"));
  EXPECT_THAT(ErrorWith("input"), HasSubstr("no input today"));
  EXPECT_THAT(ErrorWith("absent_input"), AllOf(HasSubstr("node 'fuse' (Max)"), HasSubstr("has no value")));
  EXPECT_THAT(ErrorWith("output"), HasSubstr("no output today"));
  EXPECT_THAT(ErrorWith("other_type"), AllOf(HasSubstr("node 'fuse' (Max)"), HasSubstr("TYP-2")));
}

TEST_F(FaultyOnnxRuntime, BeforeVersion1244NodesInOneGraphAreComputedHere) {
  ModelBuilder model = BranchesModel();
  for (const char* fault : {"1.23.2", "1.24.3", "1.24.4", "2.0.0"}) {
    SCOPED_TRACE(fault);
    const bool old = std::string_view(fault) < "1.24.4";
    for (const bool strict : {false, true}) {
      OnnxRuntimeOptions options = With(fault);
      options.strict = strict;
      const std::string error = ErrorOf([&] {
        Ort::Session session = Open(model, options, true);
        Run(session, {Values::Of(DType::kBool, {}), Values::Of<float>({3}, {0, 1, 2}),
                      Values::Of<float>({3}, {2, 1, 0})});
      });
      if (old && strict) {
        EXPECT_THAT(error,
                    AllOf(HasSubstr("strict is 1"), HasSubstr("before 1.24.4"), HasSubstr("in one graph")));
      } else {
        EXPECT_EQ(error, "no error");
      }
      Forget();
    }
  }
}

TEST_F(FaultyOnnxRuntime, OneThreadIsTheCallingOne) {
  const test::SharedWork work = test::SharedWorks()[1];
  const test::SharedOperands operands(work);
  ModelBuilder model = ReductionModel();
  const auto parts = [&](const char* threads, int session_threads) {
    OnnxRuntimeOptions options = With("parts");
    options.threads = threads;
    std::pair<std::size_t, std::size_t> counts;
    {
      Ort::Session session = Open(model, options, false, session_threads);
      TakeParts();
      EXPECT_TRUE(Run(session, InputsOf(work, operands))[0].As<float>() == operands.expected);
      counts = TakeParts();
    }
    Forget();
    return counts;
  };
  using Counts = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(parts("1", 1), Counts(0, 0));
  EXPECT_EQ(parts("1", 3), Counts(0, 0));
  // The provider does not know how many threads a session has: the calling thread computes all parts.
  const Counts of_session = parts("session", 1);
  EXPECT_EQ(of_session.second, 0u);
  if (std::thread::hardware_concurrency() > 1) {
    EXPECT_GT(of_session.first, 1u);
  }
}

TEST_F(FaultyOnnxRuntime, WithoutThreadsTheCallingOneComputes) {
  ModelBuilder model = MaxModel(DType::kFloat32, 13, 2);
  OnnxRuntimeOptions options = With("no_threads");
  options.threads = "session";
  Rng rng(7);
  const std::vector<Values> inputs = {Values::Random(DType::kFloat32, {1024, 1024}, rng),
                                      Values::Random(DType::kFloat32, {1024, 1}, rng)};
  {
    Ort::Session session = Open(model, options);
    EXPECT_TRUE(Run(session, inputs)[0] == MaxOf(inputs));
  }
  Forget();
}

}  // namespace
}  // namespace supremum
