// supremum-mpi on 1, 2, 4 and 7 ranks, against supremum on one process.
#include "tools/command.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "support/bytes.h"
#include "support/clock.h"
#include "support/values.h"

namespace supremum::test {
namespace {

constexpr int kRanks[] = {1, 2, 4, 7};

class MpiCommand : public CommandTest {
 protected:
  /// mpirun -n RANKS supremum-mpi ARGUMENTS; each rank leaves its exit status in status.RANK.
  ProcessResult Mpi(int ranks, const std::vector<std::string>& arguments,
                    const std::vector<std::pair<std::string, std::string>>& environment = {}) const {
    for (const auto& entry : std::filesystem::directory_iterator(File("."))) {
      if (entry.path().filename().string().starts_with("status.")) std::filesystem::remove(entry.path());
    }
    std::vector<std::string> command = {
        SUPREMUM_MPIRUN_SCRIPT,
        SUPREMUM_MPIRUN,
        "-n",
        std::to_string(ranks),
        "sh",
        "-c",
        "trap : TERM; \"$0\" \"$@\"; s=$?; echo $s >status.$OMPI_COMM_WORLD_RANK; exit $s",
        SUPREMUM_MPI_COMMAND};
    command.insert(command.end(), arguments.begin(), arguments.end());
    ProcessOptions options;
    options.directory = File(".");
    std::istringstream words(SUPREMUM_MPI_ENVIRONMENT);
    for (std::string name, value; std::getline(words >> std::ws, name, '=') && words >> value;) {
      options.environment.emplace_back(name, value);
    }
    // Of two values of one name the later holds.
    options.environment.insert(options.environment.end(), environment.begin(), environment.end());
    return RunProcess(command, options);
  }

  /// The same, and a rank that fails does not make mpirun end the others: each must find the error itself,
  /// and mpirun does not take the seconds that it gives ranks to end. Its own status is then not theirs.
  ProcessResult MpiToTheEnd(int ranks, const std::vector<std::string>& arguments,
                            std::vector<std::pair<std::string, std::string>> environment = {}) const {
    environment.emplace_back("OMPI_MCA_orte_abort_on_non_zero_status", "0");   // Open MPI 4
    environment.emplace_back("PRTE_MCA_state_base_error_non_zero_exit", "0");  // Open MPI 5
    return Mpi(ranks, arguments, std::move(environment));
  }

  /// Both commands, and the same bytes from both.
  void ExpectSame(int ranks, const std::vector<std::string>& arguments,
                  const std::vector<std::string>& of_supremum) const {
    const std::string output = "mpi.npy", right = "right.npy";
    std::string line = std::to_string(ranks) + " ranks:";
    for (const std::string& argument : arguments) line += " " + argument;
    const ProcessResult one = Supremum(With(of_supremum, {"-o", right}));
    ASSERT_EQ(one.status, 0) << one.err;
    const ProcessResult many = Mpi(ranks, With(arguments, {"-o", output}));
    ASSERT_EQ(many.status, 0) << line << "\n" << many.err;
    EXPECT_EQ(ReadText(File(output)), ReadText(File(right))) << line;
    std::filesystem::remove(File(output));
  }

  /// Random special values.
  Tensor Special(DType dtype, const Shape& shape, std::uint64_t seed) const {
    Rng rng(seed);
    const std::vector<std::uint64_t> special = SpecialBits(dtype);
    Tensor tensor = Tensor::Create(dtype, shape).value();
    const std::size_t width = ByteWidth(dtype);
    for (std::size_t at = 0; at < tensor.byte_size(); at += width) {
      // One NaN would settle a whole reduction: most elements are numbers of any size.
      std::uint64_t bits = rng() % 8 == 0 ? RandomBits(rng, dtype, special) : rng() >> 2;
      if (dtype == DType::kBool) bits = rng() % 5 == 0 ? 1 : 0;
      std::memcpy(tensor.bytes().data() + at, &bits, width);
    }
    return tensor;
  }

