// What supremum reduce-max refuses: the status, the text, and that no file is touched.
#include "tools/command.h"

namespace supremum::test {
namespace {

class ReduceMaxVerbError : public CommandTest {
 protected:
  void SetUp() override {
    WriteTensor<float>("x.npy", {2, 3}, {1, -2, 3, -4, 5, -6});
    WriteTensor<std::int16_t>("i.npy", {2}, {1, 2});
    WriteText(File("y.npy"), "before");
  }

  /// Reducing with `arguments` fails, and leaves y.npy as it was.
  void ExpectRefused(std::vector<std::string> arguments, int status,
                     const std::vector<std::string>& parts) const {
    SCOPED_TRACE(::testing::PrintToString(arguments));
    arguments.insert(arguments.begin(), "reduce-max");
    arguments.insert(arguments.end(), {"-o", "y.npy"});
    ExpectFailure(Supremum(arguments), status, parts);
    EXPECT_EQ(ReadText(File("y.npy")), "before");
  }
};

TEST_F(ReduceMaxVerbError, AxesThatAreNoNumbersAreNamed) {
  const std::vector<std::vector<std::string>> cases = {
      {"1,,2", "entry 1 of '1,,2' is ''"},
      {"a", "entry 0 of 'a' is 'a'"},
      {",", "entry 0 of ',' is ''"},
      {"0,", "entry 1 of '0,' is ''"},
      {"0, 1", "entry 1 of '0, 1' is ' 1'"},
      {"+1", "is '+1'"},
      {"0x1", "is '0x1'"},
      {"1.0", "is '1.0'"},
      {"--1", "--axes"},
      {"[0,1]", "entry 0 of '[0,1]' is '[0'"},
      {"0,9223372036854775808", "entry 1 of '0,9223372036854775808' is '9223372036854775808'"},
      {"-9223372036854775809", "is '-9223372036854775809'"},
  };
  for (const auto& item : cases) {
    ExpectRefused({"x.npy", "--axes", item[0]}, 2, {item[1], "supremum reduce-max --help"});
  }
  ExpectRefused({"x.npy", "--axes", "a"}, 2, {"--axes: ", "-2^63 to 2^63 - 1", "0,-1"});
  ExpectRefused({"x.npy", "--axes", "0", "--axes", "1"}, 2, {"--axes"});
}

// Rules: RED-2
TEST_F(ReduceMaxVerbError, AxesThatTheInputDoesNotHaveAreNamed) {
  for (const char* axis : {"2", "-3", "9223372036854775807", "-9223372036854775808"}) {
    ExpectRefused({"x.npy", "--axes", std::string("0,") + axis}, 3, {"wrong axis: ", "x.npy", axis, "RED-2"});
  }
  for (const char* axes : {"1,1", "1,-1", "-1,1"}) {
    ExpectRefused({"x.npy", "--axes", axes}, 3, {"wrong axis: ", "x.npy", "RED-2"});
  }
  WriteTensor<float>("s.npy", {}, {1});
  ExpectRefused({"s.npy", "--axes", "0"}, 3, {"wrong axis: ", "s.npy"});
}

// Rules: RED-4
TEST_F(ReduceMaxVerbError, OneDnnHasNoDefaultForItsAxes) {
  ExpectRefused({"x.npy", "--semantics", "onednn"}, 3,
                {"axes not given exactly once: ", "RED-4", "--axes 0,-1", "--axes ''"});
  ExpectRefused({"x.npy", "--semantics", "onednn", "--axes=", "--noop-with-empty-axes"}, 2,
                {"--noop-with-empty-axes", "onednn", "RED-4"});
}

// Rules: TYP-4
TEST_F(ReduceMaxVerbError, OnnxHasNoIntegersOf16Bits) {
  WriteTensor<std::uint16_t>("u.npy", {2}, {1, 2});
  ExpectRefused({"i.npy", "--semantics", "onnx"}, 3, {"type not admitted: ", "i.npy", "int16", "TYP-4"});
  ExpectRefused({"u.npy", "--semantics", "onnx"}, 3, {"type not admitted: ", "u.npy", "uint16", "TYP-4"});
}

// Rules: TYP-5, RED-4
TEST_F(ReduceMaxVerbError, OneDnnHasThreeTypesAndTheyComeBeforeAxes) {
  WriteTensor<bool>("b.npy", {2}, {true, false});
  WriteTensor<double>("d.npy", {2}, {1, 2});
  for (const std::string file : {"i.npy", "b.npy", "d.npy"}) {
    for (const std::vector<std::string>& axes :
         std::vector<std::vector<std::string>>{{}, {"--axes", "0"}, {"--axes", "7"}}) {
      std::vector<std::string> arguments = {file, "--semantics", "onednn"};
      arguments.insert(arguments.end(), axes.begin(), axes.end());
      ExpectRefused(arguments, 3, {"type not admitted: ", file, "TYP-5"});
    }
  }
}

TEST_F(ReduceMaxVerbError, OtherSemanticsAndOptionsAreErrorsOfTheCommandLine) {
  ExpectRefused({"x.npy", "--semantics", "numpy"}, 2, {"numpy"});
  ExpectRefused({"x.npy", "x.npy"}, 2, {"x.npy"});
  ExpectRefused({}, 2, {"INPUT"});
  ExpectRefused({"x.npy", "--no-broadcast"}, 2, {"--no-broadcast"});
  ExpectRefused({"x.npy", "--dtype", "z.npy=bfloat16"}, 2, {"'z.npy'"});
  ExpectFailure(Supremum({"reduce-max", "x.npy"}), 2, {"--output"});
  ExpectFailure(Supremum({"reduce-max", "x.npy", "-o", "y.png"}), 2, {"y.png", ".npy"});
  EXPECT_FALSE(Exists("y.png"));
}

// Rules: TYP-2
TEST_F(ReduceMaxVerbError, FilesThatCannotBeReadAreNamed) {
  ExpectRefused({"missing.npy"}, 4, {"missing.npy"});
  ExpectRefused({"x.npy", "--dtype", "float16"}, 3, {"x.npy", "float32", "float16", "TYP-2"});
  WriteText(File("t.bin"), "true");
  ExpectRefused({"t:bool:4:t.bin"}, 3, {"t.bin': byte 0: 116 is outside bool (0 to 1)"});
  WriteTensor<float>("x.npz", {2, 3}, {1, -2, 3, -4, 5, -6});  // read as a whole
  ExpectRefused({"x.npz", "--max-bytes", "23"}, 3, {"x.npz", "23"});
}

TEST_F(ReduceMaxVerbError, AnOutputBeyondTheLimitIsRefused) {
  WriteTensor<float>("e.npy", {0, 1000000, 1000000}, {});
  ExpectRefused({"e.npy", "--axes", "0"}, 3, {"limit exceeded: ", "[1000000,1000000]"});
  ExpectRefused({"e.npy", "--axes", "0", "--max-bytes", "5"}, 3, {"limit exceeded: ", "5"});
}

}  // namespace
}  // namespace supremum::test
