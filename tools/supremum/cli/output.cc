#include "cli/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <nlohmann/json.hpp>
#include <system_error>

#include "io/files/messages.h"

namespace supremum::cli {
namespace {

/// Writes all of `text`; returns 0 or the error number.
int WriteAll(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

std::string_view Version() { return SUPREMUM_VERSION; }

void ReserveStandardStreams() {
  for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0) continue;
    // Opened with the opposite access, so that writing to a closed standard output is still an error.
    int opened = ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    // Without /dev, a folder, which cannot be written to either.
    if (opened < 0) opened = ::open("/", O_RDONLY | O_DIRECTORY);
    if (opened >= 0 && opened != descriptor) ::close(opened);
  }
}

Result<void> Print(std::string_view text) {
  const int error = WriteAll(STDOUT_FILENO, text);
  if (error == 0) return {};
  if (error == EPIPE) return Error{ErrorCode::kIo, ""};
  const std::string_view hint = io::HintFor(error, "");
  return MakeError(ErrorCode::kIo,
                   fmt::format("cannot write to standard output: {}{}{}",
                               std::generic_category().message(error), hint.empty() ? "" : "; ", hint));
}

void PrintError(std::string_view message) {
  if (message.empty()) return;
  // A failure here cannot be reported; the exit status still shows the error.
  try {
    static_cast<void>(WriteAll(STDERR_FILENO, fmt::format("supremum: {}\n", Printable(message))));
  } catch (const std::bad_alloc&) {
    static_cast<void>(
        WriteAll(STDERR_FILENO, "supremum: out of memory: an error message could not be built\n"));
  }
}

nlohmann::ordered_json JsonHead(std::string_view verb) {
  nlohmann::ordered_json head;
  head["supremum"] = Version();
  head["verb"] = verb;
  return head;
}

}  // namespace supremum::cli
