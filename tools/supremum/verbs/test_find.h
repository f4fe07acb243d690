// Finds ONNX test-case folders.
#ifndef SUPREMUM_TOOLS_VERBS_TEST_FIND_H_
#define SUPREMUM_TOOLS_VERBS_TEST_FIND_H_

#include <string>
#include <string_view>
#include <vector>

#include "supremum/result.h"

namespace supremum::cli {

/// Inputs, and expected outputs or an expected refusal.
struct DataSet {
  std::string name;                  ///< "test_data_set_0"
  std::vector<std::string> inputs;   ///< input_0.pb, input_1.pb, ... as paths
  std::vector<std::string> outputs;  ///< output_0.pb, ...
  std::string refusal = {};          ///< refusal.txt, or empty
};

/// A folder that contains model.onnx.
struct TestCase {
  std::string path;
  std::string model;
  std::vector<DataSet> data_sets;
};

/// The test cases in `folders` and below, in the order of `folders`, and inside each in the order of paths. A
/// case that is reached through several links is listed once.
///
/// Errors: kIo if a folder cannot be listed.
Result<std::vector<TestCase>> FindTestCases(const std::vector<std::string>& folders);

/// True if `filter` is empty or part of `path`, or, as a pattern with '*', '?' or '[', matches `path` or its
/// last part.
bool FitsFilter(const std::string& path, const std::string& filter);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_VERBS_TEST_FIND_H_
