#include "kit.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <new>
#include <nlohmann/json.hpp>

namespace kit {
namespace {

using Json = nlohmann::json;
using Line = nlohmann::ordered_json;

constexpr std::size_t kAlignment = 64;

[[noreturn]] void Exit(const std::string& text) {
  std::cerr << text << '\n';
  std::exit(2);
}

std::size_t WidthOf(const std::string& type) {
  if (type == "bool") return 1;
  const std::size_t digits = type.find_first_of("0123456789");
  if (digits == std::string::npos) throw std::runtime_error("the kit has an unknown type '" + type + "'");
  return std::stoul(type.substr(digits)) / 8;
}

std::size_t CountOf(const Dims& shape) {
  std::size_t count = 1;
  for (std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
  return count;
}

// The offset in memory of byte b of an element, counted from the least significant one.
std::size_t PlaceOf(std::size_t b, std::size_t width) {
  return std::endian::native == std::endian::little ? b : width - 1 - b;
}

// An element is a number, its most significant digit first.
void FromHex(const std::string& bits, std::size_t width, const Tensor& tensor) {
  if (bits.size() != 2 * width * tensor.count)
    throw std::runtime_error("the kit's bits do not fit the shape");
  for (std::size_t i = 0; i < tensor.count; ++i) {
    const std::uint64_t number = std::stoull(bits.substr(2 * width * i, 2 * width), nullptr, 16);
    for (std::size_t b = 0; b < width; ++b) {
      tensor.As<unsigned char>()[width * i + PlaceOf(b, width)] =
          static_cast<unsigned char>(number >> (8 * b));
    }
  }
}

std::string ToHex(const Tensor& tensor, std::size_t width) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string bits;
  for (std::size_t i = 0; i < tensor.count; ++i) {
    for (std::size_t b = width; b-- > 0;) {
      const unsigned char byte = tensor.As<unsigned char>()[width * i + PlaceOf(b, width)];
      bits += kDigits[byte >> 4];
      bits += kDigits[byte & 15];
    }
  }
  return bits;
}

Case Read(const Json& json) {
  Case problem;
  problem.id = json.at("id");
  problem.op = json.at("operator");
  problem.type = json.at("type");
  problem.width = WidthOf(problem.type);
  if (!json.at("onnx").is_null()) {
    problem.opset = json.at("opset");
    problem.model = json.at("onnx");
  }
  const Json attributes = json.value("attributes", Json::object());
  problem.keepdims = attributes.value("keepdims", 1) != 0;
  if (attributes.contains("axes")) problem.axes = attributes["axes"].get<Dims>();
  if (!problem.axes || problem.axes->empty()) {
    problem.axes.reset();
    if (attributes.value("noop_with_empty_axes", 0) != 0) problem.axes.emplace();
  }
  for (const Json& input : json.at("inputs")) {
    Tensor tensor(input.at("shape").get<Dims>(), problem.width);
    FromHex(input.at("bits"), problem.width, tensor);
    problem.inputs.push_back(std::move(tensor));
  }
  return problem;
}

void Print(const Line& line) {
  std::cout << line.dump(-1, ' ', false, Line::error_handler_t::replace) << std::endl;
}

Line LineOf(std::size_t number, const Json& json, const std::function<Tensor(const Case&)>& run) {
  Line line = {{"case", number}, {"id", json.at("id").get<std::string>()}};
  try {
    const Case problem = Read(json);
    const Tensor result = run(problem);
    line["shape"] = result.shape;
    line["bits"] = ToHex(result, problem.width);
  } catch (const Unsupported& why) {
    line["unsupported"] = why.what();
  } catch (const std::exception& why) {
    line["failed"] = why.what();
  } catch (...) {
    line["failed"] = "an exception without a text";
  }
  return line;
}

}  // namespace

Tensor::Tensor(Dims extents, std::size_t width) : shape(std::move(extents)), count(CountOf(shape)) {
  const std::size_t size = (count * width / kAlignment + 2) * kAlignment;
  data = std::shared_ptr<void>(std::aligned_alloc(kAlignment, size), std::free);
  if (data == nullptr) throw std::bad_alloc();
  std::memset(data.get(), 0xA5, size);
}

Dims BroadcastShape(const Case& problem) {
  std::size_t rank = 0;
  for (const Tensor& input : problem.inputs) rank = std::max(rank, input.shape.size());
  Dims common(rank, 1);
  for (const Tensor& input : problem.inputs) {
    const Dims shape = WithRank(input.shape, rank);
    for (std::size_t d = 0; d < rank; ++d) {
      if (shape[d] != 1) common[d] = shape[d];
    }
  }
  return common;
}

std::vector<bool> Reduced(const Case& problem) {
  const std::size_t rank = problem.inputs.at(0).shape.size();
  std::vector<bool> reduced(rank, !problem.axes);
  if (!problem.axes) return reduced;
  for (std::int64_t axis : *problem.axes) {
    reduced.at(static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis)) = true;
  }
  return reduced;
}

Dims KeptShape(const Case& problem) {
  Dims shape = problem.inputs.at(0).shape;
  const std::vector<bool> reduced = Reduced(problem);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (reduced[d]) shape[d] = 1;
  }
  return shape;
}

Dims ReducedShape(const Case& problem) {
  if (problem.keepdims) return KeptShape(problem);
  const std::vector<bool> reduced = Reduced(problem);
  Dims shape;
  for (std::size_t d = 0; d < reduced.size(); ++d) {
    if (!reduced[d]) shape.push_back(problem.inputs[0].shape[d]);
  }
  return shape;
}

Dims WithRank(Dims shape, std::size_t rank) {
  if (shape.size() < rank) shape.insert(shape.begin(), rank - shape.size(), 1);
  return shape;
}

Arguments ParseArguments(int argc, char** argv, const std::vector<std::string>& own_options) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  std::string usage = "usage: " + std::string(argv[0]) + " DIR [--from N]";
  for (const std::string& option : own_options) usage += " [" + option + " VALUE]";
  Arguments arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool own = std::count(own_options.begin(), own_options.end(), words[i]) != 0;
    if (!own && words[i] != "--from") {
      if (words[i].starts_with("-") || !arguments.folder.empty()) Exit(usage);
      arguments.folder = words[i];
      continue;
    }
    if (i + 1 == words.size()) Exit(usage);
    const std::string& value = words[i + 1];
    if (own) {
      arguments.options[words[i]] = value;
    } else {
      if (value.empty() || value.size() > 9 || value.find_first_not_of("0123456789") != std::string::npos)
        Exit(usage);
      arguments.from = std::stoul(value);
    }
    ++i;
  }
  if (arguments.folder.empty()) Exit(usage);
  return arguments;
}

int RunCases(const Arguments& arguments, const Runtime& runtime,
             const std::function<Tensor(const Case&)>& run) {
  const std::string path = arguments.folder + "/cases.json";
  std::ifstream file(path);
  const Json kit = Json::parse(file, nullptr, false);
  if (!kit.is_object() || !kit.contains("cases")) {
    Exit(path + " cannot be read as the cases of a kit: supremum-audit cases DIR writes one");
  }
  Print({{"runtime", runtime.name}, {"version", runtime.version}, {"interface", runtime.interface}});
  const Json& cases = kit["cases"];
  for (std::size_t i = arguments.from; i < cases.size(); ++i) Print(LineOf(i, cases[i], run));
  return 0;
}

}  // namespace kit
