#include "bindings/c/options.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>

#include "bindings/c/status.h"

namespace supremum::capi {
namespace {

// The size of the first release's structure, which ended with `flags`; and a limit for all future ones.
constexpr std::size_t kSmallest = offsetof(supremum_options, flags) + sizeof(supremum_options::flags),
                      kLargest = 4096;

Error WrongOption(const std::string& what) {
  return MakeError(ErrorCode::kInvalidArgument, "the options' " + what);
}

// The caller's members; defaults for members that its version did not have.
Result<supremum_options> Read(const supremum_options* options) {
  supremum_options read = SUPREMUM_OPTIONS_INIT;
  if (options == nullptr) return read;
  const std::size_t size = options->size;
  if (size < kSmallest || size > kLargest) {
    return WrongOption("size is " + std::to_string(size) + "; begin with SUPREMUM_OPTIONS_INIT");
  }
  const std::byte* const bytes = reinterpret_cast<const std::byte*>(options);
  const std::span<const std::byte> all(bytes, size), unknown = all.subspan(std::min(size, sizeof(read)));
  if (std::ranges::any_of(unknown, [](std::byte byte) { return byte != std::byte{0}; })) {
    return WrongOption("members beyond byte " + std::to_string(sizeof(read)) +
                       " are not known to this version of the library; leave them 0, or use a newer library");
  }
  std::memcpy(&read, bytes, std::min(size, sizeof(read)));
  return read;
}

// Sets the options that both operators have.
template <class Options, class VersionForOpset>
Result<supremum_options> ReadInto(Options& into, const supremum_options* options, std::uint32_t known_flags,
                                  VersionForOpset version_for_opset) {
  Result<supremum_options> read = Read(options);
  if (!read) return read;
  if ((read->flags & ~known_flags) != 0) {
    return WrongOption("flags are " + std::to_string(read->flags) + ", of which this operator knows " +
                       std::to_string(known_flags));
  }
  if (read->opset != 0) {
    const auto version = version_for_opset(read->opset);
    if (!version) return WrongOption("opset is " + std::to_string(read->opset) + "; ONNX's begin with 1");
    into.version = *version;
  }
  into.threads = read->threads;
  return read;
}

}  // namespace

Result<MaxOptions> MaxOptionsOf(const supremum_options* options) {
  MaxOptions result;
  const Result<supremum_options> read =
      ReadInto(result, options, SUPREMUM_IDENTICAL_SHAPES_ONLY, MaxVersionForOpset);
  if (!read) return read.error();
  result.identical_shapes_only = (read->flags & SUPREMUM_IDENTICAL_SHAPES_ONLY) != 0;
  return result;
}

Result<ReduceMaxOptions> ReduceMaxOptionsOf(const supremum_options* options, const std::int64_t* axes,
                                            std::size_t axis_count, int keepdims) {
  ReduceMaxOptions result;
  if (axis_count != SUPREMUM_ALL_AXES) {
    if (axes == nullptr && axis_count > 0) return NullError("the list of axes");
    result.axes = std::span(axes, axis_count);
  }
  result.keepdims = keepdims != 0;
  const Result<supremum_options> read = ReadInto(result, options, 0, ReduceMaxVersionForOpset);
  if (!read) return read.error();
  return result;
}

}  // namespace supremum::capi
