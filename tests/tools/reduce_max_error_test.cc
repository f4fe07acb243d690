// Errors of supremum reduce-max: the exit status, the error text, and that the output file is unchanged.
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

// Rules: RED-2, RED-4, TYP-2, TYP-4, TYP-5
TEST_F(ReduceMaxVerbError, OthersComeFromTheOperatorAndTheReaders) {
  WriteTensor<double>("d.npy", {2}, {1, 2});
  WriteText(File("t.bin"), "true");
  WriteTensor<float>("x.npz", {2, 3}, {1, -2, 3, -4, 5, -6});  // read as a whole
  WriteTensor<float>("e.npy", {0, 1000000, 1000000}, {});
  struct Row {
    std::vector<std::string> arguments;
    int status;
    std::vector<std::string> parts;
  };
  for (const auto& [arguments, status, parts] : std::vector<Row>{
           {{"x.npy", "--axes", "0,2"}, 3, {"wrong axis: ", "x.npy", "2", "RED-2"}},
           {{"x.npy", "--axes", "-9223372036854775808"}, 3, {"wrong axis: ", "-9223372036854775808"}},
           {{"x.npy", "--axes", "1,-1"}, 3, {"wrong axis: ", "x.npy", "RED-2"}},
           {{"x.npy", "--semantics", "onednn"},
            3,
            {"axes not given exactly once: ", "RED-4", "--axes 0,-1", "--axes ''"}},
           {{"x.npy", "--semantics", "onednn", "--axes=", "--noop-with-empty-axes"},
            2,
            {"--noop-with-empty-axes", "onednn", "RED-4"}},
           {{"i.npy", "--semantics", "onnx"}, 3, {"type not admitted: ", "i.npy", "int16", "TYP-4"}},
           {{"d.npy", "--semantics", "onednn"}, 3, {"type not admitted: ", "d.npy", "TYP-5"}},
           {{"d.npy", "--semantics", "onednn", "--axes", "7"}, 3, {"type not admitted: ", "TYP-5"}},
           {{"x.npy", "--semantics", "numpy"}, 2, {"numpy"}},
           {{"x.npy", "x.npy"}, 2, {"x.npy"}},
           {{}, 2, {"INPUT"}},
           {{"x.npy", "--no-broadcast"}, 2, {"--no-broadcast"}},
           {{"x.npy", "--dtype", "z.npy=bfloat16"}, 2, {"'z.npy'"}},
           {{"missing.npy"}, 4, {"missing.npy"}},
           {{"x.npy", "--dtype", "float16"}, 3, {"x.npy", "float32", "float16", "TYP-2"}},
           {{"t:bool:4:t.bin"}, 3, {"t.bin': byte 0: 116 is outside bool (0 to 1)"}},
           {{"x.npz", "--max-bytes", "23"}, 3, {"x.npz", "23"}},
           {{"e.npy", "--axes", "0"}, 3, {"limit exceeded: ", "[1000000,1000000]"}},
           {{"e.npy", "--axes", "0", "--max-bytes", "5"}, 3, {"limit exceeded: ", "5"}}}) {
    ExpectRefused(arguments, status, parts);
  }
  ExpectFailure(Supremum({"reduce-max", "x.npy", "-o", "y.png"}), 2, {"y.png", ".npy"});
  EXPECT_FALSE(Exists("y.png"));
}

}  // namespace
}  // namespace supremum::test
