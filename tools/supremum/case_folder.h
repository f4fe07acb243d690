// Files of test cases.
#ifndef SUPREMUM_TOOLS_CASE_FOLDER_H_
#define SUPREMUM_TOOLS_CASE_FOLDER_H_

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "outputs.h"
#include "staged_folder.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum::cli {

/// A function that takes a file: its path, and its content in two parts.
using PutFile = std::function<Result<void>(const std::filesystem::path& path, std::string_view head,
                                           std::string_view rest)>;

/// Writes the file, which must not exist, and the folders that contain it. MakeDurable of the folder makes it
/// durable. Errors: kIo.
Result<void> WriteStagedFile(const std::filesystem::path& path, std::string_view head,
                             std::string_view rest = {});

/// The same, and makes the file durable. Errors: kIo.
Result<void> WriteDurableFile(const std::filesystem::path& path, std::string_view head,
                              std::string_view rest = {});

/// Puts a TensorProto. Errors: those of `put`, kLimitExceeded.
Result<void> PutTensor(const PutFile& put, const std::filesystem::path& path, const std::string& name,
                       const Tensor& tensor);

/// Puts model.onnx, test_data_set_0/input_N.pb and test_data_set_0/output_0.pb of `folder`, the form of
/// ONNX's own test cases. The output is called y. Errors: those of `put`, kLimitExceeded.
Result<void> PutCase(const PutFile& put, const std::filesystem::path& folder, std::string_view model,
                     std::span<const NamedTensor> inputs, const Tensor& output);

/// Creates the folder that a verb fills, and claims the file of --json, which must not be inside it. Errors
/// call the folder `option`. Errors: those of Outputs and of StagedFolder::Create.
Result<StagedFolder> StageFolder(const std::string& option, const std::string& target,
                                 const std::string& json, Outputs* outputs);

/// The folder of the tensors in the folder of a case.
inline constexpr const char* kDataSet = "test_data_set_0";

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CASE_FOLDER_H_