  void Write(const std::string& name, const Tensor& tensor) const {
    io::WriteTensor(File(name), io::FormatOfPath(name).value(), "t", tensor).value();
  }

  /// The rows of a tensor in a file for each rank, of sizes that differ.
  void WriteRows(const std::string& stem, const Tensor& whole, int ranks) const {
    const std::int64_t rows = whole.shape()[0];
    const std::size_t row = rows == 0 ? 0 : whole.byte_size() / static_cast<std::size_t>(rows);
    std::int64_t begin = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      // One row, none, two rows, none, ...: and the rest.
      std::int64_t count = rank % 2 == 1 ? 0 : 1 + rank / 2;
      count = rank == ranks - 1 ? rows - begin : std::min(count, rows - begin);
      Shape shape = whole.shape();
      shape[0] = count;
      Tensor part = Tensor::Create(whole.dtype(), shape).value();
      std::ranges::copy(whole.bytes().subspan(static_cast<std::size_t>(begin) * row, part.byte_size()),
                        part.bytes().begin());
      Write(stem + std::to_string(rank) + ".npy", part);
      begin += count;
    }
  }

  /// Every rank ended with that status; one line says what is wrong, with these parts; no file was left or
  /// changed.
  void ExpectErrorOnAllRanks(int ranks, const ProcessResult& result, int status,
                             const std::vector<std::string>& parts) const {
    for (int rank = 0; rank < ranks; ++rank) {
      EXPECT_EQ(ReadText(File("status." + std::to_string(rank))), std::to_string(status) + "\n")
          << "rank " << rank << ": " << result.err;
    }
    EXPECT_EQ(result.out, "");
    std::size_t lines = 0;
    for (std::size_t at = 0; (at = result.err.find("supremum-mpi: ", at)) != std::string::npos; ++at) ++lines;
    EXPECT_EQ(lines, 1u) << result.err;
    for (const std::string& part : parts) EXPECT_THAT(result.err, ::testing::HasSubstr(part));
    ExpectNothingWritten();
  }

