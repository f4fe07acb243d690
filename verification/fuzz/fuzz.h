// What the fuzzers share: a target is a function that takes bytes and comes back, whatever they are.
#ifndef SUPREMUM_VERIFICATION_FUZZ_FUZZ_H_
#define SUPREMUM_VERIFICATION_FUZZ_FUZZ_H_

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "supremum/result.h"

/// What libFuzzer, or replay.cc, calls: one in each target.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace supremum::fuzz {

/// Ends the program, which the fuzzer reports together with the bytes.
[[noreturn]] inline void Fail(const std::string& what) {
  static_cast<void>(std::fprintf(stderr, "fuzz: %s\n", what.c_str()));
  std::abort();
}

inline void Expect(bool holds, const char* what) {
  if (!holds) Fail(what);
}

/// An error must be fit to be shown: it begins with the title of its code, is short, and has no control
/// characters.
inline void ExpectShowable(const Error& error) {
  if (!error.message.starts_with(InfoOf(error.code).title)) Fail("a text without title: " + error.message);
  if (error.message.size() > 10'000) Fail("a text of " + std::to_string(error.message.size()) + " bytes");
  const bool control = std::ranges::any_of(
      error.message, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
  if (control) Fail("a text with control characters: " + error.message);
}

/// Bytes taken one after the other for decisions; zeros when they are used up.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}

  std::uint8_t Byte() {
    if (rest_.empty()) return 0;
    const std::uint8_t byte = rest_.front();
    rest_ = rest_.subspan(1);
    return byte;
  }

  /// From 0 to n - 1. Requires: 0 < n.
  std::size_t Below(std::size_t n) { return (n <= 256 ? Byte() : Byte() | std::size_t{Byte()} << 8) % n; }

  bool Bool() { return (Byte() & 1) != 0; }

  /// Little, enormous, or negative.
  std::int64_t Integer() {
    const std::uint8_t kind = Byte();
    if (kind < 200) return static_cast<std::int64_t>(kind % 12) - 3;
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits = bits << 8 | Byte();
    return static_cast<std::int64_t>(kind < 230 ? bits >> (kind % 32) : bits);
  }

  /// What is left, for elements.
  std::span<const std::uint8_t> Rest() const { return rest_; }

 private:
  std::span<const std::uint8_t> rest_;
};

/// A file in memory, with a name by which it can be opened like any other.
class File {
 public:
  File(const std::uint8_t* data, std::size_t size) : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    Expect(descriptor_ >= 0, "no file in memory");
    while (size > 0) {
      const ssize_t put = ::write(descriptor_, data, size);
      Expect(put > 0, "a file in memory cannot be written");
      data += put;
      size -= static_cast<std::size_t>(put);
    }
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { ::close(descriptor_); }

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace supremum::fuzz

#endif  // SUPREMUM_VERIFICATION_FUZZ_FUZZ_H_
