#include "scalar.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

#include "errors.h"
#include "foreign.h"
#include "operand.h"

namespace py = pybind11;

namespace supremum::python {
namespace {

[[noreturn]] void FailOfKind(PyObject* value, DType dtype, std::string_view name) {
  Fail(ErrorCode::kTypeMismatch, "TYP-2",
       std::string(name) + " is of type " + TypeName(value) + " and the source has type " +
           std::string(supremum::Name(dtype)) + "; nothing is converted",
       ": give it in the source's type");
}

[[noreturn]] void FailOfRange(PyObject* whole, DType dtype, std::string_view name) {
  PyErr_Clear();
  Fail(ErrorCode::kInvalidArgument, std::string(name) + " is " + Digits(whole) +
                                        ", which is out of the range of " +
                                        std::string(supremum::Name(dtype)));
}

// The bfloat16 nearest to `value`, ties to even. Rounding to a float first, to odd, keeps what the second
// rounding needs: 16 more bits than a bfloat16 has, and whether the float is exact.
std::uint16_t BFloat16Bits(double value) {
  if (std::isnan(value)) return 0x7FC0;
  const float toward_zero = [&] {
    const float nearest = static_cast<float>(value);
    const bool beyond = std::fabs(static_cast<double>(nearest)) > std::fabs(value);
    return beyond ? std::nextafter(nearest, 0.0f) : nearest;
  }();
  std::uint32_t bits = std::bit_cast<std::uint32_t>(toward_zero);
  if (static_cast<double>(toward_zero) != value) bits |= 1;
  if (std::isinf(value)) return static_cast<std::uint16_t>(bits >> 16);
  return static_cast<std::uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

// The float16 nearest to `value`: Python's struct module rounds, and refuses what would become an infinity.
std::uint16_t Float16Bits(double value) {
  if (std::isnan(value)) return 0x7E00;
  try {
    const py::bytes packed = py::module_::import("struct").attr("pack")("=e", value);
    const std::string bytes = packed;
    std::uint16_t bits;
    std::memcpy(&bits, bytes.data(), sizeof bits);
    return bits;
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_OverflowError)) throw;
    return std::signbit(value) ? 0xFC00 : 0x7C00;
  }
}

template <class T>
Element8 Store(T value) {
  Element8 element;
  std::memcpy(element.bytes.data(), &value, sizeof value);
  return element;
}

template <class T>
Element8 OfNumber(PyObject* value, DType dtype, std::string_view name) {
  if constexpr (std::is_same_v<T, bool>) {
    if (PyBool_Check(value) == 0) FailOfKind(value, dtype, name);
    return Store(static_cast<std::uint8_t>(value == Py_True));
  } else if constexpr (std::is_integral_v<T>) {
    if (PyLong_Check(value) == 0) FailOfKind(value, dtype, name);
    if constexpr (std::is_same_v<T, std::uint64_t>) {
      const std::uint64_t number = PyLong_AsUnsignedLongLong(value);
      if (PyErr_Occurred() != nullptr) FailOfRange(value, dtype, name);
      return Store(number);
    } else {
      const std::int64_t number = PyLong_AsLongLong(value);
      if (PyErr_Occurred() != nullptr || number < std::int64_t{std::numeric_limits<T>::min()} ||
          number > std::int64_t{std::numeric_limits<T>::max()}) {
        FailOfRange(value, dtype, name);
      }
      return Store(static_cast<T>(number));
    }
  } else {
    // The int's own value, even if a subclass overrides __float__.
    const double number = PyFloat_Check(value) != 0 ? PyFloat_AS_DOUBLE(value) : PyLong_AsDouble(value);
    if (PyErr_Occurred() != nullptr) FailOfRange(value, dtype, name);
    if constexpr (std::is_same_v<T, BFloat16>) return Store(BFloat16Bits(number));
    if constexpr (std::is_same_v<T, Float16>) return Store(Float16Bits(number));
    if constexpr (std::is_same_v<T, float>) return Store(static_cast<float>(number));
    return Store(number);
  }
}

}  // namespace

Element8 ElementOf(PyObject* value, DType dtype, std::string_view name) {
  if (PyFloat_Check(value) != 0 || PyLong_Check(value) != 0) {
    return VisitDType(dtype,
                      [&](auto tag) { return OfNumber<typename decltype(tag)::type>(value, dtype, name); });
  }
  Operand operand;
  operand.Read(value, Operand::Access::kRead, name);
  if (operand.dtype() != dtype) FailOfKind(value, dtype, name);
  if (operand.rank() != 0) {
    Fail(ErrorCode::kInvalidArgument,
         std::string(name) + " has shape " + ToString(operand.shape()) + "; expected one number, of rank 0");
  }
  Element8 element;
  std::memcpy(element.bytes.data(), operand.View().data, ByteWidth(dtype));
  return element;
}

}  // namespace supremum::python
