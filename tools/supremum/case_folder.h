// Files of test cases, in a folder that nobody else sees yet.
#ifndef SUPREMUM_TOOLS_CASE_FOLDER_H_
#define SUPREMUM_TOOLS_CASE_FOLDER_H_

#include <filesystem>
#include <span>
#include <string_view>

#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum::cli {

/// Writes the file, and the folders in which it lies. Not durable before its StagedFolder is committed.
/// Errors: kIo.
Result<void> WriteStagedFile(const std::filesystem::path& path, std::string_view content);

/// The same for a TensorProto. Errors: kIo, kLimitExceeded.
Result<void> WriteStagedTensor(const std::filesystem::path& path, const NamedTensor& tensor);

/// Writes model.onnx, test_data_set_0/input_N.pb and test_data_set_0/output_0.pb into `folder`, as ONNX's own
/// test cases have them. The output is called y. Errors: kIo, kLimitExceeded.
Result<void> WriteCaseFolder(const std::filesystem::path& folder, std::string_view model,
                             std::span<const NamedTensor> inputs, const Tensor& output);

/// Where the tensors of a case lie in its folder.
inline constexpr const char* kDataSet = "test_data_set_0";

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CASE_FOLDER_H_
