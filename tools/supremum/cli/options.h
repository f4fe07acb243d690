// Options that several verbs have.
#ifndef SUPREMUM_TOOLS_CLI_OPTIONS_H_
#define SUPREMUM_TOOLS_CLI_OPTIONS_H_

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

/// The type stated for an input that has any of `names`: the last one given. A type with a name takes
/// precedence over one without.
std::optional<DType> StatedFor(const std::vector<StatedDType>& stated,
                               std::initializer_list<std::string_view> names);

/// Errors: kInvalidArgument unless every name for which a type is stated is one of `known`, because such a
/// type would have no effect: "--dtype names 'c.npy', WHAT".
Result<void> CheckStated(const std::vector<StatedDType>& stated, const std::set<std::string>& known,
                         std::string_view what);

/// The rules that `check` and `run` apply.
struct Strictness {
  std::string profile = "onnx";
  bool no_broadcast = false;

  Profile AsProfile() const { return profile == "sonnx" ? Profile::kSonnx : Profile::kOnnx; }
};

/// Adds a verb to the command; `footer` ends its help.
CLI::App* AddVerb(CLI::App& app, const std::string& name, const std::string& description,
                  const std::string& footer);

/// The names by which an option may refer to an input file.
struct InputNames {
  std::string position;  ///< "0" for the first
  std::string path;      ///< as it was given
  std::string file;      ///< without its folder
};
InputNames NamesOfInput(const std::vector<std::string>& inputs, std::size_t position);

/// The type stated for the input file at `position`, under any of its names.
std::optional<DType> StatedFor(const std::vector<StatedDType>& stated, const std::vector<std::string>& inputs,
                               std::size_t position);

/// Errors: kInvalidArgument unless every name for which a type is stated is one of an input file.
Result<void> CheckStated(const std::vector<StatedDType>& stated, const std::vector<std::string>& inputs);

// Each of the following adds one option or argument to a verb. `value` must live until the verb has run;
// `shown` is its placeholder in the help. An invalid value is an error of the command line.

/// One required argument without a name.
void AddPositional(CLI::App& verb, const std::string& shown, std::string* value, const std::string& help);

/// One or more required arguments without a name.
void AddPositionals(CLI::App& verb, const std::string& shown, std::vector<std::string>* value,
                    const std::string& help);

void AddText(CLI::App& verb, const std::string& option, const std::string& shown, std::string* value,
             const std::string& help);
void AddRequiredText(CLI::App& verb, const std::string& option, const std::string& shown, std::string* value,
                     const std::string& help);

/// One of `choices`.
void AddChoice(CLI::App& verb, const std::string& option, const std::vector<std::string>& choices,
               std::string* value, const std::string& help);

/// A flag.
void AddFlag(CLI::App& verb, const std::string& option, bool* value, const std::string& help);

/// An option that may be given more than once, with one value each time.
void AddRepeated(CLI::App& verb, const std::string& option, const std::string& shown,
                 std::vector<std::string>* value, const std::string& help);

/// Whether external data of a model may be read, and the folder that symbolic links to it may not leave.
struct ExternalDataOptions {
  bool allow = false;
  std::string root;  ///< empty: no symbolic links

  bool allowed() const { return allow || !root.empty(); }
};

// The options that several verbs have.
void AddProfile(CLI::App& verb, Strictness* value);
void AddNoBroadcast(CLI::App& verb, bool* value);
void AddJson(CLI::App& verb, std::string* value);
void AddExternalData(CLI::App& verb, ExternalDataOptions* value);

/// For verbs that read untrusted files, which determine the memory needed: the default is that of
/// MaxBytesFor.
void AddMaxBytes(CLI::App& verb, std::optional<std::int64_t>* value);

/// For verbs whose command line determines the memory needed.
void AddMaxBytes(CLI::App& verb, std::int64_t* value);

/// A flag: compute the SHA-256 of tensors.
void AddSha256(CLI::App& verb, bool* value);

/// A number of bytes: 64MiB, 2GB, 1000000.
void AddMemory(CLI::App& verb, std::optional<std::int64_t>* value);

/// The value of --max-bytes. Default: 64 MiB, or 64 times the disk space of `files`, if that is more, so that
/// no small file can request much memory; holes of sparse files do not count. Each of `files` is a name as an
/// option or argument takes it, including NAME=FILE and NAME:DTYPE:SHAPE:FILE; a name without a file does not
/// count.
std::int64_t MaxBytesFor(const std::optional<std::int64_t>& stated, const std::vector<std::string>& files);

/// The `files` of MaxBytesFor for a model: the model, and if external data is allowed, the other files in its
/// folder.
std::vector<std::string> FilesOfModel(const std::string& model, const ExternalDataOptions& external);

/// The largest number of threads; 0, the default, means all cores.
void AddThreads(CLI::App& verb, std::size_t* value);

/// A whole number, 0 or more; the help shows the initial `value` as the default.
void AddNumber(CLI::App& verb, const std::string& option, const std::string& shown, std::uint64_t* value,
               const std::string& help);

void AddSeed(CLI::App& verb, std::optional<std::uint64_t>* value);
void AddDims(CLI::App& verb, std::map<std::string, std::int64_t>* value);

/// Whole numbers separated by commas; an empty text is an empty list.
void AddAxes(CLI::App& verb, std::optional<std::vector<std::int64_t>>* value);

/// `name` is the help's word for the name of an input; "" if there is only one input.
void AddDTypes(CLI::App& verb, const std::string& name, std::vector<StatedDType>* value);

/// Rewrites `arguments` for CLI11, which would split a file's name in brackets at commas, and would take the
/// next argument as the value of an option with an empty value, as in --axes=.
std::vector<std::string> AsCli11Reads(std::vector<std::string> arguments);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_OPTIONS_H_
