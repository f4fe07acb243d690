#include "stream/checkpoints.h"

#include <charconv>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <system_error>

#include "core/messages.h"
#include "core/quote.h"
#include "stream/running_hash.h"

namespace supremum::stream {
namespace {

// fact TEXT             any number of these lines
// done ELEMENTS HASH
// tile FIRST ELEMENTS STEPS SLOT HASH
// end HASH              of all lines before
constexpr std::string_view kKind = "supremum, a result to go on with, ";
constexpr std::string_view kFirstLine = "supremum, a result to go on with, 5";

std::string HashOf(std::string_view text) {
  RunningHash hash;
  hash.Update(std::as_bytes(std::span(text)));
  return hash.Hex();
}

// The words of a line: numbers, then a hash.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}

  bool Number(std::int64_t* value) {
    const std::string_view word = Next();
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), *value);
    return error == std::errc() && end == word.data() + word.size() && *value >= 0;
  }
  bool Hash(std::string* value) {
    *value = Next();
    return value->size() == 32 && value->find_first_not_of("0123456789abcdef") == std::string::npos;
  }
  bool End() const { return rest_.empty(); }

 private:
  std::string_view Next() {
    const std::size_t end = rest_.find(' ');
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return word;
  }

  std::string_view rest_;
};

bool ParseDone(std::string_view line, Checkpoints* into) {
  Checkpoint done;
  Words words(line);
  const bool good = words.Number(&done.elements) && words.Hash(&done.hash) && words.End() &&
                    (into->done.empty() || into->done.back().elements < done.elements);
  into->done.push_back(std::move(done));
  return good;
}

bool ParseTile(std::string_view line, Checkpoints* into) {
  UnfinishedTile tile;
  Words words(line);
  const bool good = words.Number(&tile.first) && words.Number(&tile.elements) && words.Number(&tile.steps) &&
                    words.Number(&tile.slot) && words.Hash(&tile.hash) && words.End() && tile.slot <= 1;
  into->tile = std::move(tile);
  return good;
}

}  // namespace

std::string ToText(const Checkpoints& checkpoints) {
  std::string text(kFirstLine);
  text += '\n';
  for (const std::string& fact : checkpoints.facts) text += "fact " + fact + '\n';
  for (const Checkpoint& done : checkpoints.done) {
    text += "done " + std::to_string(done.elements) + ' ' + done.hash + '\n';
  }
  if (const auto& tile = checkpoints.tile) {
    text += "tile";
    for (const std::int64_t number : {tile->first, tile->elements, tile->steps, tile->slot}) {
      text += ' ' + std::to_string(number);
    }
    text += ' ' + tile->hash + '\n';
  }
  return text + "end " + HashOf(text) + '\n';
}

Result<Checkpoints> ParseCheckpoints(std::string_view text, const std::string& where) {
  const std::string_view whole = text;
  Checkpoints checkpoints;
  bool ended = false;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view before = whole.substr(0, whole.size() - text.size());
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    bool good = !ended && end != std::string_view::npos;
    const auto begins = [&](std::string_view word) {
      if (!line.starts_with(word)) return false;
      line.remove_prefix(word.size());
      return true;
    };
    if (number == 1 && line != kFirstLine && line.starts_with(kKind)) {
      return ErrorAt(ErrorCode::kMalformedFile, where,
                     "it was written by another version of supremum and does not record whether the inputs "
                     "are still the same; leave --resume out to start again");
    }
    if (number == 1) {
      good = good && line == kFirstLine;
    } else if (begins("fact ")) {
      checkpoints.facts.emplace_back(line);
    } else if (begins("done ")) {
      good = good && ParseDone(line, &checkpoints);
    } else if (begins("tile ")) {
      good = good && !checkpoints.tile && ParseTile(line, &checkpoints);
    } else {
      ended = line == "end " + HashOf(before);
      good = good && ended;
    }
    if (!good) {
      return ErrorAt(ErrorCode::kMalformedFile, where,
                     "line " + std::to_string(number) + " is not valid in a resume file: " + Quote(line, 80) +
                         "; leave --resume out to start again");
    }
  }
  if (!ended) {
    return ErrorAt(ErrorCode::kMalformedFile, where,
                   "the file ends before its last line; leave --resume out to start again");
  }
  return checkpoints;
}

}  // namespace supremum::stream
