// A fuzz target without libFuzzer: replays a corpus, and mutations of it that follow from a seed.
//
//   NAME_replay [-mutations=N] [-seed=S] [-dict=FILE] [-crash=FILE] FOLDER-OR-FILE...
//
// Each file is run as it is; then N mutated inputs, each made of one file, a second one, the words of the
// dictionary and chance. What ends the program is left in the file that -crash names.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz.h"

// NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the sanitizers' own interface
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace {

namespace fs = std::filesystem;

using Bytes = std::vector<std::uint8_t>;
using Rng = std::mt19937_64;

constexpr std::size_t kMostBytes = 1 << 16;

Bytes current;
std::string crash_file = "crash";

// Called when the program is about to end: no memory is taken.
void KeepCurrent() {
  const int file = ::open(crash_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return;
  if (::write(file, current.data(), current.size()) >= 0) {
    constexpr std::string_view kText =
        "replay: the input is in the file that -crash names ('crash' if none)\n";
    static_cast<void>(!::write(STDERR_FILENO, kText.data(), kText.size()));
  }
  ::close(file);
}

void OnSignal(int signal) {
  KeepCurrent();
  static_cast<void>(std::signal(signal, SIG_DFL));
  static_cast<void>(std::raise(signal));
}

Bytes ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

// The words of a dictionary of libFuzzer's form: name="text", with \xAB, \\ and \".
std::vector<Bytes> ReadDictionary(const fs::path& path) {
  std::vector<Bytes> words;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t begin = line.find('"'), end = line.rfind('"');
    if (line.starts_with('#') || begin == std::string::npos || begin == end) continue;
    Bytes word;
    for (std::size_t i = begin + 1; i < end; ++i) {
      if (line[i] != '\\') {
        word.push_back(static_cast<std::uint8_t>(line[i]));
      } else if (line[i + 1] == 'x' && i + 3 < end) {
        word.push_back(static_cast<std::uint8_t>(std::stoi(line.substr(i + 2, 2), nullptr, 16)));
        i += 3;
      } else {
        word.push_back(static_cast<std::uint8_t>(line[++i]));
      }
    }
    words.push_back(std::move(word));
  }
  return words;
}

std::size_t Below(Rng& rng, std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(rng() % n); }

void Insert(Bytes& bytes, std::size_t at, const std::uint8_t* from, std::size_t size) {
  bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), from, from + size);
}

void Mutate(Rng& rng, const std::vector<Bytes>& corpus, const std::vector<Bytes>& words, Bytes& bytes) {
  for (std::size_t changes = 1 + Below(rng, 6); changes > 0; --changes) {
    const std::size_t at = Below(rng, bytes.size() + 1);
    const std::size_t span = std::min(bytes.size() - at, 1 + Below(rng, Below(rng, 4) == 0 ? 256 : 8));
    switch (Below(rng, 8)) {
      case 0:
        if (at < bytes.size()) bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ 1u << Below(rng, 8));
        break;
      case 1:
        if (at < bytes.size()) bytes[at] = static_cast<std::uint8_t>(rng());
        break;
      case 2: {
        constexpr std::uint8_t kEdges[] = {0x00, 0xFF, 0x7F, 0x80, 0x01, '0', '9', '-'};
        for (std::size_t i = at; i < at + span; ++i) bytes[i] = kEdges[Below(rng, std::size(kEdges))];
        break;
      }
      case 3:
        bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                    bytes.begin() + static_cast<std::ptrdiff_t>(at + span));
        break;
      case 4: {
        const Bytes copy(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                         bytes.begin() + static_cast<std::ptrdiff_t>(at + span));
        Insert(bytes, Below(rng, bytes.size() + 1), copy.data(), copy.size());
        break;
      }
      case 5: {
        const Bytes& other = corpus[Below(rng, corpus.size())];
        const std::size_t from = Below(rng, other.size() + 1);
        Insert(bytes, at, other.data() + from, std::min(other.size() - from, Below(rng, 300)));
        break;
      }
      case 6:
        if (words.empty()) break;
        {
          const Bytes& word = words[Below(rng, words.size())];
          const std::size_t over = std::min(word.size(), bytes.size() - at);
          if (Below(rng, 2) == 0) {
            Insert(bytes, at, word.data(), word.size());
          } else {
            std::copy_n(word.begin(), over, bytes.begin() + static_cast<std::ptrdiff_t>(at));
          }
        }
        break;
      default:
        bytes.resize(at);
        break;
    }
  }
  if (bytes.size() > kMostBytes) bytes.resize(kMostBytes);
}

void Run(const Bytes& bytes) {
  current = bytes;
  // A copy of exactly that size: what is read beyond it is noticed.
  const std::vector<std::uint8_t> exact(bytes);
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

bool TakeOption(std::string_view argument, std::string_view name, std::string* value) {
  if (!argument.starts_with(name)) return false;
  *value = argument.substr(name.size());
  return true;
}

std::uint64_t NumberOf(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    static_cast<void>(std::fprintf(stderr, "replay: '%s' is no number\n", text.c_str()));
    std::exit(2);
  }
  return number;
}

}  // namespace

int main(int argc, char** argv) {
  std::string mutations = "0", seed = "1", dictionary;
  std::vector<fs::path> files;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (TakeOption(argument, "-mutations=", &mutations) || TakeOption(argument, "-seed=", &seed) ||
        TakeOption(argument, "-dict=", &dictionary) || TakeOption(argument, "-crash=", &crash_file)) {
      continue;
    }
    if (fs::is_directory(argument)) {
      for (const auto& entry : fs::recursive_directory_iterator(argument)) {
        if (entry.is_regular_file()) files.push_back(entry.path());
      }
    } else {
      files.emplace_back(argument);
    }
  }
  std::ranges::sort(files);
  std::vector<Bytes> corpus;
  for (const fs::path& file : files) corpus.push_back(ReadFile(file));
  if (corpus.empty()) {
    static_cast<void>(std::fprintf(stderr, "replay: no file to replay\n"));
    return 2;
  }
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(KeepCurrent);
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGBUS, SIGILL})
    static_cast<void>(std::signal(signal, OnSignal));

  for (std::size_t i = 0; i < corpus.size(); ++i) Run(corpus[i]);
  const std::vector<Bytes> words = dictionary.empty() ? std::vector<Bytes>() : ReadDictionary(dictionary);
  Rng rng(NumberOf(seed));
  const std::uint64_t count = NumberOf(mutations);
  for (std::uint64_t i = 0; i < count; ++i) {
    Bytes bytes = corpus[Below(rng, corpus.size())];
    Mutate(rng, corpus, words, bytes);
    Run(bytes);
  }
  std::printf("%zu files and %llu mutations of them ran\n", corpus.size(),
              static_cast<unsigned long long>(count));
  return 0;
}
