// oneDNN graphs as text, for the tests.
#ifndef SUPREMUM_TESTS_FRONTENDS_ONEDNN_TESTING_H_
#define SUPREMUM_TESTS_FRONTENDS_ONEDNN_TESTING_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/errors.h"
#include "support/named.h"
#include "supremum/onednn_graph.h"

namespace supremum::test {

using Integers = std::vector<std::int64_t>;

template <class T>
std::string JoinText(const std::vector<T>& parts) {
  std::string text;
  for (const T& part : parts) {
    if (!text.empty()) text += ",";
    if constexpr (std::is_same_v<T, std::string>) {
      text += part;
    } else {
      text += std::to_string(part);
    }
  }
  return text;
}

/// A logical tensor; without strides it has no key `stride`.
inline std::string TensorText(std::uint64_t id, std::string_view dtype, const Integers& shape,
                              const std::optional<Integers>& strides = std::nullopt,
                              std::string_view layout = "strided") {
  std::string text = R"({"id":)" + std::to_string(id) + R"(,"dtype":")" + std::string(dtype) +
                     R"(","shape":[)" + JoinText(shape) + "]";
  if (strides) text += R"(,"stride":[)" + JoinText(*strides) + "]";
  return text + R"(,"layout_type":")" + std::string(layout) + R"(","property_type":"undef"})";
}

inline std::string F32(std::uint64_t id, const Integers& shape,
                       const std::optional<Integers>& strides = std::nullopt) {
  return TensorText(id, "f32", shape, strides);
}

/// An op with the name "n" and its id.
inline std::string OpText(std::uint64_t id, std::string_view kind, std::string_view attrs,
                          const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  return R"({"id":)" + std::to_string(id) + R"(,"name":"n)" + std::to_string(id) + R"(","kind":")" +
         std::string(kind) + R"(","attrs":{)" + std::string(attrs) + R"(},"inputs":[)" + JoinText(inputs) +
         R"(],"outputs":[)" + JoinText(outputs) + "]}";
}

/// Attributes of a ReduceMax.
inline std::string Axes(const Integers& axes, std::optional<bool> keep_dims = std::nullopt) {
  std::string text = R"("axes":{"type":"s64[]","value":[)" + JoinText(axes) + "]}";
  if (keep_dims) text += R"(,"keep_dims":{"type":"bool","value":)" + std::string(*keep_dims ? "1}" : "0}");
  return text;
}

/// `more` are members in addition to the usual ones: R"("input_ports":[0],)".
inline std::string GraphText(const std::vector<std::string>& ops, std::string_view more = "") {
  return R"({"version":"3.0.0","engine_kind":"cpu","fpmath_mode":"strict",)" + std::string(more) +
         R"("graph":[)" + JoinText(ops) + "]}";
}

inline const std::vector<float> kRows = {1, 5, 2, 4, 3, 6};

/// A graph of one ReduceMax.
inline std::string Reduce(const std::string& attrs, const std::vector<std::string>& inputs,
                          const std::string& output) {
  return GraphText({OpText(0, "ReduceMax", attrs, inputs, {output})});
}

/// A graph of one Maximum.
inline std::string MaximumText(const std::string& a, const std::string& b, const std::string& y,
                               const std::string& attrs = "") {
  return GraphText({OpText(0, "Maximum", attrs, {a, b}, {y})});
}

/// Input 0: float32 [2,3].
inline std::vector<NamedTensor> Rows() { return List(Named<float>("0", {2, 3}, kRows)); }

inline NamedTensor AxesTensor(const std::string& name, const std::vector<std::int32_t>& axes) {
  return Named<std::int32_t>(name, {static_cast<std::int64_t>(axes.size())}, axes);
}

inline Result<OneDnnGraph> Parsed(const std::string& text) { return OneDnnGraph::Parse(text, "g.json"); }

/// The error of reading `text`, which must be one of a malformed file.
inline std::string Malformed(const std::string& text) {
  const Error error = ErrorOf(Parsed(text));
  EXPECT_EQ(error.code, ErrorCode::kMalformedFile) << error.message;
  return error.message;
}

/// Reads and runs.
inline Result<std::vector<NamedTensor>> RunText(const std::string& text,
                                                const std::vector<NamedTensor>& inputs,
                                                const OneDnnRunOptions& options = {}) {
  const Result<OneDnnGraph> graph = Parsed(text);
  if (!graph) return graph.error();
  return graph->Run(inputs, options);
}

/// Expects `code` and exactly that message.
inline void ExpectMessage(const Result<std::vector<NamedTensor>>& result, ErrorCode code,
                          const std::string& message) {
  const Error error = ErrorOf(result);
  EXPECT_EQ(error.code, code);
  EXPECT_EQ(error.message, message);
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_FRONTENDS_ONEDNN_TESTING_H_
