// Random descriptions, most of them wrong: each is refused with a text and without a byte written, or
// computed.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "bindings/c/testing.h"
#include "support/values.h"

namespace supremum {
namespace {

using test::Below;
using test::Rng;

// Every description is of memory in these arenas, or is refused: extents are at most 4 and strides at most 8
// where they are not absurd, so that each element is within 6*3*8*8 bytes of the middle.
constexpr std::size_t kArena = 4096;

struct Hostile {
  std::array<std::int64_t, 70> shape, strides;
  DLTensor tensor;
  bool absurd = false;  // so that it is refused, whatever the others are
};

// A tensor of small extents in the arena; one in `sane` has one thing wrong with it.
void Describe(Rng& rng, std::vector<std::byte>& arena, DLDataType type, std::size_t sane, Hostile& hostile) {
  DLTensor& tensor = hostile.tensor;
  tensor = {};
  tensor.data = arena.data();
  tensor.byte_offset = kArena / 2;
  tensor.device = {kDLCPU, static_cast<int>(Below(rng, 3))};
  tensor.ndim = static_cast<int>(Below(rng, 4));
  tensor.dtype = type;
  for (std::size_t d = 0; d < hostile.shape.size(); ++d) {
    hostile.shape[d] = Below(rng, 12) == 0 ? 0 : 1 + static_cast<std::int64_t>(Below(rng, 3));
    hostile.strides[d] = static_cast<std::int64_t>(Below(rng, 17)) - 8;
  }
  tensor.shape = hostile.shape.data();
  tensor.strides = Below(rng, 2) == 0 ? nullptr : hostile.strides.data();
  hostile.absurd = Below(rng, sane) == 0;
  if (!hostile.absurd) return;
  switch (Below(rng, 8)) {
    case 0: {
      const std::int32_t device = Below(rng, 2) == 0 ? 2 : static_cast<std::int32_t>(rng() | 16);
      std::memcpy(&tensor.device.device_type, &device, sizeof(device));
      return;
    }
    case 1:
      tensor.ndim = Below(rng, 2) == 0 ? -1 - static_cast<int>(Below(rng, 1u << 31))
                                       : 65 + static_cast<int>(Below(rng, (1u << 31) - 65));
      return;
    case 2:
      tensor.dtype.code = static_cast<std::uint8_t>(7 + Below(rng, 249));
      return;
    case 3:
      tensor.dtype.bits = static_cast<std::uint8_t>(type.bits + 1 + Below(rng, 7));
      return;
    case 4:
      tensor.dtype.lanes = static_cast<std::uint16_t>(2 + Below(rng, 65534));
      return;
    case 5:
      tensor.shape = nullptr;
      tensor.ndim = 1 + static_cast<int>(Below(rng, 64));
      return;
    case 6:
      tensor.byte_offset = ~std::uint64_t{0} - Below(rng, 1000);
      return;
    default:
      tensor.ndim = 1 + static_cast<int>(Below(rng, 3));
      hostile.shape[Below(rng, static_cast<std::size_t>(tensor.ndim))] =
          -1 - static_cast<std::int64_t>(rng() >> 1);
  }
}

// The number of calls with each outcome: the test must reach each of them.
using Outcomes = std::map<std::string, int>;

void ExpectRefusedOrComputed(supremum_status status, bool absurd, const std::vector<std::byte>& before,
                             const std::vector<std::byte>& after, Outcomes& outcomes) {
  ++outcomes[supremum_status_name(status)];
  if (status == SUPREMUM_OK) {
    ASSERT_FALSE(absurd);
    return;
  }
  ASSERT_STRNE(supremum_status_name(status), "unknown");
  ASSERT_GT(std::string(supremum_last_error()).size(), 20u);
  ASSERT_EQ(std::memcmp(before.data(), after.data(), before.size()), 0) << supremum_last_error();
}

using Arenas = std::vector<std::vector<std::byte>>;

Arenas MakeArenas() { return Arenas(4, std::vector<std::byte>(kArena, std::byte{0x5A})); }

DLDataType AnyType(Rng& rng) { return test::DlTypeOf(kAllDTypes[Below(rng, kAllDTypes.size())]); }

supremum_options AnyOptions(Rng& rng) {
  supremum_options options = SUPREMUM_OPTIONS_INIT;
  if (Below(rng, 8) == 0) options.opset = static_cast<std::int64_t>(Below(rng, 30)) - 3;
  if (Below(rng, 8) == 0) options.threads = static_cast<std::uint32_t>(Below(rng, 4));
  if (Below(rng, 8) == 0) options.flags = SUPREMUM_IDENTICAL_SHAPES_ONLY;
  if (Below(rng, 16) == 0) options.flags = static_cast<std::uint32_t>(rng());
  if (Below(rng, 16) == 0) options.size = Below(rng, sizeof(options) + 1);
  return options;
}

TEST(CApiHostile, RandomCallsOfMax) {
  Rng rng(31);
  Outcomes outcomes;
  Arenas arenas = MakeArenas();
  for (int i = 0; i < 40'000; ++i) {
    const DLDataType type = AnyType(rng);
    std::array<Hostile, 4> all;
    bool absurd = false;
    for (std::size_t m = 0; m < 4; ++m) Describe(rng, arenas[m], type, 10, all[m]);
    const std::size_t count = 1 + Below(rng, 3);
    if (Below(rng, 3) != 0) {  // shapes that fit
      for (std::size_t m = 1; m < 4; ++m) {
        if (all[m].absurd) continue;
        if (!all[0].absurd) all[m].tensor.ndim = all[0].tensor.ndim;
        std::copy_n(all[0].shape.begin(), 3, all[m].shape.begin());
      }
    }
    std::array<const DLTensor*, 3> inputs;
    for (std::size_t m = 0; m < 3; ++m) inputs[m] = Below(rng, 100) == 0 ? nullptr : &all[m].tensor;
    for (std::size_t m = 0; m < count; ++m) absurd = absurd || inputs[m] == nullptr || all[m].absurd;
    absurd = absurd || all[3].absurd;
    if (Below(rng, 20) == 0) all[3].tensor.data = arenas[0].data();
    const std::vector<std::byte> before = arenas[3];
    const supremum_options options = AnyOptions(rng);
    const supremum_status status = supremum_max(inputs.data(), count, &all[3].tensor, &options);
    ASSERT_NO_FATAL_FAILURE(ExpectRefusedOrComputed(status, absurd, before, arenas[3], outcomes));
  }
  for (const char* name : {"ok", "invalid_argument", "unsupported_device", "type_mismatch",
                           "type_not_admitted", "broadcast_refused", "rank", "invalid_shape",
                           "not_broadcastable", "output_shape_mismatch", "overlap"}) {
    EXPECT_GT(outcomes[name], 20) << name;
  }
}

TEST(CApiHostile, RandomCallsOfReduceMax) {
  Rng rng(32);
  Outcomes outcomes;
  Arenas arenas = MakeArenas();
  for (int i = 0; i < 40'000; ++i) {
    const DLDataType type = AnyType(rng);
    Hostile source, output;
    Describe(rng, arenas[0], type, 10, source);
    Describe(rng, arenas[1], type, 10, output);
    std::array<std::int64_t, 3> axes;
    for (std::int64_t& axis : axes) axis = static_cast<std::int64_t>(Below(rng, 7)) - 3;
    const std::size_t axis_count = Below(rng, 4) == 0 ? SUPREMUM_ALL_AXES : Below(rng, 3);
    const int keepdims = Below(rng, 2) == 0;
    const supremum_options options = AnyOptions(rng);
    std::array<std::int64_t, SUPREMUM_MAX_RANK> shape;
    std::int32_t rank = 0;
    const supremum_status shaped = supremum_reduce_max_shape(&source.tensor, axes.data(), axis_count,
                                                             keepdims, &options, shape.data(), &rank);
    if (shaped == SUPREMUM_OK && !output.absurd && Below(rng, 4) != 0) {  // an output that fits
      output.tensor.ndim = rank;
      std::copy_n(shape.begin(), rank, output.shape.begin());
    }
    const std::vector<std::byte> before = arenas[1];
    const supremum_status status =
        supremum_reduce_max(&source.tensor, axes.data(), axis_count, keepdims, &output.tensor, &options);
    if (shaped != SUPREMUM_OK) {
      ASSERT_NE(status, SUPREMUM_OK);
    }
    const bool absurd = source.absurd || output.absurd;
    ASSERT_NO_FATAL_FAILURE(ExpectRefusedOrComputed(status, absurd, before, arenas[1], outcomes));
  }
  for (const char* name :
       {"ok", "invalid_argument", "unsupported_device", "type_mismatch", "type_not_admitted", "rank",
        "invalid_shape", "axis", "output_shape_mismatch", "overlap"}) {
    EXPECT_GT(outcomes[name], 20) << name;
  }
}

}  // namespace
}  // namespace supremum
