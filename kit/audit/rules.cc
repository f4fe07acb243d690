#include "audit/rules.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "cli/embedded.h"

namespace supremum::cli {
namespace {

/// `text` without the marks of emphasis and code.
std::string Plain(std::string_view text) {
  std::string plain(text);
  std::erase_if(plain, [](char c) { return c == '*' || c == '`'; });
  return plain;
}

bool IsRule(std::string_view id) {
  const auto is = [](char first, char last) { return [=](char c) { return c >= first && c <= last; }; };
  if (id.size() == 2) return id[0] == 'E' && is('0', '9')(id[1]);
  return id.size() > 4 && std::ranges::all_of(id.substr(0, 3), is('A', 'Z')) && id[3] == '-' &&
         std::ranges::all_of(id.substr(4), is('0', '9'));
}

/// The origin, from the marks of the documents that have the rule: O and X are ONNX's, G is oneDNN's.
RuleOrigin OriginOf(std::string_view marks) {
  if (marks.find_first_of("OXG") != std::string_view::npos) return RuleOrigin::kOnnx;
  return marks.find_first_of("DRA") != std::string_view::npos ? RuleOrigin::kSonnx : RuleOrigin::kProject;
}

std::vector<RuleText> Read(std::string_view page) {
  std::vector<RuleText> rules;
  while (!page.empty()) {
    const std::size_t end = std::min(page.find('\n'), page.size());
    std::string_view line = page.substr(0, end);
    page.remove_prefix(std::min(end + 1, page.size()));
    // | ORD-2 | text | origin |   or   | E1 | code | text |
    if (!line.starts_with("| ") || !line.ends_with(" |")) continue;
    line.remove_prefix(2);
    line.remove_suffix(2);
    const std::size_t first = line.find(" | "), last = line.rfind(" | ");
    if (first == last || !IsRule(line.substr(0, first))) continue;
    std::string text(line.substr(first + 3, last - first - 3));
    if (line.starts_with("E")) text.append(": ").append(line.substr(last + 3));
    // E1 and E2 are errors of the profile.
    const RuleOrigin origin = line.starts_with("E") ? RuleOrigin::kSonnx : OriginOf(line.substr(last + 3));
    rules.push_back({std::string(line.substr(0, first)), Plain(text), origin});
  }
  return rules;
}

}  // namespace

const std::vector<RuleText>& Rules() {
  static const std::vector<RuleText> rules = Read(kSemanticsPage);
  return rules;
}

std::string_view ToString(RuleOrigin origin) {
  constexpr std::array<std::string_view, 3> kNames = {"supremum", "SONNX", "ONNX"};
  return kNames[static_cast<std::size_t>(origin)];
}

RuleOrigin OriginOfRule(std::string_view id) {
  const auto found = std::ranges::find(Rules(), id, &RuleText::id);
  return found == Rules().end() ? RuleOrigin::kProject : found->origin;
}

std::string_view TextOfRule(std::string_view id) {
  const auto found = std::ranges::find(Rules(), id, &RuleText::id);
  return found == Rules().end() ? std::string_view() : std::string_view(found->text);
}

}  // namespace supremum::cli