  void ExpectNothingWritten() const {
    for (const auto& entry : std::filesystem::directory_iterator(File("."))) {
      EXPECT_FALSE(entry.path().filename().string().starts_with(".supremum")) << entry.path() << " was left";
    }
    EXPECT_FALSE(Exists("new.npy"));
    if (Exists("old.npy")) {
      EXPECT_EQ(ReadText(File("old.npy")), "as it was");
    }
  }
};

class MpiCommandOn : public MpiCommand, public testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(Ranks, MpiCommandOn, testing::ValuesIn(kRanks), testing::PrintToStringParamName());

class MpiCommandOf : public MpiCommand, public testing::WithParamInterface<DType> {};
INSTANTIATE_TEST_SUITE_P(AllTypes, MpiCommandOf, testing::ValuesIn(kAllDTypes),
                         [](const auto& param) { return std::string(Name(param.param)); });

// Rules: MAX-2, BRO-1, BRO-2, BRO-5, ORD-5
TEST_P(MpiCommandOn, MaxOfSharedFilesIsThatOfOneProcess) {
  Write("a.npy", Special(DType::kFloat32, {13, 5, 7}, 1));
  Write("b.npy", Special(DType::kFloat32, {5, 1}, 2));
  Write("s.npy", Special(DType::kFloat32, {}, 3));
  Write("t.npy", Special(DType::kFloat32, {}, 4));
  Write("e.npy", Special(DType::kFloat32, {0, 7}, 5));
  Write("f.npy", Special(DType::kFloat32, {1, 7}, 6));
  ExpectSame(GetParam(), {"max", "a.npy", "b.npy"}, {"max", "a.npy", "b.npy"});
  ExpectSame(GetParam(), {"max", "b.npy", "a.npy", "s.npy", "--split", "-1", "--message-bytes", "5"},
             {"max", "b.npy", "a.npy", "s.npy"});
  ExpectSame(GetParam(), {"max", "a.npy", "b.npy", "--split", "1", "--message-bytes", "100"},
             {"max", "a.npy", "b.npy"});
  ExpectSame(GetParam(), {"max", "s.npy", "t.npy"}, {"max", "s.npy", "t.npy"});
  ExpectSame(GetParam(), {"max", "e.npy", "f.npy"}, {"max", "e.npy", "f.npy"});
}

// Rules: RED-1, RED-2, RED-3, RED-5, RED-6, ORD-5
TEST_P(MpiCommandOn, ReduceMaxOfASharedFileIsThatOfOneProcess) {
  Write("a.npy", Special(DType::kFloat16, {13, 5, 7}, 1));
  Write("s.npy", Special(DType::kFloat16, {}, 3));
  Write("e.npy", Special(DType::kFloat16, {0, 7}, 5));
  const auto same = [&](const std::vector<std::string>& both, const std::vector<std::string>& of_mpi = {}) {
    const std::vector<std::string> reduce = With({"reduce-max"}, both);
    ExpectSame(GetParam(), With(reduce, of_mpi), reduce);
  };
  same({"a.npy"});
  same({"a.npy", "--axes", "0", "--keepdims"}, {"--message-bytes", "9"});
  same({"a.npy", "--axes", "1,-1"});
  same({"a.npy", "--axes", "1", "--keepdims"}, {"--split", "1"});
  same({"a.npy", "--axes", "0"}, {"--split", "2", "--message-bytes", "20"});
  same({"a.npy", "--axes", "", "--noop-with-empty-axes"}, {"--split", "-2"});
  same({"s.npy"});
  same({"e.npy", "--axes", "0"});
}

// Rules: MAX-2, RED-1, RED-6, ORD-5
TEST_P(MpiCommandOn, FilesOfEachRankAreInputsOrSlabs) {
  const Tensor a = Special(DType::kInt16, {11, 6}, 1), b = Special(DType::kInt16, {11, 1}, 2);
  Write("a.npy", a);
  Write("b.npy", b);
  Write("c.npy", Special(DType::kInt16, {6}, 3));
  WriteRows("a", a, GetParam());
  WriteRows("b", b, GetParam());
  std::vector<std::string> all = {"max"};
  for (int rank = 0; rank < GetParam(); ++rank) {
    const std::string name = "x" + std::to_string(rank) + ".npy";
    Write(name, Special(DType::kInt16, rank % 2 == 0 ? Shape{4, 1} : Shape{1, 6},
                        static_cast<std::uint64_t>(rank) + 10));
    all.push_back(name);
  }
  all.push_back("c.npy");
  ExpectSame(GetParam(), {"max", "x{rank}.npy", "c.npy"}, all);
  ExpectSame(GetParam(), {"max", "a{rank}.npy", "c.npy", "b{rank}.npy", "--split", "0"},
             {"max", "a.npy", "c.npy", "b.npy"});
  ExpectSame(GetParam(), {"max", "a{rank}.npy", "b.npy", "--split", "-2"}, {"max", "a.npy", "b.npy"});
  ExpectSame(GetParam(), {"reduce-max", "a{rank}.npy", "--axes", "0"},
             {"reduce-max", "a.npy", "--axes", "0"});
  ExpectSame(GetParam(), {"reduce-max", "a{rank}.npy", "--axes", "1", "--split", "0"},
             {"reduce-max", "a.npy", "--axes", "1"});
}

// Rules: ORD-1, ORD-2, ORD-3, ORD-4, ORD-5, TYP-1
TEST_P(MpiCommandOf, EveryTypeKeepsItsBitsOverFourRanks) {
  const std::string type(Name(GetParam()));
  const Tensor whole = Special(GetParam(), {9, 12}, 7);
  Write("a.npy", whole);
  WriteRows("a", whole, 4);
  const auto with = [&](const std::vector<std::string>& arguments) {
    return With(arguments, {"--dtype", type});
  };
  ExpectSame(4, with({"reduce-max", "a.npy", "--axes", "0"}), with({"reduce-max", "a.npy", "--axes", "0"}));
  ExpectSame(4, with({"reduce-max", "a.npy", "--axes", "0", "--split", "1"}),
             with({"reduce-max", "a.npy", "--axes", "0"}));
  ExpectSame(4, with({"reduce-max", "a{rank}.npy"}), with({"reduce-max", "a.npy"}));
  if (GetParam() == DType::kBool) return;  // no version of Max has it
  std::vector<std::string> all = {"max"};
  for (int rank = 0; rank < 4; ++rank) {
    all.push_back("x" + std::to_string(rank) + ".npy");
    Write(all.back(), Special(GetParam(), {50}, static_cast<std::uint64_t>(rank)));
  }
  ExpectSame(4, with({"max", "x{rank}.npy"}), with(all));
}

// Big-endian, column-major and raw files, whose elements are at other offsets.
TEST_F(MpiCommand, OtherLayoutsOfFilesAreRead) {
  const Tensor a = Special(DType::kInt32, {6, 8}, 1);
  Write("a.npy", a);
  Tensor turned = Tensor::Create(DType::kInt32, a.shape()).value();
  for (std::int64_t i = 0; i < 6; ++i) {
    for (std::int64_t j = 0; j < 8; ++j) {
      std::uint32_t element = 0;
      std::memcpy(&element, a.bytes().data() + (i * 8 + j) * 4, 4);
      element = __builtin_bswap32(element);
      std::memcpy(turned.bytes().data() + (j * 6 + i) * 4, &element, 4);
    }
  }
  std::string header = "{'descr': '>i4', 'fortran_order': True, 'shape': (6, 8), }";
  header.resize(117, ' ');
  const std::string elements(reinterpret_cast<const char*>(turned.data()), turned.byte_size());
  WriteText(File("f.npy"), Npy(header + "\n", elements));
  WriteText(File("a.bin"), std::string(reinterpret_cast<const char*>(a.data()), a.byte_size()));
  for (const std::string split : {"0", "1"}) {
    for (const std::string input : {"f.npy", "x:int32:6x8:a.bin"}) {
      ExpectSame(3, {"reduce-max", input, "--axes", "0", "--split", split, "--message-bytes", "16"},
                 {"reduce-max", "a.npy", "--axes", "0"});
    }
  }
  ASSERT_EQ(Mpi(3, {"max", "f.npy", "x:int32:6x8:a.bin", "-o", "y.bin"}).status, 0);
  EXPECT_EQ(ReadText(File("y.bin")), ReadText(File("a.bin")));
}

TEST_F(MpiCommand, ReportsOnceAndInJson) {
  Write("a.npy", Special(DType::kInt32, {6, 8}, 1));
  const ProcessResult text = Mpi(3, {"reduce-max", "a.npy", "--axes", "0", "-o", "y.npy"});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_EQ(text.out.find("y.npy  int32 [8]  3 ranks, split along dimension 0, joined over ranks"), 0u)
      << text.out;
  EXPECT_EQ(std::ranges::count(text.out, '\n'), 1);
  const ProcessResult json = Mpi(2, {"max", "a.npy", "-o", "y.npy", "--json", "-"});
  EXPECT_EQ(json.status, 0) << json.err;
  for (const char* part :
       {"\"verb\": \"max\"", "\"ranks\": 2", "\"dtype\": \"int32\"", "\"file\": \"y.npy\""}) {
    EXPECT_THAT(json.out, ::testing::HasSubstr(part));
  }
  const ProcessResult help = Mpi(2, {"max", "--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.out, ::testing::HasSubstr("mpirun -n 4 supremum-mpi max 'x{rank}.npy' -o y.npy"));
  EXPECT_EQ(help.out.find("Examples:"), help.out.rfind("Examples:"));
}

// Rules: E1, RED-2, TYP-2, PRO-6
TEST_F(MpiCommand, TheStatusOfMpirunIsThatOfTheRanks) {
  Write("a.npy", Special(DType::kFloat32, {6, 8}, 1));
  const ProcessResult result = Mpi(3, {"max", "a.npy", "none.npy", "-o", "new.npy"});
  EXPECT_EQ(result.status, 4) << result.err;
  ExpectErrorOnAllRanks(3, result, 4, {"'none.npy' cannot be opened"});
}

TEST_F(MpiCommand, WhatIsWrongIsAnErrorOnEveryRankAndNothingIsWritten) {
  Write("a.npy", Special(DType::kFloat32, {6, 8}, 1));
  Write("b.npy", Special(DType::kFloat32, {6, 7}, 1));
  Write("i.npy", Special(DType::kInt32, {6, 8}, 1));
  WriteText(File("old.npy"), "as it was");
  const std::string whole = ReadText(File("a.npy"));
  WriteText(File("short.npy"), whole.substr(0, whole.size() - 1));
  for (int rank = 0; rank < 3; ++rank) {
    const std::string number = std::to_string(rank);
    WriteText(File("x" + number + ".npy"), rank == 2 ? whole.substr(0, 100) : whole);
    Write("w" + number + ".npy", Special(DType::kFloat32, rank == 1 ? Shape{2, 5} : Shape{2, 4}, 1));
    Write("t" + number + ".npy", Special(rank == 1 ? DType::kInt32 : DType::kFloat32, {2, 4}, 1));
    Write("u" + number + ".npy", Special(DType::kFloat32, {rank + 1, 8}, 1));
    Write("v" + number + ".npy", Special(DType::kFloat32, {3 - rank, 8}, 1));
  }
  int runs = 0;
  const auto fails = [&](std::vector<std::string> arguments, int status,
                         const std::vector<std::string>& parts) {
    // In turns over a file that is there, and where none is.
    arguments.insert(arguments.end(), {"-o", ++runs % 2 == 0 ? "old.npy" : "new.npy"});
    ExpectErrorOnAllRanks(3, MpiToTheEnd(3, arguments), status, parts);
  };
  fails({"max", "a.npy", "none.npy"}, 4, {"'none.npy' cannot be opened"});
  fails({"max", "a.npy", "short.npy"}, 3, {"malformed file: 'short.npy'"});
  fails({"reduce-max", "short.npy"}, 3, {"malformed file: 'short.npy'"});
  fails({"max", "x{rank}.npy"}, 3, {"rank 2: 'x2.npy'"});
  fails({"reduce-max", "x{rank}.npy"}, 3, {"rank 2: 'x2.npy'"});
  fails({"max", "y{rank}.npy"}, 4, {"'y0.npy' cannot be opened"});
  fails({"max", "a.npy", "b.npy"}, 3, {"E1", "'a.npy'", "'b.npy'"});
  fails({"max", "w{rank}.npy"}, 3, {"E1", "'rank 0'", "'rank 1'"});
  fails({"max", "a.npy", "i.npy"}, 3, {"type mismatch"});
  fails({"max", "t{rank}.npy"}, 3, {"type mismatch"});
  fails({"max", "u{rank}.npy", "v{rank}.npy", "--split", "0"}, 2,
        {"'v0.npy'", "split all inputs at the same positions"});
  fails({"max", "a.npy", "u0.npy", "--no-broadcast"}, 3, {"broadcasting refused"});
  fails({"max", "a.npy", "--split", "2"}, 3, {"--split 2 is outside [-2, 1]"});
  fails({"reduce-max", "w{rank}.npy"}, 2, {"rank 1: ", "[*,5]", "[*,4]"});
  fails({"reduce-max", "t{rank}.npy"}, 3, {"rank 1: ", "int32"});
  fails({"reduce-max", "a.npy", "--axes", "0,-2"}, 3, {"wrong axis"});
  fails({"reduce-max", "a.npy", "--split", "x"}, 2, {"'x' is not a whole number"});
  fails({"reduce-max", "a.npy", "--max-bytes", "10"}, 3, {"limit exceeded"});
  fails({"reduce-max", "a.npy", "--dtype", "int32"}, 3, {"type mismatch"});
  fails({"max", "a.npy", "--dtype", "c.npy=int32"}, 2, {"--dtype names 'c.npy'"});
  ExpectErrorOnAllRanks(3, MpiToTheEnd(3, {"max", "a.npy", "-o", "new.pb"}), 2,
                        {"'new.pb' cannot be written in parts"});
  std::filesystem::create_symlink("/dev/null", File("null.npy"));
  ExpectErrorOnAllRanks(3, MpiToTheEnd(3, {"max", "a.npy", "-o", "null.npy"}), 2,
                        {"'null.npy' is a pipe or a device"});
  ExpectErrorOnAllRanks(3, MpiToTheEnd(3, {"max", "a.npy", "-o", "none/new.npy"}), 4,
                        {"'none/new.npy' cannot be created"});
}

// What is wrong with a report is found before the work, and the output is as it was.
TEST_F(MpiCommand, AReportThatCannotBeWrittenLeavesTheOutputAsItWas) {
  Write("a.npy", Special(DType::kFloat32, {6, 8}, 1));
  WriteText(File("old.npy"), "as it was");
  const std::string input = ReadText(File("a.npy"));
  for (const std::string output : {"new.npy", "old.npy"}) {
    const std::vector<std::string> max = {"max", "a.npy", "-o", output, "--json"};
    const auto with = [&](const std::string& json) {
      std::vector<std::string> arguments = max;
      arguments.push_back(json);
      return MpiToTheEnd(3, arguments);
    };
    ExpectErrorOnAllRanks(3, with("none/r.json"), 4, {"'none/r.json' cannot be created"});
    ExpectErrorOnAllRanks(3, with("./" + output), 2, {"this file is also --output " + output});
    ExpectErrorOnAllRanks(3, with("./a.npy"), 2, {"this file is the input 'a.npy'"});
  }
  EXPECT_EQ(ReadText(File("a.npy")), input);
}

TEST_F(MpiCommand, ABoolThatIsNeitherIsNamedByItsByte) {
  Tensor bools = Tensor::Create(DType::kBool, Shape{4, 6}).value();
  std::ranges::fill(bools.bytes(), std::byte{0});
  bools.bytes()[2 * 6 + 4] = std::byte{2};
  Write("a.npy", bools);
  for (const std::string split : {"0", "1"}) {
    const ProcessResult result = MpiToTheEnd(2, {"reduce-max", "a.npy", "--split", split, "-o", "new.npy"});
    ExpectErrorOnAllRanks(
        2, result, 3, {"rank 1: 'a.npy': byte " + std::to_string(128 + 2 * 6 + 4) + ": 2 is outside bool"});
  }
}

struct Fault {
  std::string call;
  int rank;
  int turn;
};

// Where MPI itself says no on one rank, all have the error.
TEST_F(MpiCommand, AnErrorOfFilesOnOneRankIsAnErrorOnEveryRank) {
  Write("a.npy", Special(DType::kFloat32, {6, 8}, 1));
  const std::map<std::string, std::vector<std::string>> says = {
      {"MPI_File_open", {"rank 2: 'a.npy' cannot be opened", "MPI reports"}},
      {"MPI_File_read_at", {"rank 2: 'a.npy': the file ended while it was read"}},
      {"MPI_File_write_at", {"rank 2: 'new.npy' cannot be written", "MPI reports"}},
      {"MPI_File_sync", {"rank 2: 'new.npy' cannot be written to disk"}}};
  for (const auto& [call, parts] : says) {
    const ProcessResult result = MpiToTheEnd(4, {"max", "a.npy", "-o", "new.npy"},
                                             {{"LD_PRELOAD", SUPREMUM_MPI_FAULT},
                                              {"FAULT_CALL", call},
                                              {"FAULT_RANK", "2"},
                                              {"FAULT_TURN", "1"},
                                              {"FAULT_KIND", "fail"}});
    ExpectErrorOnAllRanks(4, result, call == "MPI_File_read_at" ? 3 : 4, parts);
  }
  const ProcessResult together =
      MpiToTheEnd(4, {"max", "a.npy", "--split", "1", "--message-bytes", "4", "-o", "new.npy"},
                  {{"LD_PRELOAD", SUPREMUM_MPI_FAULT},
                   {"FAULT_CALL", "MPI_File_write_at_all"},
                   {"FAULT_RANK", "1"},
                   {"FAULT_TURN", "2"},
                   {"FAULT_KIND", "fail"}});
  ExpectErrorOnAllRanks(4, together, 4, {"rank 1: 'new.npy' cannot be written"});
}

// On one rank's reading, whichever it is: rank 0 looks at the file for all.
TEST_F(MpiCommand, ASharedFileThatIsChangedWhileItIsReadIsAnError) {
  for (const std::string rank : {"0", "2"}) {
    Write("a.npy", Special(DType::kFloat32, {6, 8}, 1));
    WaitForClock(File("a.npy"));
    for (const std::string verb : {"max", "reduce-max"}) {
      const ProcessResult result = MpiToTheEnd(4, {verb, "a.npy", "-o", "new.npy"},
                                               {{"LD_PRELOAD", SUPREMUM_MPI_FAULT},
                                                {"FAULT_CALL", "MPI_File_read_at"},
                                                {"FAULT_RANK", rank},
                                                {"FAULT_TURN", "1"},
                                                {"FAULT_KIND", "change"},
                                                {"FAULT_FILE", File("a.npy")}});
      ExpectErrorOnAllRanks(4, result, 4, {"'a.npy' was changed while it was read"});
      ExpectNothingWritten();
    }
  }
}

// A rank that is killed takes the others with it: mpirun ends them, each says so, and nothing is left.
TEST_F(MpiCommand, ARankThatDiesEndsAllAndLeavesNothing) {
  WriteText(File("old.npy"), "as it was");
  Write("a.npy", Special(DType::kFloat32, {6, 8}, 1));
  const std::vector<Fault> faults = {{"MPI_Reduce_scatter", 1, 1},
                                     {"MPI_File_open", 2, 2},
                                     {"MPI_File_write_at", 0, 1},
                                     {"MPI_File_write_at", 3, 1},
                                     {"MPI_File_sync", 1, 1}};
  for (const Fault& fault : faults) {
    for (const std::string output : {"old.npy", "new.npy"}) {
      const ProcessResult result = Mpi(4, {"reduce-max", "a.npy", "--axes", "0", "-o", output},
                                       {{"LD_PRELOAD", SUPREMUM_MPI_FAULT},
                                        {"FAULT_CALL", fault.call},
                                        {"FAULT_RANK", std::to_string(fault.rank)},
                                        {"FAULT_TURN", std::to_string(fault.turn)},
                                        {"FAULT_KIND", "die"}});
      EXPECT_NE(result.status, 0) << fault.call;
      EXPECT_EQ(result.out, "");
      for (int rank = 0; rank < 4; ++rank) {
        // Killed, or ended by the signal that mpirun sends. Open MPI 5 kills the ranks' shells a moment
        // later, which may not have written a status then.
        const std::string status = rank == fault.rank ? "137\n" : "143\n";
        EXPECT_THAT(ReadText(File("status." + std::to_string(rank))), ::testing::AnyOf(status, ""))
            << fault.call << " rank " << rank;
      }
      EXPECT_THAT(result.err,
                  ::testing::HasSubstr("ended by a signal, which mpirun also sends if another rank fails"));
      ExpectNothingWritten();
    }
  }
}

}  // namespace
}  // namespace supremum::test
