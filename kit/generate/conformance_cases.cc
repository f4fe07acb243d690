#include "generate/conformance_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <exception>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "cli/folder_errors.h"
#include "cli/output.h"
#include "generate/invalid_models.h"
#include "io/files/file_bytes.h"
#include "io/formats/byte_order.h"

namespace supremum::cli {
namespace {

using Json = nlohmann::ordered_json;

// Errors of a case are thrown inside this file: the JSON library throws too, and ParseCaseFile adds the
// case's name to both.
[[noreturn]] void Refuse(const std::string& details) { throw std::invalid_argument(details); }

template <class T>
T NumberOf(std::string_view text, int base) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size())
    Refuse(fmt::format("'{}' is not a number", text));
  return value;
}

DType DTypeNamed(const std::string& name) {
  const std::optional<DType> dtype = ParseDType(name);
  if (!dtype || Name(*dtype) != name) Refuse(fmt::format("'{}' is not a type", name));
  return *dtype;
}

Shape ShapeOf(const Json& json) {
  const auto extents = json.get<std::vector<std::int64_t>>();
  const std::optional<Shape> shape = Shape::FromSpan(extents);
  if (!shape) Refuse(fmt::format("a shape of rank {}", extents.size()));
  return *shape;
}

std::optional<bool> FlagOf(const Json& attributes, const char* name) {
  if (!attributes.contains(name)) return std::nullopt;
  const int value = attributes.at(name).get<int>();
  if (value != 0 && value != 1) Refuse(fmt::format("'{}' is {}", name, value));
  return value == 1;
}

/// A case without its elements.
io::OneNodeModel ModelOf(const Json& json) {
  io::OneNodeModel model;
  model.op_type = json.at("operator").get<std::string>();
  if (model.op_type != "Max" && model.op_type != "ReduceMax") {
    Refuse(fmt::format("the operator '{}'", model.op_type));
  }
  model.opset = json.at("opset").get<std::int64_t>();
  model.producer_version = Version();
  for (const Json& shape : json.at("shapes")) model.inputs.push_back(ShapeOf(shape));
  model.output = ShapeOf(json.at("output_shape"));
  if (!json.contains("attributes")) return model;
  const Json& attributes = json.at("attributes");
  if (attributes.contains("axes")) model.axes = attributes.at("axes").get<std::vector<std::int64_t>>();
  model.keepdims = FlagOf(attributes, "keepdims");
  model.noop_with_empty_axes = FlagOf(attributes, "noop_with_empty_axes");
  return model;
}

/// True if the graph of the case must leave keep_dims out, the only attribute that it can.
bool LeavesOutKeepDims(const Json& json, const io::OneNodeModel& model) {
  if (!json.contains("onednn_leaves_out")) return false;
  const auto names = json.at("onednn_leaves_out").get<std::vector<std::string>>();
  if (names != std::vector<std::string>{"keep_dims"} || model.keepdims.value_or(true))
    Refuse("'onednn_leaves_out' is not [\"keep_dims\"], or keepdims is not 0");
  return true;
}

ConformanceCase CaseOf(const io::OneNodeModel& model, const Json& bits, DType dtype) {
  ConformanceCase one;
  one.model = model;
  one.model.dtype = dtype;
  const Json& inputs = bits.at("inputs");
  if (inputs.size() != model.inputs.size()) Refuse("the numbers of inputs and of shapes differ");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    one.inputs.push_back({fmt::format("x{}", i),
                          TensorOfBits(dtype, model.inputs[i], inputs[i].get_ref<const std::string&>())});
  }
  one.output = TensorOfBits(dtype, *model.output, bits.at("output").get_ref<const std::string&>());
  return one;
}

InvalidCase InvalidOf(const Json& json) {
  InvalidCase one;
  if (json.contains("model")) {
    one.model = AnyModelOf(json.at("model"));
    one.model->producer_version = Version();
  } else {
    one.graph = json.at("graph");
  }
  if (json.contains("inputs")) {
    for (const Json& input : json.at("inputs")) {
      const std::size_t place = one.inputs.size();
      if (!one.model || place >= one.model->inputs.size()) Refuse("more inputs than its model has");
      one.inputs.push_back(
          {one.model->inputs[place].name,
           TensorOfBits(DTypeNamed(input.at("type").get<std::string>()), ShapeOf(input.at("shape")),
                        input.at("bits").get_ref<const std::string&>())});
    }
  }
  one.no_broadcast = json.value("no_broadcast", false);
  one.verdict = json.at("verdict");
  return one;
}

}  // namespace

