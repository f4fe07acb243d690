#include "scalar.h"

#include <array>
#include <bit>
#include <charconv>
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

[[noreturn]] void FailOfRange(const std::string& number, DType dtype, std::string_view name) {
  Fail(ErrorCode::kInvalidArgument, std::string(name) + " is " + number + ", which is out of the range of " +
                                        std::string(supremum::Name(dtype)));
}

[[noreturn]] void FailOfRange(PyObject* whole, DType dtype, std::string_view name) {
  PyErr_Clear();
  FailOfRange(Digits(whole), dtype, name);
}

[[noreturn]] void FailOfRange(double number, DType dtype, std::string_view name) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  FailOfRange(std::string(text.data(), end), dtype, name);
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

// The double nearest to an int, or the least that is not smaller.
double DoubleOf(PyObject* whole, Rounding rounding) {
  const double nearest = PyLong_AsDouble(whole);
  if (PyErr_Occurred() != nullptr || rounding == Rounding::kNearest) return nearest;
  // By int's own comparison, even if a subclass overrides it.
  const auto exact = py::reinterpret_steal<py::object>(PyLong_FromDouble(nearest));
  if (!exact) throw py::error_already_set();
  const auto smaller =
      py::reinterpret_steal<py::object>(PyLong_Type.tp_richcompare(exact.ptr(), whole, Py_LT));
  if (!smaller) throw py::error_already_set();
  return smaller.ptr() == Py_True ? std::nextafter(nearest, std::numeric_limits<double>::infinity())
                                  : nearest;
}

// The bits of the float nearest to `value`.
template <class T>
auto NearestBits(double value) {
  if constexpr (std::is_same_v<T, BFloat16>) {
    return BFloat16Bits(value);
  } else if constexpr (std::is_same_v<T, Float16>) {
    return Float16Bits(value);
  } else if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  } else {
    return std::bit_cast<std::uint64_t>(value);
  }
}

// The bits of infinity.
template <class T>
auto InfinityBits() {
  return NearestBits<T>(std::numeric_limits<double>::infinity());
}

// True if the finite float of these `bits` is less than `value`.
template <class T>
bool IsLess(decltype(NearestBits<T>(0.0)) bits, double value) {
  if constexpr (std::is_same_v<T, double>) {
    return false;
  } else if constexpr (std::is_same_v<T, float>) {
    return static_cast<double>(std::bit_cast<float>(bits)) < value;
  } else if constexpr (std::is_same_v<T, BFloat16>) {
    return static_cast<double>(std::bit_cast<float>(std::uint32_t{bits} << 16)) < value;
  } else {
    const int exponent = (bits >> 10) & 31;
    const double fraction = exponent == 0 ? bits & 1023 : 1024 + (bits & 1023);
    const double magnitude = std::ldexp(fraction, (exponent == 0 ? 1 : exponent) - 25);
    return ((bits & 0x8000) != 0 ? -magnitude : magnitude) < value;
  }
}

template <class T>
Element8 Store(T value) {
  Element8 element;
  std::memcpy(element.bytes.data(), &value, sizeof value);
  return element;
}

template <class T>
Element8 OfNumber(PyObject* value, DType dtype, std::string_view name, Rounding rounding) {
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
    const double number = PyFloat_Check(value) != 0 ? PyFloat_AS_DOUBLE(value) : DoubleOf(value, rounding);
    if (PyErr_Occurred() != nullptr) FailOfRange(value, dtype, name);
    auto bits = NearestBits<T>(number);
    // A bound is at least 0, where the next element has the next bits; a negative one is refused later.
    if (rounding == Rounding::kUp && number > 0 && bits != InfinityBits<T>() && IsLess<T>(bits, number))
      ++bits;
    if (rounding == Rounding::kNearest && std::isfinite(number) && !std::is_same_v<T, double> &&
        (bits == InfinityBits<T>() || bits == NearestBits<T>(-std::numeric_limits<double>::infinity()))) {
      FailOfRange(number, dtype, name);
    }
    return Store(bits);
  }
}

}  // namespace

Element8 ElementOf(PyObject* value, DType dtype, std::string_view name, Rounding rounding) {
  if (PyFloat_Check(value) != 0 || PyLong_Check(value) != 0) {
    return VisitDType(dtype, [&](auto tag) {
      return OfNumber<typename decltype(tag)::type>(value, dtype, name, rounding);
    });
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
