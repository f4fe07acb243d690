// The profile checker, without the onnx library's inference, which runs in a subprocess.
#include <onnx/onnx_pb.h>

#include <span>

#include "frontends/onnx/check/check_model.h"
#include "frontends/onnx/check/check_proto.h"
#include "frontends/onnx/read/graph.h"
#include "frontends/onnx/read/inline_functions.h"
#include "frontends/onnx/read/parse_model.h"
#include "frontends/onnx/read/well_formed.h"
#include "fuzz.h"

using namespace supremum;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::int64_t kMostBytes = 1 << 22;
  const auto model = onnx_front::ParseModel(std::as_bytes(std::span(data, size)), "'m.onnx'", kMostBytes);
  if (!model) {
    fuzz::ExpectShowable(model.error());
    return 0;
  }
  const Result<std::int64_t> opset = onnx_front::OnnxOpset(**model, "'m.onnx'");
  if (!opset) {
    fuzz::ExpectShowable(opset.error());
    return 0;
  }
  if (const Result<void> formed = onnx_front::CheckWellFormed(**model, "'m.onnx'"); !formed) {
    fuzz::ExpectShowable(formed.error());
    return 0;
  }
  const auto inlined = onnx_front::InlineFunctions(**model, "'m.onnx'", *opset, kMostBytes);
  if (!inlined) {
    fuzz::ExpectShowable(inlined.error());
    return 0;
  }
  for (const Profile profile : {Profile::kOnnx, Profile::kSonnx}) {
    CheckOptions options;
    options.profile = profile;
    options.identical_shapes_only = profile == Profile::kSonnx;
    options.max_bytes = kMostBytes;
    CheckReport report;
    report.model = "'m.onnx'";
    report.profile = profile;
    report.opset = *opset;
    const Result<bool> complete = onnx_front::CheckNodes(**model, *inlined, *inlined->model, options, report);
    if (!complete) {
      fuzz::ExpectShowable(complete.error());
      continue;
    }
    const std::optional<Error> first = onnx_front::FirstError(report);
    fuzz::Expect(first.has_value() == !report.Holds(), "a report whose first error does not agree with it");
    if (first) fuzz::ExpectShowable(*first);
  }
  return 0;
}