Tensor TensorOfBits(DType dtype, const Shape& shape, std::string_view text) {
  Result<Tensor> tensor = Tensor::Create(dtype, shape);
  if (!tensor) Refuse(tensor.error().message);
  const std::size_t width = ByteWidth(dtype);
  std::span<std::byte> rest = tensor->bytes();
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    const std::size_t star = part.find('*');
    if (part.substr(0, star).size() != 2 * width) {
      Refuse(fmt::format("'{}' does not have the {} digits of a {}", part, 2 * width, Name(dtype)));
    }
    const auto bits = NumberOf<std::uint64_t>(part.substr(0, star), 16);
    const auto repeat = star == std::string_view::npos ? 1 : NumberOf<std::size_t>(part.substr(star + 1), 10);
    if (repeat > rest.size() / width)
      Refuse(fmt::format("more elements than the shape {} has", ToString(shape)));
    // The lower bytes, which are the last ones on a big-endian machine.
    const std::byte* const lower =
        std::as_bytes(std::span(&bits, 1)).data() + (io::kBigEndianMachine ? sizeof(bits) - width : 0);
    for (std::size_t i = 0; i < repeat; ++i) std::memcpy(rest.data() + i * width, lower, width);
    rest = rest.subspan(repeat * width);
  }
  if (!rest.empty()) Refuse(fmt::format("fewer elements than the shape {} has", ToString(shape)));
  return *std::move(tensor);
}

Result<std::vector<CaseFile>> ReadCaseFiles(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<CaseFile> files;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (entry->path().extension() != ".json") continue;
    const auto bytes = io::ReadFileBytes(entry->path().string(), kDefaultMaxBytes);
    if (!bytes) return bytes.error();
    files.push_back(
        {entry->path().filename().string(), {reinterpret_cast<const char*>(bytes->data()), bytes->size()}});
  }
  if (error) return CannotListFolder(folder, error);
  if (files.empty()) {
    return MakeError(ErrorCode::kInvalidArgument,
                     fmt::format("{}: the folder has no case file, NAME.json", folder));
  }
  std::ranges::sort(files, {}, &CaseFile::name);
  return files;
}

Result<bool> StatesModels(const CaseFile& file) {
  try {
    return !Json::parse(file.text).contains("list");
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return MakeError(ErrorCode::kMalformedFile, fmt::format("'{}': {}", file.name, Printable(error.what())));
  }
}

Result<CaseGroup> ParseCaseFile(const CaseFile& file) {
  CaseGroup group;
  std::string where = fmt::format("'{}'", file.name);
  try {
    const Json json = Json::parse(file.text);
    group.name = json.at("group").get<std::string>();
    if (group.name + ".json" != file.name) Refuse("the names of the group and of the file differ");
    group.rules = json.at("rules").get<std::vector<std::string>>();
    group.reason = json.at("reason").get<std::string>();
    if (!json.contains("cases") && !json.contains("invalid")) Refuse("it has neither 'cases' nor 'invalid'");
    if (json.contains("cases")) {
      for (const Json& of : json.at("cases")) {
        const std::string name = of.at("name").get<std::string>();
        where = fmt::format("'{}': {}", file.name, name);
        const io::OneNodeModel model = ModelOf(of);
        for (const auto& [type, bits] : of.at("bits").items()) {
          where = fmt::format("'{}': {}/{}", file.name, name, type);
          ConformanceCase one = CaseOf(model, bits, DTypeNamed(type));
          one.id = fmt::format("{}/{}/{}", group.name, name, type);
          one.name = name;
          one.leaves_out_keep_dims = LeavesOutKeepDims(of, model);
          group.cases.push_back(std::move(one));
        }
      }
    }
    if (json.contains("invalid")) {
      for (const Json& of : json.at("invalid")) {
        const std::string name = of.at("name").get<std::string>();
        where = fmt::format("'{}': {}", file.name, name);
        InvalidCase one = InvalidOf(of);
        one.id = fmt::format("{}/{}", group.name, name);
        group.invalid.push_back(std::move(one));
      }
    }
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return MakeError(ErrorCode::kMalformedFile,
                     fmt::format("{}: {}; kit/README.md describes the format of case files", where,
                                 Printable(error.what())));
  }
  return group;
}

}  // namespace supremum::cli
