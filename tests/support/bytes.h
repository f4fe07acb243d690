// Bytes of files that no writer of the library makes.
#ifndef SUPREMUM_TESTS_SUPPORT_BYTES_H_
#define SUPREMUM_TESTS_SUPPORT_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace supremum::test {

inline std::span<const std::byte> Bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

/// The lowest `bytes` bytes of a number, the lowest first.
inline std::string LittleEndian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xFF);
  return text;
}

/// A .npy file: `dictionary` as it is, then `elements`.
inline std::string Npy(std::string_view dictionary, std::string_view elements = "", int version = 1) {
  const std::string file = std::string("\x93NUMPY") + static_cast<char>(version) + '\0' +
                           LittleEndian(dictionary.size(), version == 1 ? 2 : 4);
  return file + std::string(dictionary) + std::string(elements);
}

/// Calls `use` with copies of `whole` in which one byte has another value: each byte in turn each of
/// `values`, and its own value XOR each of `flips`.
template <class Use>
void ForEachChangedByte(const std::string& whole, std::initializer_list<int> values,
                        std::initializer_list<int> flips, Use use) {
  std::string file = whole;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::vector<int> all = values;
    for (const int flip : flips) all.push_back((whole[i] ^ flip) & 0xFF);
    for (const int value : all) {
      file[i] = static_cast<char>(value);
      use(file);
    }
    file[i] = whole[i];
  }
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_BYTES_H_
