#include "bindings/c/dl_operands.h"

#include <cstdint>
#include <cstring>

#include "core/operand_errors.h"
#include "core/overlap.h"

namespace supremum::capi {
namespace {

// Copied as a number: reading an enumeration that holds an unlisted value is undefined.
std::int32_t DeviceOf(const DLTensor& tensor) {
  static_assert(sizeof(tensor.device.device_type) == sizeof(std::int32_t));
  std::int32_t device = 0;
  std::memcpy(&device, &tensor.device.device_type, sizeof(device));
  return device;
}

// Pinned host memory is host memory.
bool IsHostMemory(std::int32_t device) {
  return device == kDLCPU || device == kDLCUDAHost || device == kDLROCMHost;
}

bool SameType(DLDataType a, DLDataType b) {
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

std::string TypeText(DLDataType type) {
  if (const std::optional<DType> dtype = DTypeOf(type)) return std::string(Name(*dtype));
  return "DLPack's code " + std::to_string(type.code) + " with " + std::to_string(type.bits) + " bits and " +
         std::to_string(type.lanes) + (type.lanes == 1 ? " lane" : " lanes");
}

// TYP-1
Error UnknownTypeError(const std::string& who, DLDataType type) {
  return MakeError(
      ErrorCode::kTypeNotAdmitted, "TYP-1",
      who + " has type " + TypeText(type) + ", which is none of the library's types",
      (type.lanes != 1
           ? "; give it one lane, and the lanes as its last dimension"
           : "; it takes float16, float32, float64, bfloat16, bool and the integers of 8 to 64 bits"));
}

std::string NullPointer(const std::string& what) { return what + " is a null pointer"; }

// The address of the element with coordinates 0.
void* DataOf(const DLTensor& tensor) {
  if (tensor.data == nullptr) return nullptr;
  return AddressAt(tensor.data, static_cast<std::int64_t>(tensor.byte_offset));
}

template <class View>
View As(const DLTensor& tensor) {
  const std::size_t rank = static_cast<std::size_t>(tensor.ndim);
  const DimsView strides = tensor.strides == nullptr ? DimsView() : DimsView(tensor.strides, rank);
  return View{*DTypeOf(tensor.dtype), DimsView(tensor.shape, rank), strides, DataOf(tensor)};
}

}  // namespace

std::optional<DType> DTypeOf(DLDataType type) {
  struct Entry {
    unsigned code;
    unsigned bits;
    DType dtype;
  };
  static constexpr Entry kTypes[] = {
      {kDLBfloat, 16, DType::kBFloat16}, {kDLFloat, 16, DType::kFloat16}, {kDLFloat, 32, DType::kFloat32},
      {kDLFloat, 64, DType::kFloat64},   {kDLInt, 8, DType::kInt8},       {kDLInt, 16, DType::kInt16},
      {kDLInt, 32, DType::kInt32},       {kDLInt, 64, DType::kInt64},     {kDLUInt, 8, DType::kUInt8},
      {kDLUInt, 16, DType::kUInt16},     {kDLUInt, 32, DType::kUInt32},   {kDLUInt, 64, DType::kUInt64},
      {kDlBoolCode, 8, DType::kBool},
  };
  if (type.lanes != 1) return std::nullopt;
  for (const Entry& entry : kTypes) {
    if (entry.code == type.code && entry.bits == type.bits) return entry.dtype;
  }
  return std::nullopt;
}

TensorView ViewOf(const DLTensor& tensor) { return As<TensorView>(tensor); }

MutableTensorView MutableViewOf(const DLTensor& tensor) { return As<MutableTensorView>(tensor); }

Error WrongRankError(const std::string& who, int rank) {
  if (rank >= 0) return RankError(who, static_cast<std::size_t>(rank));
  return MakeError(ErrorCode::kRank, "BRO-4",
                   who + " has rank " + std::to_string(rank) + "; a rank is 0 to 64");
}

// The error explain(name, tensor) of the first tensor for which fine(tensor) is false; the output is last.
template <class Fine, class Explain>
Result<void> DlOperands::CheckEach(Fine fine, Explain explain) const {
  for (std::size_t m = 0; m < inputs_.size(); ++m) {
    if (!fine(inputs_[m])) return explain(names_.Input(m), inputs_[m]);
  }
  if (output_ && !fine(*output_)) return explain(names_.Output(), *output_);
  return {};
}

Result<void> DlOperands::CheckPointers() const {
  const auto names_no_shape = [](const DLTensor* tensor) {
    return tensor->ndim > 0 && tensor->shape == nullptr;
  };
  const auto address_fits = [](const DLTensor* tensor) {
    return tensor->data == nullptr ||
           tensor->byte_offset <= UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(tensor->data);
  };
  return CheckEach(
      [&](const DLTensor* tensor) {
        return tensor != nullptr && !names_no_shape(tensor) && address_fits(tensor);
      },
      [&](const std::string& who, const DLTensor* tensor) {
        std::string details;
        if (tensor == nullptr) {
          details = NullPointer(who) + "; give every tensor a description";
        } else if (names_no_shape(tensor)) {
          details = who + " has rank " + std::to_string(tensor->ndim) + " and " + NullPointer("its shape");
        } else {
          details = who + " has byte_offset " + std::to_string(tensor->byte_offset) +
                    ", which leaves the address space";
        }
        return MakeError(ErrorCode::kInvalidArgument, details);
      });
}

// Supported types are compared with each other, and checked against the operator's version, by the operator.
Result<void> DlOperands::CheckTypes() const {
  const auto known = [](const DLTensor* tensor) { return DTypeOf(tensor->dtype).has_value(); };
  Result<void> all_known = CheckEach(known, [](const std::string& who, const DLTensor* tensor) {
    return UnknownTypeError(who, tensor->dtype);
  });
  if (all_known) return all_known;
  const DLTensor* const first = inputs_.empty() ? *output_ : inputs_[0];
  Result<void> one_type =  // TYP-2 comes first
      CheckEach([&](const DLTensor* tensor) { return SameType(tensor->dtype, first->dtype); },
                [&](const std::string& who, const DLTensor* tensor) {
                  return TypeMismatchError(who, TypeText(tensor->dtype), names_.Input(0),
                                           TypeText(first->dtype));
                });
  return one_type ? all_known : one_type;
}

Result<void> DlOperands::Check() const {
  if (Result<void> ok = CheckPointers(); !ok) return ok;
  Result<void> on_cpu = CheckEach(
      [](const DLTensor* tensor) { return IsHostMemory(DeviceOf(*tensor)); },
      [](const std::string& who, const DLTensor* tensor) {
        return MakeError(ErrorCode::kUnsupportedDevice,
                         who + " is on DLPack device type " + std::to_string(DeviceOf(*tensor)) +
                             "; only tensors on the CPU (1) and in pinned host memory (3 of CUDA, 11 of "
                             "ROCm) are read and written: copy it to the host's memory");
      });
  if (!on_cpu) return on_cpu;
  if (Result<void> ok = CheckTypes(); !ok) return ok;
  return CheckEach(
      [](const DLTensor* tensor) { return tensor->ndim >= 0 && tensor->ndim <= static_cast<int>(kMaxRank); },
      [](const std::string& who, const DLTensor* tensor) { return WrongRankError(who, tensor->ndim); });
}

std::vector<TensorView> DlOperands::Inputs() const {
  std::vector<TensorView> views;
  views.reserve(inputs_.size());
  for (const DLTensor* input : inputs_) views.push_back(ViewOf(*input));
  return views;
}

Result<TensorView> CheckedViewOf(const DLTensor& tensor, std::string_view who) {
  OperandNames names;
  names.only = who;
  const DLTensor* const one = &tensor;
  if (Result<void> ok = DlOperands({&one, 1}, std::nullopt, names).Check(); !ok) return ok.error();
  const TensorView view = ViewOf(tensor);
  const Views views({&view, 1}, nullptr, names);
  if (Result<void> ok = views.CheckExtents(); !ok) return ok.error();
  if (Result<void> ok = views.CheckData(); !ok) return ok.error();
  if (Result<void> ok = views.CheckReach(); !ok) return ok.error();
  return view;
}

}  // namespace supremum::capi
