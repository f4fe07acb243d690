// The files that a run makes: examined before the work, and named when all of them are complete.
#ifndef SUPREMUM_TOOLS_OUTPUTS_H_
#define SUPREMUM_TOOLS_OUTPUTS_H_

#include <sys/types.h>

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/atomic_file.h"
#include "made_folders.h"
#include "supremum/result.h"

namespace supremum::cli {

/// Status and files agree: an error before the last output gets its name leaves every file as it was. A pipe
/// or a device is the exception, since what was written there cannot be taken back.
///
///   Outputs outputs(BeginNaming);
///   outputs.Reads("a.npy");
///   if (auto claimed = outputs.Claim("--output", "y.npy", Outputs::Kind::kTensor); !claimed) ...
///   if (auto claimed = outputs.ClaimJson("r.json"); !claimed) ...
///   // the work
///   outputs.Add(*formats::StageTensor(...));
///   return outputs.Deliver(json, text);
class Outputs {
 public:
  enum class Kind {
    kTensor,  ///< may replace a tensor that the run reads
    kReport,  ///< replaces nothing that the run reads
  };

  /// When the file of --json is made: kLast is for who cannot remove it at a signal before BeginNaming.
  enum class Open { kNow, kLast };

  using Step = std::function<Result<void>()>;

  /// `begin_naming` is called once, when all is complete and before the first output gets its name.
  explicit Outputs(std::function<void()> begin_naming) : begin_naming_(std::move(begin_naming)) {}

  /// A tensor that the run reads, as an option or an argument takes it: NAME=FILE and NAME:DTYPE:SHAPE:FILE
  /// too.
  void Reads(const std::string& spec);
  void Reads(const std::vector<std::string>& specs);

  /// A model or a graph that the run reads; with `external`, the data beside it too.
  void ReadsModel(const std::string& path, bool external = false);

  /// Examines an output before the work. `option` is what texts call it: "--output".
  ///
  /// Errors: kInvalidArgument if it is another output, standard output, or, for a report, a file that the run
  ///   reads, under whatever name; kIo if it cannot be made there.
  Result<void> Claim(const std::string& option, const std::string& path, Kind kind);

  /// The same for what --json names, a file, "-" or "", and opens the file for Deliver. It also refuses a
  /// standard output that goes to a file which the run reads.
  Result<void> ClaimJson(const std::string& path, Open open = Open::kNow);

  /// Makes a folder for outputs, and those around it; after an error they are removed again. Errors: kIo.
  Result<void> MakeFolder(const std::string& path);

  /// A folder that is made or replaced as a whole: no output that is claimed later may lie in it.
  void ClaimFolder(const std::string& option, const std::string& path);

  /// An output that is written, or a step that completes one and another that names it. What the steps use
  /// must live until Deliver.
  void Add(formats::AtomicFile file);
  void Add(Step complete, Step name);

  /// The last step of a verb. Completes all outputs, writes the JSON (--json: ""; nowhere, "-": to standard
  /// output in place of `text`) and `text` to standard output, and then gives the outputs their names.
  ///
  /// Errors: kIo; without a message if the reader of standard output has gone and there is no other output.
  Result<void> Deliver(const nlohmann::ordered_json& json, std::string_view text);

 private:
  /// What a name leads to: a file by its inode, one that is not there by its folder's inode and its name.
  struct Identity {
    dev_t device = 0;
    ino_t inode = 0;
    std::string name;

    friend bool operator==(const Identity&, const Identity&) = default;
  };
  struct Known {
    std::string shown;
    Identity identity;
    bool is_tensor = false;
  };
  struct Steps {
    Step complete, name;
  };

  static std::optional<Identity> IdentityOf(const std::string& path);
  static std::optional<Identity> IdentityOfStandardOutput();
  Result<void> Examine(const std::string& option, const std::string& path, Kind kind);
  Result<void> CheckFree(const std::string& shown, const Identity& identity, Kind kind) const;
  Result<void> CheckNoExternalData(const std::string& shown, const std::string& path) const;
  Result<void> CompleteJson(const std::string& document);
  Result<void> CompleteAndName(const std::string& document, std::string_view text);

  std::function<void()> begin_naming_;
  MadeFolders made_;  // removed after the files that lie in it
  std::vector<Known> inputs_, outputs_;
  std::vector<Known> folders_;                // by the canonical path in `identity.name`
  std::vector<std::string> external_models_;  // whose external data is read
  std::vector<Steps> steps_;
  std::string json_path_;
  bool json_last_ = false;
  std::optional<formats::AtomicFile> json_;  // none where there is no file, or a pipe, which is opened last
};

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_OUTPUTS_H_
