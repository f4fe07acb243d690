// Reads JSON that the commands write, and prints it in failures. Both functions are compiled once, in
// json.cc, because the parser and the serializer of nlohmann-json are slow to compile.
#ifndef SUPREMUM_TESTS_TOOLS_JSON_H_
#define SUPREMUM_TESTS_TOOLS_JSON_H_

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>

namespace supremum::test {

/// The document; a failure of the test, and null, where it is none.
nlohmann::json ParseJson(const std::string& text);

}  // namespace supremum::test

namespace nlohmann {

/// How GoogleTest shows a value.
void PrintTo(const json& value, std::ostream* out);

}  // namespace nlohmann

#endif  // SUPREMUM_TESTS_TOOLS_JSON_H_
