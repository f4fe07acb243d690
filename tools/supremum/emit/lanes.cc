#include "emit/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "cli/embedded.h"
#include "emit/c_text.h"

namespace supremum::cli {
namespace {

constexpr std::string_view kDefinition = "static inline ";
// Of verification/proofs/why3/formats.mlw; the others are of instances.mlw.
constexpr std::array<std::string_view, 5> kOfFormats = {"turn_round", "turn_back", "key_of", "from_key",
                                                        "join_of"};

// The part of the extracted text that begins by naming this module.
std::string_view ExtractedText(std::string_view module) {
  constexpr std::string_view kBegin = "/* Extracted from ";
  const std::size_t at = kExtractedC.find(fmt::format(", module {}, ", module));
  return kExtractedC.substr(at, kExtractedC.find(kBegin, at) - at);
}

}  // namespace

Lanes LanesOf(DType dtype) {
  const CTypes& types = TypesOf(dtype);
  const std::string suffix = fmt::format("_{}", types.name);
  const std::string_view all = ExtractedText(types.module);
  Lanes lanes;
  lanes.source = "verification/proofs/extracted/lanes.c";
  for (std::size_t at = all.find(kDefinition); at != all.npos; at = all.find(kDefinition, at + 1)) {
    const std::string_view head = all.substr(at, all.find('(', at) - at);
    const std::string_view name = head.substr(head.rfind(' ') + 1);
    const std::string_view program = name.substr(0, name.size() - suffix.size());
    const bool of_machine = program == "select";
    const bool of_formats = std::ranges::find(kOfFormats, program) != kOfFormats.end();
    const char* const room = of_machine ? "machine" : of_formats ? "formats" : "instances";
    lanes.functions.push_back({std::string(name), std::string(all.substr(at, all.find("\n}\n", at) + 3 - at)),
                               fmt::format("{}.{}", room, program), of_machine});
  }
  lanes.join = "join_of" + suffix;
  lanes.identity = (dtype == DType::kBool ? "no_of" : "bottom_of") + suffix;
  return lanes;
}

}  // namespace supremum::cli
