// The functions of src/lane/enclose.h with names that enclosure.py knows.
#include <cstdint>

#include "lane/enclose.h"
#include "supremum/dtype.h"

namespace {

template <class T>
using E = supremum::lane::Enclosure<T>;
template <class T>
using Bits = typename E<T>::Bits;

}  // namespace

using supremum::BFloat16;
using supremum::Float16;

extern "C" {

bool negative_bf16(Bits<BFloat16> e) { return E<BFloat16>::IsNegative(e); }
Bits<BFloat16> bound_bf16(Bits<BFloat16> z, Bits<BFloat16> e) { return E<BFloat16>::Bound(z, e); }
Bits<BFloat16> lower_bf16(Bits<BFloat16> z, Bits<BFloat16> e) { return E<BFloat16>::Lower(z, e); }
Bits<BFloat16> upper_bf16(Bits<BFloat16> z, Bits<BFloat16> e) { return E<BFloat16>::Upper(z, e); }

bool negative_f16(Bits<Float16> e) { return E<Float16>::IsNegative(e); }
Bits<Float16> bound_f16(Bits<Float16> z, Bits<Float16> e) { return E<Float16>::Bound(z, e); }
Bits<Float16> lower_f16(Bits<Float16> z, Bits<Float16> e) { return E<Float16>::Lower(z, e); }
Bits<Float16> upper_f16(Bits<Float16> z, Bits<Float16> e) { return E<Float16>::Upper(z, e); }

bool negative_f32(Bits<float> e) { return E<float>::IsNegative(e); }
Bits<float> bound_f32(Bits<float> z, Bits<float> e) { return E<float>::Bound(z, e); }
Bits<float> lower_f32(Bits<float> z, Bits<float> e) { return E<float>::Lower(z, e); }
Bits<float> upper_f32(Bits<float> z, Bits<float> e) { return E<float>::Upper(z, e); }

bool negative_f64(Bits<double> e) { return E<double>::IsNegative(e); }
Bits<double> bound_f64(Bits<double> z, Bits<double> e) { return E<double>::Bound(z, e); }
Bits<double> lower_f64(Bits<double> z, Bits<double> e) { return E<double>::Lower(z, e); }
Bits<double> upper_f64(Bits<double> z, Bits<double> e) { return E<double>::Upper(z, e); }

}  // extern "C"
