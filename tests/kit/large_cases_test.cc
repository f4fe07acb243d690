// Large cases: layouts with sizes near the vector widths and tile sizes, computed by the library on every
// target.
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include "kit/further.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"
#include "supremum/reference.h"

namespace supremum::test {
namespace {

std::string Sha256(std::span<const std::byte> bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    text += kDigits[digest[i] >> 4U];
    text += kDigits[digest[i] & 15U];
  }
  return text;
}

/// The operands of a case, with memory for its output.
struct Operands {
  explicit Operands(const FurtherCase& one)
      : reduction(one.stated),
        inputs(one.stated.at("shapes"), one.bits.at("inputs"), one.dtype),
        output(Tensor::Create(one.dtype, ShapeOf(one.stated.at("output_shape"))).value()) {}

  Reduction reduction;
  DenseTensors inputs;
  Tensor output;
};

std::string Compare(const FurtherCase& one, const Result<void>& done, const Tensor& output) {
  if (!done) return done.error().message;
  // Each element with its lowest byte first.
  std::vector<std::byte> bytes(output.bytes().begin(), output.bytes().end());
  if (std::endian::native == std::endian::big) {
    const std::size_t width = ByteWidth(one.dtype);
    for (std::size_t i = 0; i < bytes.size(); i += width) std::reverse(&bytes[i], &bytes[i] + width);
  }
  return Sha256(bytes) == one.bits.at("output_sha256").get<std::string>() ? ""
                                                                          : "the output has another SHA-256";
}

std::string Wrong(const FurtherCase& one, std::size_t threads) {
  Operands operands(one);
  std::ranges::fill(operands.output.bytes(), std::byte{0xA5});
  MaxOptions max;
  max.threads = threads;
  const Result<void> done = one.Reduces() ? ReduceMax(operands.inputs.views[0], operands.output.MutableView(),
                                                      operands.reduction.Options(threads))
                                          : Max(operands.inputs.views, operands.output.MutableView(), max);
  return Compare(one, done, operands.output);
}

// Rules: ORD-2, ORD-3, ORD-5, MAX-2, BRO-5, RED-1
TEST(FurtherCases, OfLargeTensorsHaveTheSha256ThatTheyState) {
  const std::vector<FurtherCase> cases = ReadFurther("large");
  EXPECT_GE(cases.size(), 700u);
  const Failures failures = FailuresOf(cases, Wrong);
  EXPECT_EQ(failures.count(), 0u) << failures.texts();
}

TEST(FurtherCases, OfLargeTensorsAreThoseOfTheReference) {
  Failures failures;
  for (const FurtherCase& one : ReadFurther("large")) {
    Operands operands(one);
    const ReduceMaxOptions options = operands.reduction.Options(1);
    const Result<void> done =
        one.Reduces() ? reference::ReduceMax(operands.inputs.views[0], operands.output.MutableView(),
                                             options.axes.list(), options.keepdims)
                      : reference::Max(operands.inputs.views, operands.output.MutableView());
    const std::string text = Compare(one, done, operands.output);
    if (!text.empty()) failures.Add(one.id, text);
  }
  EXPECT_EQ(failures.count(), 0u) << failures.texts();
}

// Rules: ORD-5
TEST(FurtherCases, OfLargeTensorsDetectPlantedFaults) {
  for (FurtherCase one : ReadFurther("large")) {
    std::string& digest = one.bits.at("output_sha256").get_ref<std::string&>();
    digest.back() = digest.back() == '0' ? '1' : '0';
    EXPECT_NE(Wrong(one, 1), "") << one.id;
  }
}

}  // namespace
}  // namespace supremum::test
