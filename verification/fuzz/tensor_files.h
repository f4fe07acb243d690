// What a reader of tensor files must keep to, whatever the file holds.
#ifndef SUPREMUM_VERIFICATION_FUZZ_TENSOR_FILES_H_
#define SUPREMUM_VERIFICATION_FUZZ_TENSOR_FILES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "fuzz.h"
#include "io/formats/tensor_file.h"
#include "supremum/dtype.h"
#include "supremum/tensor.h"

namespace supremum::fuzz {

constexpr std::int64_t kMostBytes = 1 << 20;

inline void ExpectWhole(const Tensor& tensor, std::int64_t max_bytes) {
  const std::optional<std::int64_t> count = ElementCount(tensor.shape());
  Expect(count && *count == tensor.size(), "a tensor that is not as large as its shape");
  Expect(static_cast<std::int64_t>(tensor.byte_size()) <= max_bytes, "a tensor beyond the limit");
  unsigned sum = 0;
  for (const std::byte byte : tensor.bytes()) {
    sum += std::to_integer<unsigned>(byte);  // the sanitizers watch
    if (tensor.dtype() == DType::kBool) Expect(byte <= std::byte{1}, "a bool that is none");
  }
  [[maybe_unused]] static volatile unsigned sink;
  sink = sum;
}

/// Tensors of unsupported types are listed beside the others, and each tensor can be chosen by its name.
template <class ReadOne, class ReadAll>
void CheckListing(const std::string& path, const io::ReadOptions& options, ReadOne read_one, ReadAll read_all,
                  const Result<std::vector<NamedTensor>>& all) {
  std::vector<io::UnsupportedTensor> unsupported;
  io::ReadOptions listing = options;
  listing.unsupported = &unsupported;
  const Result<std::vector<NamedTensor>> listed = read_all(path, listing);
  if (all)
    Expect(listed && listed->size() == all->size() && unsupported.empty(), "a listing of another file");
  if (!listed) return ExpectShowable(listed.error());
  if constexpr (std::is_invocable_v<ReadOne, const std::string&, const io::ReadOptions&,
                                    const std::string&>) {
    for (const NamedTensor& tensor : *listed) {
      const Result<NamedTensor> one = read_one(path, options, tensor.name);
      Expect(one && std::ranges::equal(one->tensor.bytes(), tensor.tensor.bytes()),
             "another tensor by its name");
    }
    for (const io::UnsupportedTensor& tensor : unsupported) {
      Expect(!read_one(path, options, tensor.name), "a tensor of an unsupported type");
    }
  }
}

/// Reads one tensor and all tensors of a file, with and without a stated type.
template <class ReadOne, class ReadAll>
int CheckTensorReader(const std::uint8_t* data, std::size_t size, ReadOne read_one, ReadAll read_all) {
  const File file(data, size);
  for (const std::optional<DType>& stated : {std::optional<DType>(), std::optional(DType::kBFloat16)}) {
    const io::ReadOptions options{.stated_dtype = stated, .max_bytes = kMostBytes};
    const Result<NamedTensor> one = read_one(file.path(), options);
    if (one) ExpectWhole(one->tensor, kMostBytes);
    if (!one) ExpectShowable(one.error());
    const Result<std::vector<NamedTensor>> all = read_all(file.path(), options);
    if (!all) ExpectShowable(all.error());
    CheckListing(file.path(), options, read_one, read_all, all);
    if (!all) continue;
    std::int64_t left = kMostBytes;
    for (const NamedTensor& tensor : *all) {
      ExpectWhole(tensor.tensor, left);
      left -= static_cast<std::int64_t>(tensor.tensor.byte_size());
    }
    if (all->size() == 1) Expect(one.has_value(), "a single tensor that is read only among all");
  }
  return 0;
}

}  // namespace supremum::fuzz

#endif  // SUPREMUM_VERIFICATION_FUZZ_TENSOR_FILES_H_
