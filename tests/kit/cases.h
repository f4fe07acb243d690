// Reads the conformance cases that `supremum-audit cases` has written.
#ifndef SUPREMUM_TESTS_KIT_CASES_H_
#define SUPREMUM_TESTS_KIT_CASES_H_

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "supremum/tensor.h"

namespace supremum::test {

/// The folder that supremum-audit has filled.
inline std::string ConformanceFolder() {
  const char* folder = std::getenv("SUPREMUM_CONFORMANCE_DIR");
  if (folder == nullptr) {
    throw std::runtime_error("SUPREMUM_CONFORMANCE_DIR must name what `supremum-audit cases` has written");
  }
  return folder;
}

/// The number of cases of a kind that there must be at least: those of the folders further/ and threads/ are
/// few.
inline std::size_t AtLeast(std::size_t count) {
  const std::filesystem::path in_folder = std::filesystem::path(ConformanceFolder()) / "";
  const std::filesystem::path name = in_folder.parent_path().filename();
  return name == "further" ? std::size_t{15} : name == "threads" ? std::size_t{5} : count;
}

inline std::string ConformanceFile(const std::string& name) {
  std::ifstream file(ConformanceFolder() + "/" + name, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct GivenTensor {
  Shape shape;
  std::string bits;

  Tensor Create(DType dtype) const {
    Tensor tensor = Tensor::Create(dtype, shape).value();
    const std::size_t width = ByteWidth(dtype);
    if (bits.size() != 2 * tensor.byte_size()) throw std::runtime_error("wrong number of digits");
    for (std::int64_t i = 0; i < tensor.size(); ++i) {
      const auto at = static_cast<std::size_t>(i) * width;
      const std::uint64_t element = std::stoull(bits.substr(2 * at, 2 * width), nullptr, 16);
      std::memcpy(tensor.bytes().data() + at, &element, width);
    }
    return tensor;
  }
};

struct GivenCase {
  std::string id;
  DType dtype;
  std::int64_t opset = 0;
  bool reduces = false;
  std::optional<std::vector<std::int64_t>> axes;
  bool keepdims = true;
  bool noop_with_empty_axes = false;
  std::vector<GivenTensor> inputs;
  GivenTensor output;
  std::string onnx, onednn;  ///< empty if the front does not have the case

  std::vector<NamedTensor> Inputs(const std::string& prefix) const {
    std::vector<NamedTensor> tensors;
    for (const GivenTensor& input : inputs) {
      tensors.push_back({prefix + std::to_string(tensors.size()), input.Create(dtype)});
    }
    return tensors;
  }
};

inline GivenTensor ReadGiven(const nlohmann::json& json) {
  const auto extents = json.at("shape").get<std::vector<std::int64_t>>();
  return {Shape::FromSpan(extents).value(), json.at("bits").get<std::string>()};
}

inline std::vector<GivenCase> ReadCases() {
  std::vector<GivenCase> cases;
  const nlohmann::json list = nlohmann::json::parse(ConformanceFile("cases.json"));
  for (const auto& json : list.at("cases")) {
    GivenCase one;
    one.id = json.at("id").get<std::string>();
    one.dtype = ParseDType(json.at("type").get<std::string>()).value();
    one.opset = json.at("opset").get<std::int64_t>();
    one.reduces = json.at("operator") == "ReduceMax";
    const auto& attributes = json.at("attributes");
    if (attributes.contains("axes")) one.axes = attributes.at("axes").get<std::vector<std::int64_t>>();
    one.keepdims = attributes.value("keepdims", 1) == 1;
    one.noop_with_empty_axes = attributes.value("noop_with_empty_axes", 0) == 1;
    for (const auto& input : json.at("inputs")) one.inputs.push_back(ReadGiven(input));
    one.output = ReadGiven(json.at("output"));
    if (json.at("onnx").is_string()) one.onnx = json.at("onnx").get<std::string>();
    if (json.at("onednn").is_string()) one.onednn = json.at("onednn").get<std::string>();
    cases.push_back(std::move(one));
  }
  return cases;
}

/// Collects what went wrong; tens of thousands of expectations of GoogleTest's own would take longer than
/// what they watch.
class Failures {
 public:
  void Add(const std::string& id, const std::string& text) {
    if (++count_ <= 20) texts_ += "\n" + id + ": " + text;
  }
  std::size_t count() const { return count_; }
  const std::string& texts() const { return texts_; }

 private:
  std::size_t count_ = 0;
  std::string texts_;
};

/// The first difference between a result and the expected output; empty if they are equal.
inline std::string Wrong(const Tensor& result, const GivenCase& one) {
  if (result.dtype() != one.dtype) return "another type";
  if (!SameDims(result.shape(), one.output.shape)) {
    return "shape " + ToString(result.shape()) + " for " + ToString(one.output.shape);
  }
  const Tensor expected = one.output.Create(one.dtype);
  const std::size_t width = ByteWidth(one.dtype);
  for (std::size_t at = 0; at < expected.byte_size(); at += width) {
    if (std::memcmp(expected.bytes().data() + at, result.bytes().data() + at, width) == 0) continue;
    std::uint64_t bits = 0;
    std::memcpy(&bits, result.bytes().data() + at, width);
    return "element " + std::to_string(at / width) + " is " + std::to_string(bits) + ", not 0x" +
           one.output.bits.substr(2 * at, 2 * width);
  }
  return "";
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_KIT_CASES_H_
