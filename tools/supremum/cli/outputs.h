// The output files of a run: checked before the work, and named when all of them are complete.
#ifndef SUPREMUM_TOOLS_CLI_OUTPUTS_H_
#define SUPREMUM_TOOLS_CLI_OUTPUTS_H_

#include <sys/types.h>

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/exit_status.h"
#include "cli/options.h"
#include "io/files/atomic_file.h"
#include "supremum/result.h"

namespace supremum::cli {

/// The exit status and the files are consistent: after an error before the first output gets its name, every
/// file is unchanged. Exceptions: what was written to a pipe, to a device or into a new folder remains.
///
///   Outputs outputs;
///   outputs.Reads("a.npy");
///   if (auto claimed = outputs.Claim("--output", "y.npy", Outputs::Kind::kTensor); !claimed) ...
///   if (auto claimed = outputs.ClaimJson("r.json"); !claimed) ...
///   // the work
///   outputs.Add(*io::StageTensor(...));
///   return outputs.Deliver(std::move(json), text);
class Outputs {
 public:
  enum class Kind {
    kTensor,  ///< may replace a tensor that the run reads
    kReport,  ///< must not replace a file that the run reads
  };

  /// A tensor that the run reads, in the form of an option or an argument, including NAME=FILE and
  /// NAME:DTYPE:SHAPE:FILE.
  void Reads(const std::string& spec);
  void Reads(const std::vector<std::string>& specs);

  /// A model or a graph that the run reads, and its external data if that is allowed.
  void ReadsModel(const std::string& path, const ExternalDataOptions& external = {});

  /// Checks an output before the work. `option` is its name in errors: "--output".
  ///
  /// Errors: kInvalidArgument if it is another output, standard output, or, for a report, a file that the run
  ///   reads, under any name; kIo if it cannot be created.
  Result<void> Claim(const std::string& option, const std::string& path, Kind kind);

  /// The same for the value of --json, a file, "-" or "", and opens the file for Deliver. It also refuses a
  /// standard output that is a file which the run reads.
  Result<void> ClaimJson(const std::string& path);

  /// Creates a folder for outputs, and its missing parents. Errors: kIo.
  Result<void> MakeFolder(const std::string& path);

  /// Creates a folder that the verb fills, and its missing parents. No output that is claimed later may be
  /// inside it. `option` is its name in errors.
  ///
  /// Errors: kInvalidArgument if the name is in use, except by an empty folder; kIo.
  Result<void> MakeNewFolder(const std::string& option, const std::string& path);

  /// Writes a claimed output. Errors: those of AtomicFile::Create and Write.
  Result<void> Write(const std::string& path, std::string_view content);

  /// Adds a written output.
  void Add(io::AtomicFile file) { files_.push_back(std::move(file)); }

  /// The last step of a verb, which returns `status`. Completes all outputs, writes the JSON (--json "":
  /// nowhere; "-": to standard output in place of `text`) and `text` to standard output, and then gives the
  /// outputs their names.
  ///
  /// The JSON is never destroyed: its destructor allocates, and would end the program if memory is short,
  /// with an error although the outputs have their names.
  ///
  /// Errors: kIo; without a message if the reader of standard output has closed it and there is no other
  /// output.
  Result<ExitStatus> Deliver(nlohmann::ordered_json&& json, std::string_view text,
                             ExitStatus status = ExitStatus::kSuccess);

 private:
  /// The place of a file: its inode, or, if it does not exist, its folder's inode and its name.
  struct Place {
    dev_t device = 0;
    ino_t inode = 0;
    std::string name;

    friend bool operator==(const Place&, const Place&) = default;
  };
  struct Known {
    std::string shown;
    Place place;
    bool is_tensor = false;
  };

  static std::optional<Place> PlaceOf(const std::string& path);
  static std::optional<Place> PlaceOfStandardOutput();
  Result<void> Examine(const std::string& option, const std::string& path, Kind kind);
  Result<void> CheckFree(const std::string& shown, const Place& place, Kind kind) const;
  Result<void> CheckNoExternalData(const std::string& shown, const std::string& path) const;
  Result<void> CompleteJson(const std::string& document);
  Result<void> CompleteAndName(const std::string& document, std::string_view text);

  std::vector<Known> inputs_, outputs_;
  std::vector<Known> folders_;  // by the canonical path in `place.name`
  std::vector<std::pair<std::string, std::string>>
      external_models_;  // whose data is read, and the root of links
  std::vector<io::AtomicFile> files_;
  std::string json_path_;
  std::optional<io::AtomicFile> json_;  // empty without a file, or for a pipe, which is opened last
};

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_OUTPUTS_H_
