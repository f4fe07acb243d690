// The further cases of the conformance kit, as kit/cases/write_cases.py --further writes them.
#ifndef SUPREMUM_TESTS_KIT_FURTHER_H_
#define SUPREMUM_TESTS_KIT_FURTHER_H_

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "kit/cases.h"
#include "support/configurations.h"
#include "supremum/reduce_max.h"
#include "supremum/tensor.h"

namespace supremum::test {

/// A case of one type, or of none for a list without types.
struct FurtherCase {
  std::string id;
  DType dtype = DType::kFloat32;
  nlohmann::json stated;  ///< what the file states of the case
  nlohmann::json bits;    ///< and of its type

  bool Reduces() const { return stated.at("operator") == "ReduceMax"; }
};

/// The cases of a further list.
inline std::vector<FurtherCase> ReadFurther(const std::string& list) {
  const char* const folder = std::getenv("SUPREMUM_FURTHER_DIR");
  if (folder == nullptr) {
    throw std::runtime_error("SUPREMUM_FURTHER_DIR must name what write_cases.py --further has written");
  }
  std::vector<FurtherCase> cases;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path());
    const nlohmann::json group = nlohmann::json::parse(file);
    if (group.value("list", "") != list) continue;
    for (const auto& one : group.at("cases")) {
      const std::string id = group.at("group").get<std::string>() + "/" + one.at("name").get<std::string>();
      if (!one.contains("bits")) cases.push_back({id, DType::kFloat32, one, {}});
      if (!one.contains("bits")) continue;
      for (const auto& [type, bits] : one.at("bits").items()) {
        cases.push_back({id + "/" + type, ParseDType(type).value(), one, bits});
      }
    }
  }
  return cases;
}

/// The bytes of an element in memory, given as a number.
inline const char* LowBytes(const std::uint64_t& element, std::size_t width) {
  const char* const bytes = reinterpret_cast<const char*>(&element);
  return std::endian::native == std::endian::big ? bytes + sizeof(element) - width : bytes;
}

/// The bytes of elements as case files state them: X, X*N, or X:P*N for N elements that count from X, and
/// again from X after each P of them.
inline std::vector<std::byte> Expand(DType dtype, const std::string& text) {
  const auto number = [](std::string_view digits, int base) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error != std::errc() || end != digits.data() + digits.size())
      throw std::runtime_error("not a number");
    return value;
  };
  const std::size_t width = ByteWidth(dtype);
  std::vector<std::byte> bytes;
  std::istringstream parts(text);
  for (std::string part; parts >> part;) {
    const std::size_t star = part.find('*'), colon = part.find(':');
    if (std::min({star, colon, part.size()}) != 2 * width) throw std::runtime_error("wrong number of digits");
    const std::uint64_t first = number(part.substr(0, 2 * width), 16);
    const std::size_t count =
        star == std::string::npos ? 1 : static_cast<std::size_t>(number(part.substr(star + 1), 10));
    const std::uint64_t period =
        colon == std::string::npos ? 1 : number(part.substr(colon + 1, star - colon - 1), 10);
    const std::size_t at = bytes.size();
    bytes.resize(at + count * width);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t element = first + i % period;
      std::memcpy(bytes.data() + at + i * width, LowBytes(element, width), width);
    }
  }
  return bytes;
}

inline Shape ShapeOf(const nlohmann::json& json) {
  return Shape::FromSpan(json.get<std::vector<std::int64_t>>()).value();
}

/// Row-major tensors of a case, from the lists of their shapes and of their elements.
struct DenseTensors {
  DenseTensors(const nlohmann::json& shape_lists, const nlohmann::json& texts, DType dtype) {
    for (std::size_t m = 0; m < texts.size(); ++m) {
      shapes.push_back(ShapeOf(shape_lists[m]));
      elements.push_back(Expand(dtype, texts[m].get<std::string>()));
    }
    for (std::size_t m = 0; m < texts.size(); ++m) {
      views.push_back({dtype, shapes[m], {}, elements[m].data()});
    }
  }

  std::vector<Shape> shapes;
  std::vector<std::vector<std::byte>> elements;
  std::vector<TensorView> views;
};

/// The fault in the result of a call that must be refused; "" if it has the error that the case states.
inline std::string WrongRefusal(const FurtherCase& one, const Result<void>& done) {
  if (done) return "accepted";
  const nlohmann::json& error = one.stated.at("error");
  const bool as_stated = InfoOf(done.error().code).name == error.at("code").get<std::string>() &&
                         done.error().rule.text() == error.at("rule").get<std::string>();
  return as_stated ? "" : "refused otherwise: " + done.error().message;
}

/// Plants a fault: another last digit of the first element of a text.
inline void ChangeFirstElement(std::string& text, DType dtype) {
  char& digit = text[2 * ByteWidth(dtype) - 1];
  digit = digit == '0' ? '1' : digit == '1' ? '0' : digit == '7' ? '6' : '7';
}

/// The axes of a case as ReduceMaxOptions have them, and keepdims.
struct Reduction {
  explicit Reduction(const nlohmann::json& stated) {
    const nlohmann::json attributes = stated.value("attributes", nlohmann::json::object());
    if (attributes.contains("axes")) axes = attributes.at("axes").get<std::vector<std::int64_t>>();
    noop = attributes.value("noop_with_empty_axes", 0) == 1;
    keepdims = attributes.value("keepdims", 1) == 1;
  }
  ReduceMaxOptions Options(std::size_t threads) const {
    ReduceMaxOptions options;
    std::optional<std::span<const std::int64_t>> given;
    if (axes) given = *axes;
    options.axes = AxesOfOnnx(given, noop);
    options.keepdims = keepdims;
    options.threads = threads;
    return options;
  }

  std::optional<std::vector<std::int64_t>> axes;
  bool noop = false, keepdims = true;
};

/// The first difference between two byte sequences, as the element of `width` bytes; "" if they are equal.
inline std::string Difference(const std::vector<std::byte>& actual, const std::vector<std::byte>& expected,
                              std::size_t width) {
  if (actual.size() != expected.size()) return "another number of bytes";
  const auto at = std::ranges::mismatch(actual, expected).in1 - actual.begin();
  if (at == std::ssize(actual)) return "";
  return "element " + std::to_string(static_cast<std::size_t>(at) / width) + " is wrong";
}

/// For each case, target and number of threads what `wrong(case, threads)` returns, unless it is "".
inline Failures FailuresOf(const std::vector<FurtherCase>& cases,
                           const std::function<std::string(const FurtherCase&, std::size_t)>& wrong) {
  Failures failures;
  ForEachConfiguration([&](std::size_t threads) {
    for (const FurtherCase& one : cases) {
      const std::string text = wrong(one, threads);
      if (!text.empty()) failures.Add(one.id, std::string(ActiveTarget()) + ": " + text);
    }
  });
  return failures;
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_KIT_FURTHER_H_
