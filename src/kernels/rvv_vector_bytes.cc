// The length of this processor's vectors. A file of its own: it is compiled with -march=rv64gcv, which admits
// the instruction, and without -mrvv-vector-bits, with which GCC gives the stated length and asks no
// processor.
#include <riscv_vector.h>

#include <cstdint>

#include "kernels/simd_parts.h"

namespace supremum::kernels {

std::int64_t RvvVectorBytes() { return static_cast<std::int64_t>(__riscv_vlenb()); }

}  // namespace supremum::kernels
