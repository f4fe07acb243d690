// ONNX test-case folders: what they are and where they lie.
#ifndef SUPREMUM_TOOLS_TEST_FIND_H_
#define SUPREMUM_TOOLS_TEST_FIND_H_

#include <string>
#include <string_view>
#include <vector>

#include "supremum/result.h"

namespace supremum::cli {

/// Inputs and the outputs that they should give.
struct DataSet {
  std::string name;                  ///< "test_data_set_0"
  std::vector<std::string> inputs;   ///< input_0.pb, input_1.pb, ... as paths
  std::vector<std::string> outputs;  ///< output_0.pb, ...
};

/// A folder that holds model.onnx.
struct TestCase {
  std::string path;
  std::string model;
  std::vector<DataSet> data_sets;
};

/// The test cases in `folders` and in the folders below, each once, however many links lead to it; in the
/// order of `folders`, and below each in the order of their paths.
///
/// Errors: kIo if a folder cannot be listed.
Result<std::vector<TestCase>> FindTestCases(const std::vector<std::string>& folders);

/// True if `filter` is part of `path`, or, as a pattern with '*', '?' or '[', fits `path` or its last part;
/// also if it is empty.
bool FitsFilter(const std::string& path, const std::string& filter);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_TEST_FIND_H_
