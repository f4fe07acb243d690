#include "io/formats/tensor_file.h"

#include <sys/stat.h>

#include <array>
#include <span>
#include <utility>

#include "core/out_of_memory.h"
#include "core/quote.h"
#include "io/files/messages.h"
#include "io/formats/byte_order.h"
#include "io/formats/element_file.h"
#include "io/formats/npy_header.h"
#include "io/formats/npz.h"
#include "io/formats/raw.h"
#include "io/formats/safetensors.h"
#include "io/formats/safetensors_header.h"
#include "io/formats/tensor_proto.h"

namespace supremum::io {
namespace {

struct Ending {
  std::string_view text;
  TensorFormat format;
};

constexpr std::array<Ending, 6> kEndings = {{
    {".npy", TensorFormat::kNpy},
    {".npz", TensorFormat::kNpz},
    {".pb", TensorFormat::kTensorProto},
    {".safetensors", TensorFormat::kSafetensors},
    {".raw", TensorFormat::kRaw},
    {".bin", TensorFormat::kRaw},
}};

std::optional<TensorFormat> FormatByEnding(std::string_view path) {
  for (const Ending& ending : kEndings) {
    if (path.ends_with(ending.text)) return ending.format;
  }
  return std::nullopt;
}

// The format of `spec`. A spec with colons but without a known form or ending is raw, so that the error text
// says what is wrong between the colons.
Result<TensorFormat> FormatForReading(const std::string& spec) {
  if (LooksLikeRaw(spec)) return TensorFormat::kRaw;
  const std::optional<TensorFormat> format = FormatByEnding(SplitTensorName(spec).file);
  if (format && *format != TensorFormat::kRaw) return *format;
  if (format || spec.find(':') != std::string::npos) return TensorFormat::kRaw;
  return MakeError(ErrorCode::kInvalidArgument, Quote(spec) +
                                                    " does not have the name of a tensor file; give a .npy, "
                                                    ".npz, .pb or .safetensors file, or elements alone as "
                                                    "name:dtype:shape:file");
}

Result<NamedTensor> ReadProto(const std::string& path, const ReadOptions& options) {
  Result<NamedTensor> tensor = ReadTensorProto(path, options.max_bytes, options.unsupported);
  if (tensor && options.stated_dtype && *options.stated_dtype != tensor->tensor.dtype()) {
    const std::string type(Name(tensor->tensor.dtype()));
    return ErrorAt(ErrorCode::kTypeMismatch, Quote(path), "TYP-2",
                   "'data_type' is " + type + " and " + std::string(Name(*options.stated_dtype)) +
                       " is stated; nothing is converted",
                   ": state " + type + " or nothing");
  }
  return tensor;
}

}  // namespace

TensorSpec SplitTensorName(const std::string& spec) {
  struct stat status = {};
  if (LooksLikeRaw(spec) || ::stat(spec.c_str(), &status) == 0) return {spec, std::nullopt};
  for (std::size_t at = spec.find("::"); at != std::string::npos; at = spec.find("::", at + 1)) {
    const std::optional<TensorFormat> format = FormatByEnding(std::string_view(spec).substr(0, at));
    if (format == TensorFormat::kNpz || format == TensorFormat::kSafetensors) {
      return {spec.substr(0, at), spec.substr(at + 2)};
    }
  }
  return {spec, std::nullopt};
}

Result<NamedTensor> ReadTensor(const std::string& spec, const ReadOptions& options) {
  return OrOutOfMemory([&]() -> Result<NamedTensor> {
    const Result<TensorFormat> format = FormatForReading(spec);
    if (!format) return format.error();
    const auto [file, name] = SplitTensorName(spec);
    if (*format == TensorFormat::kNpz) return ReadSingleNpz(file, options, name);
    if (*format == TensorFormat::kTensorProto) return ReadProto(spec, options);
    return ReadElements(OpenElements(spec, options), options.max_bytes);
  });
}

Result<std::vector<NamedTensor>> ReadTensors(const std::string& spec, const ReadOptions& options) {
  return OrOutOfMemory([&]() -> Result<std::vector<NamedTensor>> {
    const Result<TensorFormat> format = FormatForReading(spec);
    if (!format) return format.error();
    const bool all = !SplitTensorName(spec).tensor;
    if (all && *format == TensorFormat::kNpz) return ReadNpz(spec, options);
    if (all && *format == TensorFormat::kSafetensors) return ReadSafetensors(spec, options);
    const std::size_t unsupported = CountUnsupported(options);
    Result<NamedTensor> tensor = ReadTensor(spec, options);
    std::vector<NamedTensor> tensors;
    if (!tensor && CountUnsupported(options) > unsupported) return tensors;
    if (!tensor) return tensor.error();
    tensors.push_back(*std::move(tensor));
    return tensors;
  });
}

bool LooksLikeTensor(std::string_view spec) {
  if (LooksLikeRaw(spec)) return true;
  const std::optional<TensorFormat> format = FormatByEnding(SplitTensorName(std::string(spec)).file);
  return format && *format != TensorFormat::kRaw;
}

Result<std::string> HeaderBytes(const std::string& path, TensorFormat format, std::string_view name,
                                DType dtype, DimsView shape) {
  if (format == TensorFormat::kRaw) return std::string();
  if (format == TensorFormat::kNpy) return NpyHeaderBytes(dtype, shape);
  if (!IsPlainUtf8(name) || name == "__metadata__") {
    return ErrorAt(ErrorCode::kInvalidArgument, Quote(path),
                   "no tensor of a .safetensors file can be called " + Quote(name) +
                       "; a name is UTF-8 without zero bytes, and not '__metadata__'");
  }
  return SafetensorsHeaderBytes(name, dtype, shape);
}

Result<AtomicFile> StageTensor(const std::string& path, TensorFormat format, std::string_view name,
                               const Tensor& tensor) {
  return OrOutOfMemory([&]() -> Result<AtomicFile> {
    if (format == TensorFormat::kNpz) return StageNpz(path, name, tensor);
    const Result<std::string> header = format == TensorFormat::kTensorProto
                                           ? TensorProtoHead(path, name, tensor)
                                           : HeaderBytes(path, format, name, tensor.dtype(), tensor.shape());
    if (!header) return header.error();
    Result<AtomicFile> file = AtomicFile::Create(path);
    if (!file) return file.error();
    if (auto done = file->Write(std::as_bytes(std::span(*header))); !done) return done.error();
    if (auto done = WriteElements(tensor, &*file); !done) return done.error();
    if (auto done = file->Sync(); !done) return done.error();
    return file;
  });
}

Result<void> WriteTensor(const std::string& path, TensorFormat format, std::string_view name,
                         const Tensor& tensor) {
  return OrOutOfMemory(
      [&]() -> Result<void> { return CommitStaged(StageTensor(path, format, name, tensor)); });
}

Result<TensorFormat> FormatOfPath(std::string_view path) {
  const std::optional<TensorFormat> format = FormatByEnding(path);
  if (format) return *format;
  std::string known;
  for (const Ending& ending : kEndings) known += (known.empty() ? "" : ", ") + std::string(ending.text);
  return MakeError(ErrorCode::kInvalidArgument,
                   Quote(path) + " has no ending that tells the format; give it one of " + known);
}

}  // namespace supremum::io
