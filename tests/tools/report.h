// Reports of the command in JSON.
#ifndef SUPREMUM_TESTS_TOOLS_REPORT_H_
#define SUPREMUM_TESTS_TOOLS_REPORT_H_

#include <string>
#include <vector>

#include "tools/command.h"
#include "tools/json.h"

namespace supremum::test {

class ReportTest : public CommandTest {
 protected:
  /// Report that the command writes with --json -. If the command fails, the test fails; the result is null.
  nlohmann::json Report(const std::vector<std::string>& arguments) const {
    const ProcessResult result = Supremum(With(arguments, {"--json", "-"}));
    EXPECT_EQ(result.status, 0) << result.err;
    return result.status == 0 ? ParseJson(result.out) : nlohmann::json();
  }
};

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_TOOLS_REPORT_H_
