// What several verbs ask for on the command line, once.
#ifndef SUPREMUM_TOOLS_OPTIONS_H_
#define SUPREMUM_TOOLS_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "supremum/dtype.h"
#include "supremum/opset.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace CLI {
class App;
}

namespace supremum::cli {

/// `--dtype [NAME=]TYPE`: the type of an input whose file does not state it.
struct StatedDType {
  std::string name;  ///< "": every input
  DType dtype = DType::kFloat32;
};

/// The type stated for the input that goes by any of `names`, the last that was given. A name goes before
/// none.
std::optional<DType> StatedFor(const std::vector<StatedDType>& stated,
                               std::initializer_list<std::string_view> names);

/// A type stated for nothing would be silently without effect: kInvalidArgument unless every name that a type
/// is stated for is one of `known`: "--dtype names 'c.npy', WHAT".
Result<void> CheckStated(const std::vector<StatedDType>& stated, const std::set<std::string>& known,
                         std::string_view what);

/// What `check` and `run` are told about the rules.
struct Strictness {
  std::string profile = "onnx";
  bool no_broadcast = false;

  Profile AsProfile() const { return profile == "sonnx" ? Profile::kSonnx : Profile::kOnnx; }
};

/// Adds a verb to the command; `footer` ends its help.
CLI::App* AddVerb(CLI::App& app, const std::string& name, const std::string& description,
                  const std::string& footer);

// Each of the following adds one option or argument to a verb. `value` must live until the verb has run;
// `shown` is what the help calls it. A value that cannot be understood is an error of the command line.

/// One required argument without a name.
void AddPositional(CLI::App& verb, const std::string& shown, std::string* value, const std::string& help);

/// One or more of them.
void AddPositionals(CLI::App& verb, const std::string& shown, std::vector<std::string>* value,
                    const std::string& help);

void AddText(CLI::App& verb, const std::string& option, const std::string& shown, std::string* value,
             const std::string& help);
void AddRequiredText(CLI::App& verb, const std::string& option, const std::string& shown, std::string* value,
                     const std::string& help);

/// One of `choices`.
void AddChoice(CLI::App& verb, const std::string& option, const std::vector<std::string>& choices,
               std::string* value, const std::string& help);

/// Given or not.
void AddFlag(CLI::App& verb, const std::string& option, bool* value, const std::string& help);

/// May be given more than once, one value each time.
void AddRepeated(CLI::App& verb, const std::string& option, const std::string& shown,
                 std::vector<std::string>* value, const std::string& help);

// The options that several verbs have.
void AddProfile(CLI::App& verb, Strictness* value);
void AddNoBroadcast(CLI::App& verb, bool* value);
void AddJson(CLI::App& verb, std::string* value);
void AddExternalData(CLI::App& verb, bool* value);

/// Where files of others say how much memory is needed: what is not stated is for MaxBytesFor to decide.
void AddMaxBytes(CLI::App& verb, std::optional<std::int64_t>* value);

/// Where the command line itself says it.
void AddMaxBytes(CLI::App& verb, std::int64_t* value);

/// A number of bytes: 64MiB, 2GB, 1000000.
void AddMemory(CLI::App& verb, std::optional<std::int64_t>* value);

/// What --max-bytes says. If it says nothing, 64 MiB, or 64 times what `files` take on their disks, if that
/// is more: small files need not take much, however they are made, and the holes of a sparse file count
/// nothing. Each of `files` is a name as an option or argument takes it, NAME=FILE and NAME:DTYPE:SHAPE:FILE
/// included; what is no file counts nothing.
std::int64_t MaxBytesFor(const std::optional<std::int64_t>& stated, const std::vector<std::string>& files);

/// The model, and if external data is allowed, the files beside it: what `files` of MaxBytesFor has for a
/// model.
std::vector<std::string> FilesOfModel(const std::string& model, bool allow_external_data);

/// How many threads may compute: 0, which is also what it means to leave it out, for all cores.
void AddThreads(CLI::App& verb, std::size_t* value);

/// A whole number from 0 on; the help says `value`'s default.
void AddNumber(CLI::App& verb, const std::string& option, const std::string& shown, std::uint64_t* value,
               const std::string& help);

void AddSeed(CLI::App& verb, std::optional<std::uint64_t>* value);
void AddDims(CLI::App& verb, std::map<std::string, std::int64_t>* value);

/// Whole numbers with commas between them; none at all if the text is empty.
void AddAxes(CLI::App& verb, std::optional<std::vector<std::int64_t>>* value);

/// `name` is what the help calls the name that an input goes by; "" if there is but one input.
void AddDTypes(CLI::App& verb, const std::string& name, std::vector<StatedDType>* value);

/// `arguments` as CLI11 must be given them to take them as they are meant: a file's name in brackets would be
/// split at commas, and an option with an empty value, as in --axes=, would be given the next argument.
std::vector<std::string> AsCli11Reads(std::vector<std::string> arguments);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_OPTIONS_H_
