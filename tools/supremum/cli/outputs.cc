#include "cli/outputs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <forward_list>
#include <nlohmann/json.hpp>
#include <span>
#include <system_error>
#include <utility>

#include "cli/escape.h"
#include "cli/folder_errors.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "core/never_destroyed.h"
#include "io/files/file_bytes.h"
#include "io/files/messages.h"
#include "io/files/output_files.h"
#include "io/formats/tensor_file.h"

namespace supremum::cli {
namespace {

namespace fs = std::filesystem;

Error Invalid(const std::string& details) { return MakeError(ErrorCode::kInvalidArgument, details); }

/// A pipe, a socket or a device: written to directly.
bool IsDirect(const std::string& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

/// The absolute path with links resolved, as far as it exists.
fs::path Canonical(const fs::path& path) {
  std::error_code error;
  fs::path canonical = fs::weakly_canonical(fs::absolute(path, error), error);
  if (!canonical.has_filename()) canonical = canonical.parent_path();  // a slash at the end
  return canonical;
}

bool LiesIn(const fs::path& path, const fs::path& folder) {
  return std::ranges::mismatch(folder, path).in1 == folder.end();
}

}  // namespace

std::optional<Outputs::Place> Outputs::PlaceOf(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0) {
    // Two outputs may both go to /dev/null or to a terminal.
    if (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode)) return std::nullopt;
    return Place{status.st_dev, status.st_ino, ""};
  }
  const fs::path parts = path;
  const fs::path folder = parts.has_parent_path() ? parts.parent_path() : fs::path(".");
  if (::stat(folder.c_str(), &status) != 0) return std::nullopt;
  return Place{status.st_dev, status.st_ino, parts.filename().string()};
}

std::optional<Outputs::Place> Outputs::PlaceOfStandardOutput() {
  struct stat status = {};
  if (::fstat(STDOUT_FILENO, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return Place{status.st_dev, status.st_ino, ""};
}

void Outputs::Reads(const std::string& spec) {
  // A text with '=' or ':' may be a file's name as a whole, or have it after one of them.
  for (std::size_t begin = 0; begin < spec.size();) {
    const auto [path, tensor] = io::SplitTensorName(spec.substr(begin));
    struct stat status = {};
    if (::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
      // A file of several tensors must not be replaced by one.
      inputs_.push_back({path, {status.st_dev, status.st_ino, ""}, !tensor});
    }
    const std::size_t separator = spec.find_first_of("=:", begin);
    if (separator == std::string::npos) return;
    begin = separator + 1;
  }
}

void Outputs::Reads(const std::vector<std::string>& specs) {
  for (const std::string& spec : specs) Reads(spec);
}

void Outputs::ReadsModel(const std::string& path, const ExternalDataOptions& external) {
  if (const std::optional<Place> place = PlaceOf(path)) inputs_.push_back({path, *place});
  if (external.allowed()) external_models_.emplace_back(path, external.root);
}

// External data is in the model's folder and not reached through a link, so that the last part of its name
// occurs in the model; or it may be any file below the root of links.
Result<void> Outputs::CheckNoExternalData(const std::string& shown, const std::string& path) const {
  std::error_code error;
  const fs::path canonical = Canonical(path);
  if (!fs::is_regular_file(canonical, error)) return {};
  const std::string name = canonical.filename().string();
  for (const auto& [model, root] : external_models_) {
    if (!root.empty() && LiesIn(canonical, Canonical(root))) {
      return Invalid(fmt::format(
          "{}: this file is inside '{}' and may be external data of the model '{}'; name another file", shown,
          root, model));
    }
    if (!LiesIn(canonical, Canonical(model).parent_path())) continue;
    const Result<std::vector<std::byte>> bytes = io::ReadFileBytes(model, INT64_MAX);
    if (!bytes) continue;  // reported when the model is read
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    if (text.find(name) == std::string_view::npos) continue;
    return Invalid(
        fmt::format("{}: this file is external data of the model '{}'; name another file", shown, model));
  }
  return {};
}

Result<void> Outputs::CheckFree(const std::string& shown, const Place& place, Kind kind) const {
  const auto same = std::ranges::find(outputs_, place, &Known::place);
  if (same != outputs_.end()) {
    return Invalid(fmt::format("{}: this file is also {}; name another file", shown, same->shown));
  }
  if (place == PlaceOfStandardOutput()) {
    return Invalid(fmt::format("{}: this file is also standard output; name another file", shown));
  }
  const auto read = std::ranges::find(inputs_, place, &Known::place);
  if (read != inputs_.end() && (kind == Kind::kReport || !read->is_tensor)) {
    return Invalid(fmt::format("{}: this file is the input '{}'; name another file", shown, read->shown));
  }
  return {};
}

Result<void> Outputs::Examine(const std::string& option, const std::string& path, Kind kind) {
  const std::string shown = option + " " + path;
  const std::optional<Place> place = PlaceOf(path);
  if (place) {
    if (Result<void> is_free = CheckFree(shown, *place, kind); !is_free) return is_free;
    outputs_.push_back({shown, *place});
  }
  if (Result<void> is_free = CheckNoExternalData(shown, path); !is_free) return is_free;
  const fs::path canonical = Canonical(path);
  for (const Known& folder : folders_) {
    if (!LiesIn(canonical, folder.place.name)) continue;
    return Invalid(fmt::format(
        "{}: this file is inside {}, which contains only the files of this verb; name another file", shown,
        folder.shown));
  }
  return {};
}

Result<void> Outputs::Claim(const std::string& option, const std::string& path, Kind kind) {
  if (Result<void> examined = Examine(option, path, kind); !examined) return examined;
  const Result<io::OutputTarget> target = io::ExamineTarget(path);
  if (!target) return target.error();
  // Opening a pipe would block until it has a reader.
  if (target->direct) return {};
  const int folder = target->entry.folder->descriptor();
  if (::faccessat(folder, ".", W_OK | X_OK, AT_EACCESS) == 0) return {};
  return io::IoError(path, "created", errno, io::kWriteHint);
}

Result<void> Outputs::ClaimJson(const std::string& path) {
  if (const std::optional<Place> out = PlaceOfStandardOutput()) {
    const auto read = std::ranges::find(inputs_, *out, &Known::place);
    if (read != inputs_.end()) {
      return Invalid(fmt::format("standard output is the input '{}'; name another file", read->shown));
    }
  }
  json_path_ = path;
  if (path.empty() || path == "-") return {};
  if (Result<void> examined = Examine("--json", path, Kind::kReport); !examined) return examined;
  if (IsDirect(path)) return {};
  Result<io::AtomicFile> created = io::AtomicFile::Create(path);
  if (!created) return created.error();
  json_.emplace(*std::move(created));
  return {};
}

Result<void> Outputs::MakeFolder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error) return {};
  return MakeError(ErrorCode::kIo, fmt::format("cannot create the folder {}: {}; check the name, the "
                                               "permissions and the space on the disk",
                                               path, error.message()));
}

