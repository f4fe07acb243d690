// Small files that ask for much memory or work. The command stays within what a laptop has, unless a limit is
// raised. Each file has less than 1 MB.
#include <sys/stat.h>

#include <filesystem>
#include <functional>
#include <map>
#include <sstream>

#include "support/bytes.h"
#include "tools/command.h"

namespace supremum::test {
namespace {

using ::testing::HasSubstr;

// Under the sanitizers, the files have a 32nd of their size: it is the same code, and the memory that it
// takes is not compared.
constexpr std::size_t Scaled(std::size_t bytes) { return kSanitized ? bytes / 32 : bytes; }

constexpr std::int32_t kByte = onnx::TensorProto::UINT8;

// Protobuf's wire format: what the classes of ONNX would not write.
std::string Varint(std::uint64_t value) {
  std::string bytes;
  for (; value > 0x7F; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}
std::string Head(int number, std::size_t size) {
  return Varint(static_cast<std::uint64_t>(number) << 3 | 2) + Varint(size);
}
std::string Field(int number, const std::string& content) { return Head(number, content.size()) + content; }
std::string Number(int number, std::uint64_t value) {
  return Varint(static_cast<std::uint64_t>(number) << 3) + Varint(value);
}
std::string Repeated(const std::string& part, std::size_t bytes) {
  std::string text;
  while (text.size() + part.size() <= bytes) text += part;
  return text;
}

std::string RawModel(const std::string& graph, std::uint64_t opset = 13) {
  return Number(1, 8) + Field(8, Number(2, opset)) + Field(7, graph);
}
std::string NodeBytes(const std::string& op, const std::string& input, const std::string& output) {
  return Field(1, Field(1, input) + Field(2, output) + Field(4, op));
}
std::string Named(int field, const std::string& name) { return Field(field, Field(1, name)); }
std::string Hex(std::size_t i) {
  std::ostringstream text;
  text << std::hex << i;
  return text.str();
}

// Nodes op(x) -> 0, 1, 2, ..., or each of the one before, and the first as the output.
std::string ManyNodes(const std::string& op, bool chain, const std::string& inputs) {
  std::string graph = inputs;
  for (std::size_t i = 0; graph.size() < Scaled(950'000); ++i) {
    graph += NodeBytes(op, chain && i > 0 ? Hex(i - 1) : "x", Hex(i));
  }
  return graph + Named(12, "0");
}
std::string InputBytes(const std::string& name, const std::vector<std::string>& dims) {
  std::string shape;
  for (const std::string& dim : dims) shape += Field(1, dim);
  return Field(11, Field(1, name) + Field(2, Field(1, Number(1, 1) + Field(2, shape))));
}
const std::string kOne = Number(1, 1);             // an extent of 1
const std::string kLarge = Number(1, 15'000'000);  // 60 MB of float32
const std::string kLongName = Field(2, std::string(Scaled(400'000), 'N'));

class Limits : public CommandTest {
 protected:
  /// Every verb that takes such a file, with all that it can show.
  std::vector<std::vector<std::string>> VerbsFor(const std::string& name) const {
    if (name.ends_with(".onnx")) {
      return {{"inspect", name, "--json", "r.json"},
              {"check", name, "--profile", "sonnx", "--json", "r.json"},
              {"annotate", name, "-o", "stated.onnx"},
              {"extract", name, "-o", "cases"},
              {"emit-c", name, "-o", "c"},
              {"run", name, "--random", "1", "--json", "r.json"}};
    }
    if (name.ends_with(".json")) return {{"inspect", name}, {"run", name, "--random", "1"}};
    return {{"inspect", name, "--values"}, {"max", name, "-o", "y.npy"}};
  }

  void ExpectModest(const std::string& name, const std::string& bytes) const {
    ASSERT_LE(bytes.size(), 1'000'000u) << name;
    WriteText(File(name), bytes);
    std::filesystem::remove_all(File("cases"));
    for (const auto& arguments : VerbsFor(name)) {
      const ProcessResult result = kSanitized ? Supremum(arguments) : Fresh(arguments);
      const std::string trace = arguments[0] + " " + name + ": " + result.err.substr(0, 300);
      EXPECT_TRUE(result.status == 0 || result.status == 1 || result.status == 2 || result.status == 3)
          << trace << " status " << result.status;
      if (result.status > 1) {
        EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << trace;
      }
      EXPECT_LT(result.err.size(), 10'000u) << trace;
#if !defined(SUPREMUM_SANITIZED)  // whose own memory is more
      EXPECT_LT(result.peak_bytes, std::int64_t{256} << 20) << trace;
#endif
    }
  }
};

TEST_F(Limits, MessagesThatAreTwoBytesInAFileAndHundredsInMemory) {
  for (const auto& [name, graph] : std::map<std::string, std::string>{
           {"nodes", Repeated(Field(1, ""), Scaled(980'000))},
           {"initializers", Repeated(Field(5, ""), Scaled(980'000))},
           {"sparse", Repeated(Field(15, ""), Scaled(980'000))},
           {"inputs", Repeated(Field(11, ""), Scaled(980'000))},
           {"value_info", Repeated(Field(13, ""), Scaled(980'000))},
           {"attributes", Field(1, Repeated(Field(5, ""), Scaled(980'000)))},
           {"tensors", Field(1, Repeated(Field(5, Field(5, "")), Scaled(980'000)))},
           {"graphs", Field(1, Repeated(Field(5, Field(6, "")), Scaled(980'000)))},
           {"extents", Field(11, Field(2, Field(1, Field(2, Repeated(Field(1, ""), Scaled(980'000))))))},
           {"names", Field(1, Repeated(Field(1, ""), Scaled(980'000)))}}) {
    ExpectModest(name + ".onnx", RawModel(graph));
  }
  ExpectModest("functions.onnx", RawModel("") + Repeated(Field(25, ""), Scaled(980'000)));
  ExpectModest("metadata.onnx", RawModel("") + Repeated(Field(14, ""), Scaled(980'000)));
  ExpectModest("unknown.onnx", RawModel("") + Repeated(Number(100, 1), Scaled(980'000)));
  ExpectModest("strings.pb", Number(2, 8) + Repeated(Field(6, ""), Scaled(980'000)));
  ExpectModest("places.pb", Number(2, 1) + Repeated(Field(13, ""), Scaled(980'000)));
  ExpectModest("dims.pb", Number(2, 7) + Field(1, std::string(Scaled(900'000), '\1')));
}

TEST_F(Limits, VeryManyNodesAndValues) {
  const std::string x = InputBytes("x", {kOne});
  ExpectModest("chain.onnx", RawModel(ManyNodes("Max", true, x)));
  ExpectModest("fan.onnx", RawModel(ManyNodes("Max", false, x)));
  ExpectModest("reduce.onnx", RawModel(ManyNodes("ReduceMax", false, x)));
  ExpectModest("copies.onnx", RawModel(ManyNodes("Identity", false, x)));
  std::string graph = NodeBytes("Identity", "0", "y") + Named(12, "y");
  for (std::size_t i = 0; graph.size() < Scaled(950'000); ++i) {
    graph += Field(5, Number(1, 0) + Number(2, 2) + Field(8, Hex(i)));
  }
  ExpectModest("initializers.onnx", RawModel(graph));
  graph = NodeBytes("Max", "0", "y") + Named(12, "y");
  for (std::size_t i = 0; graph.size() < Scaled(950'000); ++i) graph += InputBytes(Hex(i), {});
  ExpectModest("inputs.onnx", RawModel(graph));
  graph = x;
  std::string outputs;
  for (std::size_t i = 0; graph.size() + outputs.size() < Scaled(950'000); ++i) {
    graph += NodeBytes("Identity", "x", Hex(i));
    outputs += Named(12, Hex(i));
  }
  ExpectModest("outputs.onnx", RawModel(graph + outputs));
}

TEST_F(Limits, WorkThatGrowsFasterThanTheFile) {
  // 400,000 by 400,000 from two columns of bytes.
  const std::int64_t n = 400'000;
  ModelBuilder bomb;
  bomb.Initializer<std::uint8_t>("a", kByte, {n, 1}, std::vector<std::uint8_t>(n, 1));
  bomb.Initializer<std::uint8_t>("b", kByte, {1, n}, std::vector<std::uint8_t>(n, 2));
  bomb.Node("Max", {"a", "b"}, {"y"});
  bomb.Output("y", kByte, std::nullopt);
  ExpectModest("broadcast.onnx", bomb.Serialize());
  EXPECT_THAT(Supremum({"run", "broadcast.onnx"}).err,
              HasSubstr("takes more than the limit of 67108864 bytes"));

  const std::string x = InputBytes("x", {kLarge});
  ExpectModest("passes.onnx", RawModel(ManyNodes("ReduceMax", false, x)));
  EXPECT_THAT(Supremum({"run", "passes.onnx", "--random", "1"}).err,
              HasSubstr("read and write more than 128 times the limit of 67108864 bytes"));
  const std::string node =
      Field(1, Repeated(Field(1, "x"), Scaled(900'000)) + Field(2, "y") + Field(4, "Max"));
  ExpectModest("operands.onnx", RawModel(x + node + Named(12, "y")));
  std::string inputs;
  for (int i = 0; i < 60; ++i) inputs += InputBytes("x" + Hex(static_cast<std::size_t>(i)), {kLarge});
  ExpectModest("random.onnx", RawModel(inputs + NodeBytes("Max", "x0", "y") + Named(12, "y")));
}

TEST_F(Limits, NamesThatAreHandedOn) {
  const std::string x = InputBytes("x", {kLongName});
  std::string chain = x, fan = x;
  for (std::size_t i = 0; chain.size() < Scaled(900'000); ++i) {
    chain += NodeBytes("Identity", i == 0 ? "x" : Hex(i - 1), Hex(i));
    fan += NodeBytes("Max", "x", Hex(i));
  }
  ExpectModest("long_chain.onnx", RawModel(chain + Named(12, "0")));
  ExpectModest("long_fan.onnx", RawModel(fan + Named(12, "0")));
  const std::string one =
      Field(1, Repeated(Field(1, "x"), Scaled(500'000)) + Field(2, "y") + Field(4, "Max"));
  ExpectModest("long_one.onnx", RawModel(x + one + Named(12, "y")));
  ExpectModest("rank.onnx", RawModel(ManyNodes("Identity", true,
                                               InputBytes("x", std::vector<std::string>(50'000, kOne)))));
  ExpectModest("rank64.onnx",
               RawModel(ManyNodes("Identity", true, InputBytes("x", std::vector<std::string>(64, kOne)))));
  // A node whose long name is that of the place of all nodes in its graph.
  std::string body;
  for (std::size_t i = 0; body.size() < Scaled(600'000); ++i) body += NodeBytes("Max", "x", Hex(i));
  const std::string loop = Field(1, Field(3, std::string(Scaled(300'000), 'n')) + Field(4, "If") +
                                        Field(2, "y") + Field(5, Field(1, "then_branch") + Field(6, body)));
  ExpectModest("scope.onnx", RawModel(InputBytes("x", {kOne}) + loop + Named(12, "y")));
}

// A graph with `depth` nested Ifs. The bytes before and after each inner graph are concatenated once, because
// copying each of ten thousand graphs into the next one takes minutes under the sanitizers.
std::string NestedIfs(int depth) {
  const std::string innermost = NodeBytes("Max", "x", "y") + Named(12, "y");
  const std::string of_node = Field(1, "c") + Field(2, "y") + Field(4, "If");
  const std::string of_branch = Field(1, "then_branch") + Number(20, 5);
  const std::string behind = Named(12, "y");
  std::vector<std::string> before;  // from the innermost outwards
  std::size_t size = innermost.size();
  for (int i = 0; i < depth; ++i) {
    const std::string branch = of_branch + Head(6, size);
    const std::string node = of_node + Head(5, branch.size() + size) + branch;
    before.push_back(Head(1, node.size() + size) + node);
    size += before.back().size() + behind.size();
  }
  std::string graph;
  graph.reserve(size);
  for (auto part = before.rbegin(); part != before.rend(); ++part) graph += *part;
  graph += innermost;
  for (int i = 0; i < depth; ++i) graph += behind;
  return graph;
}

TEST_F(Limits, GraphsThatAreNestedDeeperThanIsReadAreALimit) {
  for (const int depth : {34, 50, 200, 10'000}) {
    ExpectModest("deep.onnx", RawModel(NestedIfs(depth)));
    for (const char* verb : {"inspect", "check", "run"}) {
      const ProcessResult result = Supremum({verb, "deep.onnx"});
      EXPECT_THAT(result.err,
                  HasSubstr("limit exceeded: 'deep.onnx': its messages are nested more than the limit "
                            "of 100 deep"))
          << verb << depth;
    }
  }
  WriteText(File("deep.onnx"), RawModel(NestedIfs(32)));
  EXPECT_THAT(Supremum({"inspect", "deep.onnx"}).err, testing::Not(HasSubstr("limit exceeded")));
  // A message that is nested as deep as may be does not end the counting of the others.
  std::string types = Field(1, "");
  for (int i = 0; i < 97; ++i) types = Field(i % 2 == 0 ? 4 : 1, types);
  for (const int more : {-2, -1, 0, 1, 2, 3}) {
    if (kSanitized && more != 0 && more != 1) continue;  // the same code, which then takes minutes
    std::string deep = types;
    for (int i = 0; i < 4 + more; ++i) deep = Field(i % 2 == 0 ? 4 : 1, deep);
    ExpectModest("deep_and_wide.onnx",
                 RawModel(Field(11, Field(2, deep)) + Repeated(Field(1, ""), Scaled(980'000))));
  }
}

TEST_F(Limits, ASparseFileDoesNotRaiseTheDefault) {
  // 64 times its size is 640 MB, and it takes next to nothing on the disk.
  const std::string header =
      "{'descr': '|u1', 'fortran_order': False, 'shape': (10000000,), }" + std::string(53, ' ') + '\n';
  WriteText(File("sparse.npy"), Npy(header));
  const auto size = std::filesystem::file_size(File("sparse.npy"));
  std::filesystem::resize_file(File("sparse.npy"), size + 10'000'000);
  struct stat status = {};
  ASSERT_EQ(::stat(File("sparse.npy").c_str(), &status), 0);
  if (status.st_blocks * 512 > 1'000'000) GTEST_SKIP() << "this file system has no sparse files";
  ModelBuilder bomb;  // 100 MB from what is within every limit
  bomb.Input("x", kByte, {10'000'000});
  bomb.Initializer<std::uint8_t>("a", kByte, {10, 1}, std::vector<std::uint8_t>(10, 1));
  bomb.Node("Max", {"x", "a"}, {"y"});
  bomb.Output("y", kByte, std::nullopt);
  WriteText(File("bomb.onnx"), bomb.Serialize());
  const std::vector<std::string> run = {"run", "bomb.onnx", "--input", "x=sparse.npy"};
  const ProcessResult refused = Supremum(run);
  EXPECT_EQ(refused.status, 3) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("takes more than the limit of"));
  // The same bytes without holes take what they are said to take.
  WriteText(File("sparse.npy"), ReadText(File("sparse.npy")));
  EXPECT_EQ(Supremum(run).status, 0);
  EXPECT_EQ(Supremum({"run", "bomb.onnx", "--input", "x=sparse.npy", "--max-bytes", "1000000"}).status, 3);
}

TEST_F(Limits, NestingThatHasNoEnd) {
  // From the innermost message outwards, last byte first: what encloses a message is appended.
  std::string backwards;
  while (backwards.size() < Scaled(900'000)) {
    for (const int number : {6, 5, 1}) {
      const std::string head = Head(number, backwards.size());
      backwards.append(head.rbegin(), head.rend());
    }
  }
  ExpectModest("nested.onnx", RawModel({backwards.rbegin(), backwards.rend()}));
  ExpectModest("lists.json", std::string(Scaled(900'000), '['));
  ExpectModest("parentheses.npy", std::string("\x93NUMPY\x01\0", 8) + "\x80\x0c{'descr': '<f4', 'shape': " +
                                      std::string(3000, '(') + std::string(200, ' '));
}

std::string SafetensorsFile(const std::string& header) { return LittleEndian(header.size(), 8) + header; }

TEST_F(Limits, HeadersOfTensorFiles) {
  ExpectModest("lists.safetensors", SafetensorsFile("{\"a\":[" + Repeated("[],", Scaled(960'000)) + "[]]}"));
  ExpectModest("shape.safetensors",
               SafetensorsFile("{\"a\":{\"dtype\":\"U8\",\"shape\":[" + Repeated("0,", Scaled(960'000)) +
                               "0],\"data_offsets\":[0,0]}}"));
  ExpectModest("metadata.safetensors",
               SafetensorsFile("{\"__metadata__\":{\"k\":\"" + std::string(Scaled(900'000), 'v') + "\"}}"));
  std::string keys;
  for (std::size_t i = 0; keys.size() < Scaled(900'000); ++i) {
    keys += (i > 0 ? ",\"" : "\"") + Hex(i) + "\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}";
  }
  ExpectModest("keys.safetensors", SafetensorsFile("{" + keys + "}"));
  ExpectModest("length.safetensors", LittleEndian(~std::uint64_t{0} >> 1, 8) + "{}");
  ExpectModest("header.npy", Npy(std::string(Scaled(900'000), ' '), "", 2));
  ExpectModest("claim.npy", Npy("{'descr': '<f4', 'fortran_order': False, 'shape': (8589934592,), }   \n"));
}

TEST_F(Limits, ArchivesThatUnpackToGigabytes) {
  const auto python = [&](const std::string& script) {
    const ProcessResult result = RunProcess({SUPREMUM_PYTHON, "-c", script}, {.directory = File("")});
    ASSERT_EQ(result.status, 0) << result.err;
  };
  const std::string begin =
      "import zipfile\n"
      "head = b'\\x93NUMPY\\x01\\0' + (86).to_bytes(2, 'little')\n"
      "def array(n): return head + (\"{'descr': '|u1', 'fortran_order': False, 'shape': (%d,), }\" % "
      "n).encode()"
      ".ljust(85) + b'\\n' + bytes(n)\n"
      "def archive(name, arrays):\n"
      "  with zipfile.ZipFile(name, 'w', zipfile.ZIP_DEFLATED) as z:\n"
      "    for i, n in enumerate(arrays): z.writestr('%d.npy' % i, array(n))\n";
  ASSERT_NO_FATAL_FAILURE(python(begin + "archive('one.npz', [300_000_000])\n"
                                         "archive('many.npz', [30_000_000] * 20)\n"
                                         "archive('entries.npz', [0] * 6000)\n"));
  for (const char* const name : {"one.npz", "many.npz", "entries.npz"})
    ExpectModest(name, ReadText(File(name)));
}

TEST_F(Limits, GraphsOfOneDnn) {
  const std::string head = R"({"version":"3.0.0","graph":[)";
  ExpectModest("lists.json", head + Repeated("[],", Scaled(960'000)) + "[]]}");
  ExpectModest("objects.json", head + Repeated("{},", Scaled(960'000)) + "{}]}");
  const auto tensor = [](std::size_t id, const std::string& shape, const std::string& more = "") {
    return "{\"id\":" + std::to_string(id) + R"(,"dtype":"f32","shape":[)" + shape + "]" + more + "}";
  };
  const auto op = [](std::size_t id, const std::string& kind, const std::string& inputs,
                     const std::string& output) {
    return "{\"id\":" + std::to_string(id) + R"(,"kind":")" + kind + R"(","inputs":[)" + inputs +
           R"(],"outputs":[)" + output + "]";
  };
  std::string passes, chain, operands;
  for (std::size_t i = 0; passes.size() < Scaled(950'000); ++i) {
    passes += (i > 0 ? "," : "") + op(i, "ReduceMax", tensor(0, "15000000"), tensor(i + 1, "")) +
              R"(,"attrs":{"axes":{"type":"s64[]","value":[0]}}})";
  }
  for (std::size_t i = 0; chain.size() < Scaled(950'000); ++i) {
    chain += (i > 0 ? "," : "") +
             op(i, "Maximum", tensor(i, "1") + "," + tensor(i, "1"), tensor(i + 1, "1")) + "}";
  }
  for (std::size_t i = 0; operands.size() < Scaled(900'000); ++i)
    operands += (i > 0 ? "," : "") + tensor(i, "1");
  ExpectModest("passes.json", head + passes + "]}");
  ExpectModest("chain.json", head + chain + "]}");
  ExpectModest("operands.json", head + op(0, "Maximum", operands, tensor(999'999, "1")) + "}]}");
  ExpectModest("strides.json",
               head +
                   op(0, "Maximum", tensor(0, "2", R"(,"stride":[1099511627776])") + "," + tensor(1, "2"),
                      tensor(2, "2", R"(,"stride":[1099511627776])")) +
                   "}]}");
}

// A model over the limit runs if the limit is raised.
TEST_F(Limits, CanBeRaised) {
  ModelBuilder model;
  model.Input("a", kFloat, {5000, 1}).Input("b", kFloat, {1, 5000}).Output("y", kFloat, {5000, 5000});
  model.Node("Max", {"a", "b"}, {"y"});
  model.Save(File("m.onnx"));
  ExpectFailure(Supremum({"run", "m.onnx", "--random", "1"}), 3,
                {"limit exceeded", "limit of 67108864 bytes"});
  EXPECT_EQ(Supremum({"run", "m.onnx", "--random", "1", "--max-bytes", "200000000"}).status, 0);
  // Files of some size may take more without saying so.
  WriteTensor<float>("a.npy", {5000, 1}, std::vector<float>(5000, 1));
  WriteTensor<float>("b.npy", {1, 500'000}, std::vector<float>(500'000, 2));
  const ProcessResult result = Supremum({"max", "a.npy", "b.npy", "-o", "y.npy"});
  ExpectFailure(result, 3, {"limit of " + std::to_string(64 * (2 * 128 + 4 * 505'000)) + " bytes"});
}

}  // namespace
}  // namespace supremum::test
