// All public headers of `supremum::supremum`: operators, their types and their errors. They include no other
// library's headers.
#ifndef SUPREMUM_SUPREMUM_H_
#define SUPREMUM_SUPREMUM_H_

#include "supremum/bounds.h"       // IWYU pragma: export
#include "supremum/broadcast.h"    // IWYU pragma: export
#include "supremum/dtype.h"        // IWYU pragma: export
#include "supremum/max.h"          // IWYU pragma: export
#include "supremum/opset.h"        // IWYU pragma: export
#include "supremum/reduce_max.h"   // IWYU pragma: export
#include "supremum/result.h"       // IWYU pragma: export
#include "supremum/shape.h"        // IWYU pragma: export
#include "supremum/spans.h"        // IWYU pragma: export
#include "supremum/target.h"       // IWYU pragma: export
#include "supremum/tensor.h"       // IWYU pragma: export
#include "supremum/tensor_view.h"  // IWYU pragma: export

#endif  // SUPREMUM_SUPREMUM_H_
