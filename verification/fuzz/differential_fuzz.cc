// Any operator, type, shapes, strides, thresholds, threads and bits: every target that runs here against the
// reference, in every bit, and nothing outside the output touched.
#include <cstdint>
#include <cstring>
#include <string>

#include "fuzz.h"
#include "kernels/targets.h"
#include "support/call_memory.h"
#include "support/calls.h"
#include "support/run_call.h"

using namespace supremum;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Choices choices(data, size);
  const bool reduces = choices.Bool();
  const DType dtype = kAllDTypes[choices.Below(reduces ? kAllDTypes.size() : kNumberDTypes.size())];
  const std::int64_t most = choices.Below(8) == 0 ? 40'000 : 2'000;
  const test::Call call =
      reduces ? test::RandomReduceMax(choices, 6, most) : test::RandomMax(choices, 6, most);
  test::CallMemory memory(choices, call, dtype);
  const bool has_own_elements = choices.Bool();
  if (!has_own_elements) memory.FillSources(choices);
  const test::Setting setting = test::RandomSetting(choices);
  if (has_own_elements) {  // the bytes given, over and over, changed a little each time round
    const std::span<const std::uint8_t> bytes = choices.Rest();
    std::size_t at = 0;
    memory.ForEachSourceElement([&](std::byte* element) {
      for (std::size_t k = 0; k < ByteWidth(dtype); ++k, ++at) {
        const std::size_t round = bytes.empty() ? at : at / bytes.size();
        std::size_t byte = bytes.empty() ? 0 : bytes[at % bytes.size()];
        if (round % 7 == 6) byte ^= round;
        element[k] = static_cast<std::byte>(dtype == DType::kBool ? byte & 1 : byte & 0xFF);
      }
    });
  }
  const test::CallMemory expected = memory.Expected();
  const test::ScopedSetting scoped(setting);
  for (const kernels::KernelTable* table : kernels::RunnableTables()) {
    kernels::UseKernels(table);
    test::CallMemory actual = memory;
    const Result<void> done = test::RunCall(call, actual.Sources(), actual.Output());
    const std::string where =
        std::string(Name(dtype)) + " " + call.Text() + " by " + std::string(table->target);
    if (!done) fuzz::Fail(where + ": " + done.error().message);
    if (!(actual == expected)) fuzz::Fail(where + ": other bits than the reference");
  }
  kernels::UseKernels(nullptr);
  return 0;
}
