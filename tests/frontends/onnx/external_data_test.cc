// Models whose tensors are stored in external data files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "frontends/onnx/testing.h"
#include "support/temp_dir.h"
#include "supremum/check.h"

namespace supremum::test {
namespace {

using testing::ElementsAre;

class ExternalModel : public testing::Test {
 protected:
  ExternalModel() {
    std::filesystem::create_directory(dir_.File("model"));
    const std::vector<float> elements = {0, 4, 9};
    for (const char* const name : {"model/w.bin", "w.bin"}) {
      std::ofstream file(dir_.File(name), std::ios::binary);
      file.write(reinterpret_cast<const char*>(elements.data()), 12);
    }
  }

  static onnx::TensorProto External(const std::string& location) {
    return ExternalTensorProto("w", kFloat, {3}, {{"location", location}});
  }

  static ModelBuilder Make(const std::string& location) {
    return TextModel("(float[3] a) => (float[3] y) { y = Max(a, w) }").Initializer(External(location));
  }

  Result<Model> Load(const ModelBuilder& builder, bool allow) const {
    builder.Save(path_);
    return Model::Load(path_, {.allow_external_data = allow});
  }

  static Result<std::vector<NamedTensor>> Run(const Model& model) {
    return model.Run(List(Named<float>("a", {3}, {1, 1, 1})));
  }

  const TempDir dir_;
  const std::string path_ = dir_.File("model/m.onnx");
};

TEST_F(ExternalModel, IsReadWhereItIsAllowed) {
  const Result<Model> model = Load(Make("w.bin"), true);
  ASSERT_TRUE(model) << model.error().message;
  const auto outputs = Run(*model);
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_THAT(Values<float>(outputs->front()), ElementsAre(1, 4, 9));
}

TEST_F(ExternalModel, OfAConstantIsReadToo) {
  ModelBuilder builder = TextModel("(float[3] a) => (float[3] y) { c = Constant() y = Max(a, c) }");
  *ModelBuilder::Attribute(*builder.graph()->mutable_node(0), "value", onnx::AttributeProto::TENSOR)
       .mutable_t() = External("w.bin");
  const auto outputs = Run(*Load(builder, true));
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_THAT(Values<float>(outputs->front()), ElementsAre(1, 4, 9));
}

TEST_F(ExternalModel, IsAnErrorOfARunWhereItIsNotAllowed) {
  const Result<Model> model = Load(Make("w.bin"), false);
  ASSERT_TRUE(model) << model.error().message;
  ExpectError(Run(*model), ErrorCode::kUnsupportedFormat, {"--allow-external-data"});
}

TEST_F(ExternalModel, FromMemoryHasNoFolder) {
  const std::string bytes = Make("w.bin").Serialize();
  const auto model = Model::Parse(std::as_bytes(std::span(bytes)), path_, {.allow_external_data = true});
  ASSERT_TRUE(model) << model.error().message;
  ExpectError(Run(*model), ErrorCode::kUnsupportedFormat);
}

// If nothing reads 'w', its location is an error of a run all the same, since it leads elsewhere.
TEST_F(ExternalModel, OutsideTheFolderIsAnErrorOfARun) {
  std::filesystem::create_symlink("../w.bin", dir_.File("model/link.bin"));
  for (const std::string& location : {std::string("../w.bin"), dir_.File("w.bin"), std::string("link.bin")}) {
    for (const bool read : {true, false}) {
      ModelBuilder builder = Make(location);
      if (!read) builder.graph()->mutable_node(0)->mutable_input()->RemoveLast();
      const Result<Model> model = Load(builder, true);
      ASSERT_TRUE(model) << model.error().message;
      ExpectError(Run(*model), ErrorCode::kUnsupportedFormat, {"initializer 'w'"});
    }
  }
}

TEST_F(ExternalModel, BehindALinkIsReadInsideTheRootThatIsGiven) {
  std::filesystem::create_symlink("../w.bin", dir_.File("model/link.bin"));
  Make("link.bin").Save(path_);
  const auto load = [&](const std::string& root) { return Model::Load(path_, {.external_data_root = root}); };
  const Result<Model> model = load(dir_.path());
  ASSERT_TRUE(model) << model.error().message;
  const auto outputs = Run(*model);
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_THAT(Values<float>(outputs->front()), ElementsAre(1, 4, 9));
  const Result<Model> inside = load(dir_.File("model"));
  ASSERT_TRUE(inside) << inside.error().message;
  ExpectError(Run(*inside), ErrorCode::kUnsupportedFormat, {"leads out of the folder"});
  const std::string bytes = Make("link.bin").Serialize();
  const auto parsed = Model::Parse(std::as_bytes(std::span(bytes)), "m",
                                   {.folder = dir_.File("model"), .external_data_root = dir_.path()});
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_TRUE(Run(*parsed));
}

TEST_F(ExternalModel, ThatIsMissingOrDoesNotFitIsAnErrorOfLoading) {
  ExpectError(Load(Make("nix.bin"), true), ErrorCode::kIo);
  ModelBuilder large = Make("w.bin");
  large.graph()->mutable_initializer(0)->set_dims(0, 4);
  ExpectError(Load(large, true), ErrorCode::kMalformedFile);
}

TEST_F(ExternalModel, IsNeverOpenedByTheChecker) {
  Make("nix.bin").Save(path_);
  const Result<CheckReport> report = CheckModel(path_, {.profile = Profile::kSonnx});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->Holds());
}

}  // namespace
}  // namespace supremum::test
