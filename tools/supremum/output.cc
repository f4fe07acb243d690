#include "output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <system_error>

#include "formats/messages.h"

namespace supremum::cli {
namespace {

/// The length of the well-formed UTF-8 sequence at the start of `text` that is not a control character; 0 if
/// there is none.
std::size_t PrintableLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7F ? 1 : 0;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  unsigned code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0u) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  const bool control = code < 0xA0;
  // These turn the direction of the text around them, so that it reads as something else.
  const bool turns = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  return overlong || surrogate || control || turns || code > 0x10FFFF ? 0 : length;
}

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
    // Opened the wrong way round, so that writing to a closed standard output is still an error.
    int opened = ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    // Without /dev there is still a folder, which cannot be written to either.
    if (opened < 0) opened = ::open("/", O_RDONLY | O_DIRECTORY);
    if (opened >= 0 && opened != descriptor) ::close(opened);
  }
}

std::string Printable(std::string_view text) {
  std::string printable;
  while (!text.empty()) {
    const std::size_t length = PrintableLength(text);
    if (length == 0) {
      printable += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
      text.remove_prefix(1);
    } else {
      printable += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return printable;
}

Result<void> Print(std::string_view text) {
  const int error = WriteAll(STDOUT_FILENO, text);
  if (error == 0) return {};
  if (error == EPIPE) return Error{ErrorCode::kIo, ""};
  const std::string_view hint = formats::HintFor(error, "");
  return MakeError(ErrorCode::kIo,
                   fmt::format("cannot write to standard output: {}{}{}",
                               std::generic_category().message(error), hint.empty() ? "" : "; ", hint));
}

void PrintError(std::string_view message) {
  if (message.empty()) return;
  // Nobody is left to be told if this fails; the exit status still says it.
  static_cast<void>(WriteAll(STDERR_FILENO, fmt::format("supremum: {}\n", Printable(message))));
}

nlohmann::ordered_json JsonHead(std::string_view verb) {
  nlohmann::ordered_json head;
  head["supremum"] = Version();
  head["verb"] = verb;
  return head;
}

}  // namespace supremum::cli
