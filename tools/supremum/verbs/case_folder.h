// Files of test cases.
#ifndef SUPREMUM_TOOLS_VERBS_CASE_FOLDER_H_
#define SUPREMUM_TOOLS_VERBS_CASE_FOLDER_H_

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum::cli {

/// Writes one file: its path, and its content in two parts.
using PutFile = std::function<Result<void>(const std::filesystem::path& path, std::string_view head,
                                           std::string_view rest)>;

/// Creates the file, which must not exist, and its parent folders. It is durable after MakeDurable. Errors:
/// kIo.
Result<void> WriteNewFile(const std::filesystem::path& path, std::string_view head,
                          std::string_view rest = {});

/// Makes all files of a folder durable at once (syncfs), which is faster than fsync of each if they are many.
/// Errors: kIo.
Result<void> MakeDurable(const std::filesystem::path& folder);

/// Writes a TensorProto with `put`. Errors: those of `put`, kLimitExceeded.
Result<void> PutTensor(const PutFile& put, const std::filesystem::path& path, const std::string& name,
                       const Tensor& tensor);

/// Writes model.onnx, test_data_set_0/input_N.pb and test_data_set_0/output_0.pb into `folder` with `put`, as
/// in ONNX's own test cases. The output is called y. Errors: those of `put`, kLimitExceeded.
Result<void> PutCase(const PutFile& put, const std::filesystem::path& folder, std::string_view model,
                     std::span<const NamedTensor> inputs, const Tensor& output);

/// The folder of the tensors of a case, inside its folder.
inline constexpr const char* kDataSet = "test_data_set_0";

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_VERBS_CASE_FOLDER_H_
