// Untrusted texts in each language that the command writes: they are shown, and they are nothing but text.
#include "cli/escape.h"

#include <regex>

#include "tools/command.h"
#include "tools/json.h"

namespace supremum::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Texts that an attacker who controls a name may try.
const std::vector<std::string>& HostileTexts() {
  static const std::vector<std::string> texts = {
      "<script>alert(1)</script>",
      "</script><script>alert(1)</script>",
      "<img src=x onerror=alert(1)>",
      "<!-- ",
      "-->",
      "\\",
      "\\\\| x",
      "`",
      "line\nbreak\r\n| cell |\n\n## heading",
      "tab\tbell\x07 back\x08",
      "\x1b[2J\x1b]0;title\x07\x1b[31mred",
      "\u009b31mred",
      "\u202Egpj.exe\u202C \u2066x\u2069 \u200F \u061C",
      "line\u2028separator\u2029",
      "\xff\xfe\xc0\xaf\xed\xa0\x80 \xe2\x82",
      std::string("nul\0nul", 7),
      "\x7f",
      std::string(100'000, 'x'),
      "$(touch planted) `touch planted` ; touch planted",
      "",
      " ",
      "größe 世界 \U0001F600",
  };
  return texts;
}

bool IsShown(const std::string& text) {
  // Control characters, and those that turn the direction of the text around them, as they are in UTF-8.
  static const std::regex kNever(
      "[\\x00-\\x1f\\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]");
  return !std::regex_search(text, kNever) && nlohmann::json(text).dump() != "";  // throws if it is not UTF-8
}

// Those that can be the name of a file.
std::vector<std::string> HostileFileNames() {
  std::vector<std::string> names = HostileTexts();
  std::erase_if(names, [](const std::string& text) {
    return text.empty() || text.size() > 200 ||
           text.find_first_of(std::string("\0/", 2)) != std::string::npos;
  });
  return names;
}

// The lines that the command wrote are shown.
void ExpectShown(const ProcessResult& result) {
  for (std::string said : {result.out, result.err}) {
    std::erase(said, '\n');
    EXPECT_TRUE(IsShown(said)) << said.substr(0, 1000);
  }
}

TEST(Escape, WhatIsPrintedCommandsNoTerminal) {
  for (const std::string& text : HostileTexts()) {
    const std::string printable = cli::Printable(text);
    SCOPED_TRACE(printable.substr(0, 100));
    EXPECT_TRUE(IsShown(printable));
    EXPECT_EQ(cli::Printable(printable), printable);
  }
  EXPECT_EQ(cli::Printable("\x1b[2J"), "\\x1b[2J");
  EXPECT_EQ(cli::Printable("größe 世界"), "größe 世界");
  EXPECT_EQ(cli::Printable("\u202Ex"), "\\xe2\\x80\\xaex");
}

TEST(Escape, JsonHoldsTheSameTextsAndCommandsNoTerminal) {
  for (const std::string& text : HostileTexts()) {
    const nlohmann::ordered_json json = {{text, {text, 1}}};
    const auto expected = nlohmann::ordered_json::parse(
        json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    for (const int indent : {-1, 1, 2}) {
      std::string document = cli::JsonDocument(json, indent);
      EXPECT_EQ(nlohmann::ordered_json::parse(document), expected);
      std::erase(document, '\n');
      EXPECT_TRUE(IsShown(document)) << document.substr(0, 100);
    }
  }
}

TEST(Escape, AShellReadsTheSameWord) {
  for (const std::string& text : HostileTexts()) {
    if (text.find('\0') != std::string::npos || text.size() > 1000) continue;  // no name of a file
    const std::string quoted = cli::ShellQuote(text);
    SCOPED_TRACE(quoted);
    EXPECT_TRUE(IsShown(quoted));
    const ProcessResult said = RunProcess({"sh", "-c", "printf %s " + quoted});
    EXPECT_EQ(said.status, 0);
    EXPECT_EQ(said.out, text);
  }
}

class HostileNames : public CommandTest {
 protected:
  /// Text `number` in each of `verbs`; under sanitizers in every fourth one, beginning with another one for
  /// each text: each text in some, and each verb with some.
  void ExpectTextIn(std::size_t number, const std::vector<std::vector<std::string>>& verbs) const {
    constexpr std::size_t kEach = kSanitized ? 4 : 1;
    for (std::size_t i = number % kEach; i < verbs.size(); i += kEach) {
      const std::vector<std::string>& arguments = verbs[i];
      const ProcessResult result = Supremum(arguments);
      SCOPED_TRACE(arguments[0]);
      EXPECT_LE(result.status, 4);
      ExpectShown(result);
    }
  }
};

TEST_F(HostileNames, OfAModelAreTextInEveryVerb) {
  std::size_t number = 0;
  for (const std::string& text : HostileTexts()) {
    if (text.empty() || text.size() > 1000) continue;
    SCOPED_TRACE(text);
    for (const char* const folder : {"cases", "more"}) std::filesystem::remove_all(File(folder));
    ModelBuilder model;
    model.Input(text, kFloat, {test::ModelDim(text)}).Output("y" + text, kFloat, std::nullopt);
    model.Node("Max", {text}, {"y" + text}, text);
    model.Save(File("m.onnx"));
    ExpectTextIn(number++, {{"inspect", "m.onnx"},
                            {"inspect", "m.onnx", "--json", "-"},
                            {"check", "m.onnx"},
                            {"check", "m.onnx", "--profile", "sonnx", "--json", "-"},
                            {"annotate", "m.onnx", "-o", "stated.onnx"},
                            {"extract", "m.onnx", "-o", "cases"},
                            {"extract", "m.onnx", "-o", "more", "--json", "-"},
                            {"emit-c", "m.onnx", "-o", "c", "--json", "-"},
                            {"annotate", "m.onnx", "-o", "stated.onnx", "--json", "-"},
                            {"run", "m.onnx"},
                            {"run", "m.onnx", "--random", "1"},
                            {"run", "m.onnx", "--random", "1", "-d", "out"}});
  }
}

TEST_F(HostileNames, OfFilesAreTextInEveryVerb) {
  std::size_t number = 0;
  for (const std::string& text : HostileFileNames()) {
    SCOPED_TRACE(text);
    std::filesystem::create_directories(File("folder" + text + "/case/test_data_set_0"));
    WriteText(File("folder" + text + "/case/model.onnx"), "no model");
    const std::string array = "a" + text + ".npy";
    WriteTensor<float>(array, {2}, {1, 2});
    ExpectTextIn(number++, {{"test", "folder" + text},
                            {"inspect", array},
                            {"inspect", array, "--json", "-"},
                            {"compare", array, array},
                            {"max", array, "-o", "y" + text + ".npy"},
                            {"max", array, "missing" + text + ".npy", "-o", "y.npy"},
                            {"check", array},
                            {"run", array},
                            {"max", array, "-o", text + "/y.npy"}});
  }
}

}  // namespace
}  // namespace supremum::test
