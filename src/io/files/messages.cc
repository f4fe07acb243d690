#include "io/files/messages.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>

#include "core/quote.h"

namespace supremum::io {

std::size_t FirstNonBool(std::span<const std::byte> bytes) {
  const auto found = std::find_if(bytes.begin(), bytes.end(), [](std::byte b) { return b > std::byte{1}; });
  return static_cast<std::size_t>(found - bytes.begin());
}

Result<void> CheckBools(std::string_view where, std::int64_t offset, std::span<const std::byte> bytes,
                        std::string_view hint) {
  const std::size_t at = FirstNonBool(bytes);
  if (at == bytes.size()) return {};
  return MalformedAtByte(
      where, offset + static_cast<std::int64_t>(at),
      std::to_string(std::to_integer<int>(bytes[at])) + " is outside bool (0 to 1)" + std::string(hint));
}

Result<std::size_t> ChooseTensor(std::string_view path, std::string_view item,
                                 std::span<const std::string> names,
                                 const std::optional<std::string>& wanted) {
  constexpr std::size_t kShown = 8;
  const std::string where = Quote(path);
  const auto found = wanted ? std::ranges::find(names, *wanted) : names.begin();
  if (found != names.end() && (wanted || names.size() == 1)) {
    return static_cast<std::size_t>(found - names.begin());
  }
  const std::string what(item);
  if (names.empty()) {
    return ErrorAt(ErrorCode::kInvalidArgument, where,
                   "the file holds no " + what + "; exactly one is expected");
  }
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) {
    list += (i > 0 ? ", " : "") + Quote(names[i], 60);
  }
  if (names.size() > kShown) list += " and " + std::to_string(names.size() - kShown) + " more";
  if (wanted) {
    return ErrorAt(ErrorCode::kInvalidArgument, where,
                   "the file holds no " + what + " " + Quote(*wanted, 60) + "; it holds " + list);
  }
  return ErrorAt(ErrorCode::kInvalidArgument, where,
                 "the file holds " + std::to_string(names.size()) + " " + what + "s, " + list +
                     "; exactly one is expected: name one, as in " +
                     Quote(std::string(path) + "::" + names.front(), 200));
}

std::string_view KindOfEntry(mode_t mode) {
  if (S_ISLNK(mode)) return "a symbolic link";
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return "not a regular file";
}

std::string_view HintFor(int error_number, std::string_view hint) {
  if (error_number == EFBIG) return kTooLargeHint;
  if (error_number == EMFILE) return "raise the limit of open files (ulimit -n)";
  return hint;
}

Error IoError(std::string_view path, std::string_view verb, int error_number, std::string_view hint) {
  return MakeError(ErrorCode::kIo, Quote(path)
                                       .append(" cannot be ")
                                       .append(verb)
                                       .append(": ")
                                       .append(std::generic_category().message(error_number))
                                       .append("; ")
                                       .append(HintFor(error_number, hint)));
}

Error ZeroByteIn(std::string_view path) {
  return MakeError(ErrorCode::kIo,
                   Quote(path) + " contains a zero byte, which no file name can have; correct the name");
}

}  // namespace supremum::io
