// Programs in Python: NumPy, PyTorch, onnx, and ONNX Runtime's Python package, called as in kit/runners.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstddef>
#include <utility>

#include "audit/program_parts.h"

namespace supremum::cli {
namespace {

/// "(2, 3)", "(2,)", "()"
std::string Tuple(std::span<const std::int64_t> numbers) {
  return fmt::format("({}{})", ListOf(numbers), numbers.size() == 1 ? "," : "");
}

/// "[x0, x1]"
std::string InputNames(const AuditCase& one) {
  std::string text;
  for (std::size_t i = 0; i < one.inputs.size(); ++i) text += fmt::format("{}x{}", i == 0 ? "" : ", ", i);
  return "[" + text + "]";
}

constexpr std::string_view kRefused = "the model is refused, as it must be";
constexpr std::string_view kRight = "the result has the expected shape and the expected bytes";

/// The first lines. The exit status is 0 if `what`. What is untrusted is in the third line and the fourth,
/// where no comment states an encoding.
std::string Begin(const Exhibit& exhibit, std::string_view imports, std::string_view what = kRight) {
  return fmt::format("#!/usr/bin/env python3\n# Exit status 0 if {}.\n{}{}\n", what, RemarkOf(exhibit, "# "),
                     imports);
}

/// The lines that compare `y`, an array of NumPy.
std::string End(const AuditCase& one) {
  return fmt::format(
      "expected = {}, bytes.fromhex({})  # {}\n"
      "result = y.shape, y.tobytes()\n"
      "print(\"expected:\", expected[0], expected[1].hex())\n"
      "print(\"result:  \", result[0], result[1].hex())\n"
      "sys.exit(result != expected)\n",
      Tuple(one.output.shape), BytesOf(one.dtype, one.output, "", "    "), ValuesOf(one.dtype, one.output));
}

/// A line for each input: an array of NumPy with elements of the type `stated`.
std::string Arrays(const AuditCase& one, std::string_view stated) {
  std::string text;
  for (std::size_t i = 0; i < one.inputs.size(); ++i) {
    text += fmt::format("x{} = np.frombuffer(bytes.fromhex({}), \"{}\").reshape({}).copy()  # {}\n", i,
                        BytesOf(one.dtype, one.inputs[i], "", "    "), stated, Tuple(one.inputs[i].shape),
                        ValuesOf(one.dtype, one.inputs[i]));
  }
  return text;
}

std::string NumPyProgram(const Exhibit& exhibit) {
  const AuditCase& one = exhibit.one;
  std::string call;
  if (one.op == "Max") {
    call = one.inputs.size() == 1   ? "np.maximum(x0)"
           : one.inputs.size() == 2 ? "np.maximum(x0, x1)"
                                    : fmt::format("functools.reduce(np.maximum, {})", InputNames(one));
  } else {
    call = fmt::format("np.max(x0, axis={}, keepdims={})", one.axes ? Tuple(*one.axes) : "None",
                       one.keepdims ? "True" : "False");
  }
  const std::string_view imports = call.starts_with("functools")
                                       ? "import functools\nimport sys\n\nimport numpy as np\n"
                                       : "import sys\n\nimport numpy as np\n";
  return Begin(exhibit, imports) + Arrays(one, Name(one.dtype)) +
         fmt::format("y = np.asarray({}, \"{}\")\n\n", call, Name(one.dtype)) + End(one);
}

std::string PyTorchProgram(const Exhibit& exhibit) {
  const AuditCase& one = exhibit.one;
  std::string text = Begin(exhibit, "import ctypes\nimport functools\nimport sys\n\nimport torch\n") +
                     "torch.set_num_threads(1)\n";
  for (std::size_t i = 0; i < one.inputs.size(); ++i) {
    const TensorBits& input = one.inputs[i];
    text +=
        input.bits.empty()
            ? fmt::format("x{} = torch.empty({}, dtype=torch.{})\n", i, Tuple(input.shape), Name(one.dtype))
            : fmt::format("x{} = torch.frombuffer(bytearray.fromhex({}), dtype=torch.{}).reshape({})  # {}\n",
                          i, BytesOf(one.dtype, input, "", "    "), Name(one.dtype), Tuple(input.shape),
                          ValuesOf(one.dtype, input));
  }
  const std::string call =
      one.op == "ReduceMax"    ? fmt::format("torch.amax(x0, dim={}, keepdim={})",
                                             Tuple(one.axes.value_or(std::vector<std::int64_t>())),
                                          one.keepdims ? "True" : "False")
      : one.inputs.size() == 1 ? "torch.maximum(x0)"
                               : fmt::format("functools.reduce(torch.maximum, {})", InputNames(one));
  return text + fmt::format(
                    "y = {}.contiguous()\nassert y.dtype == x0.dtype, y.dtype\n\n"
                    "expected = {}, bytes.fromhex({})  # {}\n"
                    "result = tuple(y.shape), ctypes.string_at(y.data_ptr(), y.numel() * y.element_size())\n"
                    "print(\"expected:\", expected[0], expected[1].hex())\n"
                    "print(\"result:  \", result[0], result[1].hex())\n"
                    "sys.exit(result != expected)\n",
                    call, Tuple(one.output.shape), BytesOf(one.dtype, one.output, "", "    "),
                    ValuesOf(one.dtype, one.output));
}

/// The line that names the model beside the program.
std::string ModelLine(const Exhibit& exhibit) {
  return fmt::format("model = str((Path(__file__).parent / \"{}.onnx\").resolve(strict=True))\n",
                     exhibit.name);
}

/// Lines that try to run a model which must be refused.
std::string Attempt(std::string_view lines) {
  return fmt::format(
      "try:\n{}except Exception as error:\n    print(\"refused:\", error)\n    sys.exit(0)\n"
      "print(\"accepted\")\nsys.exit(1)\n",
      lines);
}

/// A line for each input, made from a TensorProto, as of a file: NumPy has no bfloat16, and what onnx takes
/// for it depends on the version.
std::string ProtoArrays(const AuditCase& one) {
  constexpr std::array<std::string_view, 13> kTypes = {"BFLOAT16", "FLOAT16", "FLOAT", "DOUBLE", "INT8",
                                                       "INT16",    "INT32",   "INT64", "UINT8",  "UINT16",
                                                       "UINT32",   "UINT64",  "BOOL"};
  std::string text;
  for (std::size_t i = 0; i < one.inputs.size(); ++i) {
    text += fmt::format(
        "t{0} = TensorProto(data_type=TensorProto.{1}, dims={2}, raw_data=bytes.fromhex({3}))\n"
        "x{0} = numpy_helper.to_array(t{0})  # {4}\n",
        i, kTypes[static_cast<std::size_t>(one.dtype)], Tuple(one.inputs[i].shape),
        BytesOf(one.dtype, one.inputs[i], "", "    ", std::endian::little),
        ValuesOf(one.dtype, one.inputs[i]));
  }
  return text;
}

std::string OnnxProgram(const Exhibit& exhibit) {
  const AuditCase& one = exhibit.one;
  const std::string modules = "import sys\nfrom pathlib import Path\n\n";
  const std::string check = "onnx.checker.check_model(model, full_check=True)\n";
  if (one.invalid) {
    return Begin(exhibit, modules + "import onnx\n", kRefused) + ModelLine(exhibit) + Attempt("    " + check);
  }
  if (exhibit.head.interface.find("evaluator") == std::string::npos) {
    return Begin(exhibit, modules + "import onnx\n", "the checker accepts the model") + ModelLine(exhibit) +
           check + "print(\"the checker accepts the model\")\n";
  }
  return Begin(exhibit, modules +
                            "import onnx\nfrom onnx import TensorProto, numpy_helper\n"
                            "from onnx.reference import ReferenceEvaluator\n") +
         ModelLine(exhibit) + check + ProtoArrays(one) +
         fmt::format(
             "evaluator = ReferenceEvaluator(model)\n"
             "(y,) = evaluator.run(None, dict(zip(evaluator.input_names, {})))\n\n",
             InputNames(one)) +
         End(one);
}

std::string OnnxRuntimeProgram(const Exhibit& exhibit) {
  const AuditCase& one = exhibit.one;
  const bool bfloat16 = !one.invalid && one.dtype == DType::kBFloat16;
  const std::string session = ModelLine(exhibit) +
                              "options = ort.SessionOptions()\n"
                              "options.intra_op_num_threads, options.log_severity_level = 1, 4\n";
  const std::string_view open =
      "session = ort.InferenceSession(model, options, providers=[\"CPUExecutionProvider\"])\n";
  const std::string begin =
      Begin(exhibit,
            "import sys\nfrom pathlib import Path\n\nimport numpy as np\nimport onnxruntime as ort\n",
            one.invalid ? kRefused : kRight) +
      session;
  if (one.invalid) {
    return begin + "names = {\"float\": \"float32\", \"double\": \"float64\"}\n" +
           Attempt(fmt::format(
               "    {}"
               "    feeds = {{}}\n"
               "    for value in session.get_inputs():  # zeros; an extent that the model leaves open is 1\n"
               "        shape = [extent if isinstance(extent, int) else 1 for extent in value.shape]\n"
               "        feeds[value.name] = np.zeros(shape, names.get(value.type[7:-1], value.type[7:-1]))\n"
               "    session.run(None, feeds)\n",
               open));
  }
  const std::string_view value = bfloat16 ? "ort.OrtValue.ortvalue_from_numpy_with_onnx_type(x, 16)"
                                          : "ort.OrtValue.ortvalue_from_numpy(x)";
  return begin + Arrays(one, bfloat16 ? "uint16" : Name(one.dtype)) + std::string(open) +
         fmt::format(
             "values = [{} for x in {}]\n"
             "names = [value.name for value in session.get_inputs()]\n"
             "(y,) = session.run_with_ort_values(None, dict(zip(names, values)))\n"
             "y = y.numpy()\nassert y.dtype.name == \"{}\", y.dtype\n\n",
             value, InputNames(one), Name(one.dtype)) +
         End(one);
}

}  // namespace

std::optional<Program> PythonProgram(const Exhibit& exhibit) {
  const RunnerHead& head = exhibit.head;
  if (!head.interface.starts_with("Python")) return std::nullopt;
  const auto program = [&](std::string text, bool needs_model = false) {
    return Program{".py", "python", fmt::format("python3 {}.py", exhibit.name), std::move(text), needs_model};
  };
  const bool has_model = exhibit.one.ModelPath().ends_with(".onnx");
  if (head.runtime == "onnx" && has_model) return program(OnnxProgram(exhibit), true);
  if (head.runtime == "ONNX Runtime" && has_model) return program(OnnxRuntimeProgram(exhibit), true);
  if (exhibit.one.invalid) return std::nullopt;
  if (head.runtime == "NumPy") return program(NumPyProgram(exhibit));
  if (head.runtime == "PyTorch") return program(PyTorchProgram(exhibit));
  return std::nullopt;
}

}  // namespace supremum::cli