Result<void> Outputs::MakeNewFolder(const std::string& option, const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_directory(status)) {
    return Invalid(
        fmt::format("{} {}: this name exists and is not a folder; name another folder", option, path));
  }
  if (fs::exists(status)) {
    const bool empty = fs::is_empty(path, error);
    if (error) return CannotListFolder(path, error);
    if (!empty) {
      return Invalid(
          fmt::format("{} {}: the folder has files; name another folder, or remove it", option, path));
    }
  }
  folders_.push_back({option + " " + path, {0, 0, Canonical(path).string()}});
  return MakeFolder(path);
}

Result<void> Outputs::Write(const std::string& path, std::string_view content) {
  Result<io::AtomicFile> file = io::AtomicFile::Create(path);
  if (!file) return file.error();
  if (Result<void> written = file->Write(std::as_bytes(std::span(content))); !written) return written;
  Add(*std::move(file));
  return {};
}

Result<void> Outputs::CompleteJson(const std::string& document) {
  if (json_path_.empty() || json_path_ == "-") return {};
  if (IsDirect(json_path_)) return io::WriteFileAtomically(json_path_, document);
  if (Result<void> written = json_->Write(std::as_bytes(std::span(document))); !written) return written;
  return json_->Sync();
}

Result<void> Outputs::CompleteAndName(const std::string& document, std::string_view text) {
  for (io::AtomicFile& file : files_) {
    if (Result<void> complete = file.Sync(); !complete) return complete;
  }
  const bool has_files = !files_.empty() || (!json_path_.empty() && json_path_ != "-");
  if (Result<void> complete = CompleteJson(document); !complete) return complete;
  if (Result<void> printed = Print(json_path_ == "-" ? document : text); !printed) {
    if (!has_files) return printed;
    const std::string reason =
        printed.error().message.empty()
            ? MakeError(ErrorCode::kIo, "cannot write to standard output: its reader has closed it").message
            : printed.error().message;
    return Error{ErrorCode::kIo, reason + "; no output file was changed"};
  }
  if (!has_files) return {};
  BeginNaming();
  for (io::AtomicFile& file : files_) {
    if (Result<void> named = file.Commit(); !named) return named;
  }
  if (json_) {
    if (Result<void> named = json_->Commit(); !named) return named;
  }
  return {};
}

Result<ExitStatus> Outputs::Deliver(nlohmann::ordered_json&& json, std::string_view text, ExitStatus status) {
  static NeverDestroyed<std::forward_list<nlohmann::ordered_json>> kept;
  (*kept).push_front(std::move(json));
  const std::string document = json_path_.empty() ? "" : JsonDocument((*kept).front(), 2);
  const Result<void> delivered = CompleteAndName(document, text);
  // Removes the files that have no name yet.
  files_.clear();
  json_.reset();
  if (!delivered) return delivered.error();
  return status;
}

}  // namespace supremum::cli
