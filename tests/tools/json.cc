#include "tools/json.h"

#include <gtest/gtest.h>

#include <ostream>

namespace supremum::test {

nlohmann::json ParseJson(const std::string& text) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    ADD_FAILURE() << error.what() << ":\n" << text.substr(0, 1000);
    return {};
  }
}

}  // namespace supremum::test

namespace nlohmann {

void PrintTo(const json& value, std::ostream* out) {
  *out << value.dump(-1, ' ', true, json::error_handler_t::replace);
}

}  // namespace nlohmann
