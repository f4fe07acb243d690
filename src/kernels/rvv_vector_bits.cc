// Asks whether the process may use vectors of RISC-V, and their length.
#include <sys/hwprobe.h>
#include <sys/prctl.h>

#include <cstdint>

#include "kernels/simd_parts.h"

namespace supremum::kernels {
namespace {

// Asked of the kernel by the name of the extension: some kernels report vectors of an earlier draft by the
// same bit of AT_HWCAP.
bool EveryProcessorHasV() {
  riscv_hwprobe pair = {RISCV_HWPROBE_KEY_IMA_EXT_0, 0};
  if (__riscv_hwprobe(&pair, 1, 0, nullptr, 0) != 0) return false;  // before Linux 6.4
  return (pair.value & RISCV_HWPROBE_IMA_V) != 0;
}

// An administrator, or a parent process, can forbid the use of vectors, which then ends the process.
bool MayUseVectors() {
#ifdef PR_RISCV_V_GET_CONTROL
  const int control = prctl(PR_RISCV_V_GET_CONTROL, 0, 0, 0, 0);
  return control < 0 || (control & PR_RISCV_V_VSTATE_CTRL_CUR_MASK) != PR_RISCV_V_VSTATE_CTRL_OFF;
#else
  return true;
#endif
}

}  // namespace

std::int64_t RvvVectorBits() {
  if (!EveryProcessorHasV() || !MayUseVectors()) return 0;
  return 8 * RvvVectorBytes();
}

}  // namespace supremum::kernels
