// Max and ReduceMax as operators of PyTorch: supremum::maximum and supremum::amax, and the same in place of
// PyTorch's own.
#ifndef SUPREMUM_PYTHON_TORCH_OPERATORS_H_
#define SUPREMUM_PYTHON_TORCH_OPERATORS_H_

#include "torch_library.h"

namespace supremum::python {

/// Defines the operators supremum::maximum and supremum::amax, with kernels for the processor, for tensors
/// without elements ("meta") and for gradients. Call it once; `library` must outlive the process's last call.
void DefineTorchOperators(const TorchLibrary& library);

/// True: aten::maximum, aten::amax and aten::max compute by the library's rules on the processor, in all
/// threads of the process; false: PyTorch's own kernels again. Requires: DefineTorchOperators was called; no
/// other thread runs operators of PyTorch.
void ReplaceTorchKernels(bool replace);

/// The setting of the last call of ReplaceTorchKernels.
bool TorchKernelsAreReplaced();

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_TORCH_OPERATORS_H_
