// Programs for Node: ONNX Runtime's npm package, called as in kit/runners/onnxruntime.
#include <fmt/format.h>

#include <array>
#include <cstddef>

#include "audit/program_parts.h"

namespace supremum::cli {
namespace {

/// The typed array that has elements of a type.
std::string_view ArrayOf(DType dtype) {
  constexpr std::array<std::string_view, 13> kArrays = {
      "Uint16Array", "Uint16Array",    "Float32Array",  "Float64Array", "Int8Array",
      "Int16Array",  "Int32Array",     "BigInt64Array", "Uint8Array",   "Uint16Array",
      "Uint32Array", "BigUint64Array", "Uint8Array"};
  return kArrays[static_cast<std::size_t>(dtype)];
}

std::string Begin(const Exhibit& exhibit) {
  return fmt::format(
      "'use strict';\n"
      "// Exit status 0 if {}.\n"
      "{}"
      "const fs = require('fs');\n"
      "const path = require('path');\n"
      "const ort = require('onnxruntime-node');\n\n"
      "const model = fs.realpathSync(path.join(__dirname, '{}.onnx'));\n",
      exhibit.one.invalid ? "the model is refused, as it must be"
                          : "the result has the expected shape and the expected bytes",
      RemarkOf(exhibit, "// "), exhibit.name);
}

constexpr std::string_view kOpen =
    "  const session = await ort.InferenceSession.create(model, {intraOpNumThreads: 1, logSeverityLevel: "
    "4});\n";

std::string OfInvalid(const Exhibit& exhibit) {
  std::string arrays;
  for (std::size_t i = 0; i < kAllDTypes.size(); ++i) {
    arrays +=
        fmt::format("{}{}: {},", i % 4 == 0 ? "\n  " : " ", Name(kAllDTypes[i]), ArrayOf(kAllDTypes[i]));
  }
  return Begin(exhibit) + fmt::format("const ARRAYS = {{{}\n}};\n\n", arrays) +
         "// Zeros for an input of the model; an extent that it leaves open is 1.\n"
         "function zeros({type, shape}) {\n"
         "  const extents = shape.map((extent) => (typeof extent === 'number' ? extent : 1));\n"
         "  const count = extents.reduce((product, extent) => product * extent, 1);\n"
         "  return new ort.Tensor(type, new ARRAYS[type](count), extents);\n"
         "}\n\n"
         "async function main() {\n" +
         std::string(kOpen) +
         "  const tensors = session.inputMetadata.map(zeros);\n"
         "  await session.run(Object.fromEntries(session.inputNames.map((name, i) => [name, tensors[i]])));\n"
         "  await session.release();\n"
         "  console.log('accepted');\n"
         "  process.exitCode = 1;\n"
         "}\n\n"
         "main().catch((error) => console.log('refused:', error.message));\n";
}

std::string OfValid(const Exhibit& exhibit) {
  const AuditCase& one = exhibit.one;
  std::string tensors;
  for (const TensorBits& input : one.inputs) {
    tensors += fmt::format("  new ort.Tensor('{}', new {}(bytes({}).buffer), [{}]),  // {}\n",
                           Name(one.dtype), ArrayOf(one.dtype), BytesOf(one.dtype, input, " +", "    "),
                           ListOf(input.shape), ValuesOf(one.dtype, input));
  }
  return Begin(exhibit) +
         fmt::format(
             "const bytes = (hex) => Uint8Array.from(Buffer.from(hex.replace(/ /g, ''), 'hex'));\n"
             "const tensors = [\n{}];\n"
             "const expected = [[{}], {}];  // {}\n\n"
             "async function main() {{\n{}",
             tensors, ListOf(one.output.shape), BytesOf(one.dtype, one.output, " +", "  "),
             ValuesOf(one.dtype, one.output), kOpen) +
         "  const feeds = Object.fromEntries(session.inputNames.map((name, i) => [name, tensors[i]]));\n"
         "  const y = (await session.run(feeds))[session.outputNames[0]];\n" +
         fmt::format("  if (y.type !== '{}') throw new Error('the result is of type ' + y.type);\n",
                     Name(one.dtype)) +
         "  const content = Buffer.from(y.data.buffer, y.data.byteOffset, y.data.byteLength);\n"
         "  console.log('expected:', expected[0], expected[1]);\n"
         "  console.log('result:  ', [...y.dims], content.toString('hex'));\n"
         "  const right = String(y.dims) === String(expected[0]) && content.equals(bytes(expected[1]));\n"
         "  process.exitCode = right ? 0 : 1;\n"
         "  await session.release();\n"
         "}\n\n"
         "main().catch((error) => {\n"
         "  console.error(error.message);\n"
         "  process.exitCode = 1;\n"
         "});\n";
}

}  // namespace

std::optional<Program> NodeProgram(const Exhibit& exhibit) {
  const RunnerHead& head = exhibit.head;
  if (head.runtime != "ONNX Runtime" || head.interface != "Node" ||
      !exhibit.one.ModelPath().ends_with(".onnx"))
    return std::nullopt;
  return Program{".cjs", "js", fmt::format("node {}.cjs", exhibit.name),
                 exhibit.one.invalid ? OfInvalid(exhibit) : OfValid(exhibit), true};
}

}  // namespace supremum::cli
