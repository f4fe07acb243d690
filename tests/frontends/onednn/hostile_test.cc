// Graphs that are cut short, changed at random or made to hurt: a clean error or a clean run, never anything
// else.
#include "frontends/onednn/testing.h"
#include "support/values.h"
#include "supremum/result.h"

namespace supremum::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string Sample() {
  return GraphText(
      {OpText(0, "Maximum", R"("auto_broadcast":{"type":"string","value":"numpy"})",
              {F32(0, {2, 3}, Integers{1, 2}), F32(1, {3}, Integers{-1})}, {F32(2, {2, 3}, Integers{3, 1})}),
       OpText(1, "ReduceMax", R"("keep_dims":{"type":"bool","value":1})",
              {F32(2, {2, 3}, Integers{3, 1}), TensorText(3, "s32", {1})}, {F32(4, {2, 1}, Integers{1, 1})})},
      R"("input_ports":[0,1,3],"output_ports":[4],)");
}

/// Reads and runs; the text of an error must be short and printable.
void Try(const std::string& text) {
  OneDnnRunOptions options;
  options.max_bytes = 1 << 20;
  std::vector<NamedTensor> inputs =
      List(Named<float>("0", {2, 3}, {1, 5, 2, 4, 3, 6}), Named<float>("1", {3}, {0, 9, 0}),
           Named<std::int32_t>("3", {1}, {1}));
  const Result<OneDnnGraph> graph = OneDnnGraph::Parse(text, "g.json", 1 << 20);
  const auto outputs = graph ? graph->Run(inputs, options) : Result<std::vector<NamedTensor>>(graph.error());
  if (outputs) return;
  const std::string& message = outputs.error().message;
  EXPECT_THAT(message, StartsWith(std::string(InfoOf(outputs.error().code).title) + ": 'g.json': ")) << text;
  EXPECT_LT(message.size(), 2000u) << text;
  for (char c : message) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      ADD_FAILURE() << "a control character: " << message;
  }
}

TEST(OneDnnHostile, TheSampleItselfRuns) {
  const auto outputs =
      RunText(Sample(), List(Named<float>("0", {2, 3}, {1, 5, 2, 4, 3, 6}), Named<float>("1", {3}, {0, 4, 0}),
                             Named<std::int32_t>("3", {1}, {1})));
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_THAT(Values<float>(outputs->front()), ::testing::ElementsAre(5, 6));
}

TEST(OneDnnHostile, CutShortAtEveryByteItIsAnError) {
  const std::string text = Sample();
  for (std::size_t size = 0; size < text.size(); ++size) {
    const std::string message = Malformed(text.substr(0, size));
    EXPECT_THAT(message, HasSubstr("'g.json': byte " + std::to_string(size) + ": it is not JSON")) << size;
  }
}

TEST(OneDnnHostile, NothingFollowsTheGraph) {
  const std::string text = Sample();
  for (const std::string& more : {std::string(1, '\0'), std::string("\0garbage", 8), std::string("\n\0", 2),
                                  std::string(1, '\0') + text, text, std::string("x"), std::string("{}")}) {
    const std::size_t zero = more.find('\0');
    const std::size_t at = text.size() + (zero == std::string::npos ? 0 : zero);
    EXPECT_THAT(Malformed(text + more),
                HasSubstr("'g.json': byte " + std::to_string(at) + ": it is not JSON"))
        << more;
  }
  EXPECT_TRUE(OneDnnGraph::Parse(text + " \r\n\t", "g.json", 1 << 20));
}

TEST(OneDnnHostile, EveryByteChangedIsAnErrorOrARun) {
  const std::string text = Sample();
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (char c : std::string("\0 9-.,:]{\"\\e\x1b\xff", 14)) {
      std::string changed = text;
      changed[at] = c;
      Try(changed);
    }
    std::string flipped = text;
    flipped[at] = static_cast<char>(flipped[at] ^ 1);
    Try(flipped);
    Try(text.substr(0, at) + text.substr(at + 1));
  }
}

TEST(OneDnnHostile, ValuesReplacedByOthersAreAnErrorOrARun) {
  const std::string text = Sample();
  const char* const values[] = {"null",
                                "true",
                                "-1",
                                "1.5",
                                "[]",
                                "{}",
                                R"("")",
                                "9223372036854775807",
                                "-9223372036854775808",
                                "0",
                                "[[[]]]",
                                "1e99",
                                "[0]",
                                "[-1]",
                                R"("f32")",
                                "[9223372036854775807,9223372036854775807]"};
  Rng rng(5);
  for (int trial = 0; trial < 10000; ++trial) {
    std::string changed = text;
    for (std::size_t changes = 1 + Below(rng, 3); changes > 0; --changes) {
      const std::size_t begin = changed.find_first_of(":,[", Below(rng, changed.size()));
      if (begin == std::string::npos) continue;
      const std::size_t end = changed.find_first_of(",]}", begin + 1);
      if (end == std::string::npos) continue;
      changed.replace(begin + 1, end - begin - 1, values[Below(rng, std::size(values))]);
    }
    Try(changed);
  }
}

TEST(OneDnnHostile, ManyOpsAreOrderedInLinearTime) {
  std::vector<std::string> ops;
  const std::uint64_t count = 20000;
  for (std::uint64_t i = count; i-- > 0;) {
    ops.push_back(OpText(i, "Maximum", "", {F32(i, {1}), F32(i, {1})}, {F32(i + 1, {1})}));
  }
  const auto outputs = RunText(GraphText(ops), List(Named<float>("0", {1}, {2})));
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_THAT(Values<float>(outputs->front()), ::testing::ElementsAre(2));
  ops.back() = OpText(0, "Maximum", "", {F32(count, {1}), F32(0, {1})}, {F32(1, {1})});
  const std::string message = Malformed(GraphText(ops));
  EXPECT_THAT(message, HasSubstr("a graph must have no cycle"));
}

}  // namespace
}  // namespace supremum::test
