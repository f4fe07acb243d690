// A small conformance kit, and runners in shell that answer to it as they are told.
#ifndef SUPREMUM_TESTS_TOOLS_AUDIT_H_
#define SUPREMUM_TESTS_TOOLS_AUDIT_H_

#include "tools/command.h"
#include "tools/json.h"

namespace supremum::test {

inline constexpr const char* kCases = R"({"version": "1", "cases": [
  {"id": "zeros/plus_minus/float32", "group": "zeros", "name": "plus_minus", "type": "float32",
   "rules": ["MAX-2", "ORD-2"], "reason": "Zeros have a sign.", "operator": "Max", "opset": 13,
   "inputs": [{"shape": [2], "bits": "000000003f800000"}, {"shape": [2], "bits": "800000007fc00000"}],
   "output": {"shape": [2], "bits": "000000007fc00000"}, "onnx": null, "onednn": null},
  {"id": "empty/row/float32", "group": "empty", "name": "row", "type": "float32", "rules": ["RED-6"],
   "reason": "Nothing is the least.", "operator": "ReduceMax", "opset": 20,
   "attributes": {"axes": [1], "keepdims": 0},
   "inputs": [{"shape": [1, 0], "bits": ""}], "output": {"shape": [1], "bits": "ff800000"}},
  {"id": "one/of_two/bool", "group": "one", "name": "of_two", "type": "bool", "rules": ["RED-1", "TYP-4"],
   "reason": "False is less than true.", "operator": "ReduceMax", "opset": 20, "attributes": {"axes": [0]},
   "inputs": [{"shape": [2], "bits": "0100"}], "output": {"shape": [1], "bits": "01"}}]})";

inline constexpr const char* kInvalid = R"({"cases": [
  {"id": "e1/shapes", "rules": ["BRO-2", "E1"], "reason": "2 is not 3.", "model": "invalid/e1/model.onnx",
   "verdict": {"valid": false, "fails": "infer", "code": "not_broadcastable", "rule": "E1"}},
  {"id": "profile/symbol", "rules": ["PRO-2"], "reason": "N is no number.", "model": "invalid/pro/model.onnx",
   "verdict": {"valid": false, "fails": "profile", "code": "shape_not_explicit", "rule": "PRO-2"}}]})";

inline const std::string kHead = R"({"runtime": "Fake", "version": "1.0", "interface": "sh"})";
inline const std::string kRight0 =
    R"({"case": 0, "id": "zeros/plus_minus/float32", "shape": [2], "bits": "000000007fc00000"})";
inline const std::string kRight1 =
    R"({"case": 1, "id": "empty/row/float32", "shape": [1], "bits": "ff800000"})";
inline const std::string kRight2 = R"({"case": 2, "id": "one/of_two/bool", "shape": [1], "bits": "01"})";
inline const std::string kRefused0 = R"({"invalid": 0, "id": "e1/shapes", "refused": "shapes"})";
inline const std::string kRefused1 = R"({"invalid": 1, "id": "profile/symbol", "refused": "N"})";

class AuditTest : public CommandTest {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(File("cases"));
    std::filesystem::create_directories(File("runners"));
    WriteText(File("cases/cases.json"), kCases);
    WriteText(File("cases/invalid.json"), kInvalid);
  }

  /// A runner in shell. In its text `at N COMMAND` runs the command if the case N is asked for, and `say
  /// LINE` prints a line.
  void Runner(const std::string& name, const std::string& text) const {
    const std::string path = File("runners/" + name);
    WriteText(path,
              "#!/bin/sh\nfrom=0\n[ \"$2\" = --from ] && from=$3\n"
              "say() { printf '%s\\n' \"$1\"; }\n"
              "at() { n=$1; shift; [ \"$n\" -lt \"$from\" ] || \"$@\"; }\n" +
                  text);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }

  /// A runner that prints these lines; each is given with its number, so that it can be started later on.
  static std::string Lines(const std::vector<std::string>& lines) {
    std::string text = "say '" + kHead + "'\n";
    for (std::size_t i = 0; i < lines.size(); ++i)
      text += "at " + std::to_string(i) + " say '" + lines[i] + "'\n";
    return text;
  }

  static std::vector<std::string> Right() { return {kRight0, kRight1, kRight2, kRefused0, kRefused1}; }

  ProcessResult Run(const std::vector<std::string>& more = {}) const {
    return Supremum(With({"audit", "--cases", "cases", "--runners", "runners"}, more));
  }

  nlohmann::json Json(const std::vector<std::string>& more = {}) const {
    const ProcessResult result = Run(With(more, {"--json", "-"}));
    EXPECT_LT(result.status, 2) << result.err;
    return ParseJson(result.out);
  }

  /// The verdicts of the one runner `fake` that runs this text.
  nlohmann::json Verdicts(const std::string& text, std::vector<std::string> more = {}) const {
    Runner("fake", text);
    return Json(std::move(more)).at("runners").at(0);
  }

  /// The verdict over `answer`, what follows the id, to the first case.
  char Verdict(const std::string& answer) const {
    std::vector<std::string> lines = Right();
    lines[0] = R"({"case": 0, "id": "zeros/plus_minus/float32", )" + answer + "}";
    return Verdicts(Lines(lines)).at("verdicts").get<std::string>()[0];
  }
};

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_TOOLS_AUDIT_H_
