/* Extracted from verification/proofs/why3/kernel.mlw, module Loops, by verification/proofs/extract.sh. Not edited by hand. */
#include <stdint.h>

static inline int64_t number_of_elements(int64_t rank,
                                         const int64_t * extents) {
  int zero;
  int64_t d, o, d1, o1, extent;
  int64_t product;
  zero = 0;
  o = rank - INT64_C(1);
  if (INT64_C(0) <= o) {
    for (d = INT64_C(0); ; ++d) {
      if (extents[d] == INT64_C(0)) {
        zero = 1;
      }
      if (d == o) {
        break;
      }
    }
  }
  if (zero) {
    return INT64_C(0);
  } else {
    product = INT64_C(1);
    o1 = rank - INT64_C(1);
    if (INT64_C(0) <= o1) {
      for (d1 = INT64_C(0); ; ++d1) {
        extent = extents[d1];
        product = product * extent;
        if (d1 == o1) {
          break;
        }
      }
    }
    return product;
  }
}

static inline int64_t address_of(int64_t start, int64_t position,
                                 int64_t rank, const int64_t * extents,
                                 const int64_t * strides, int64_t from) {
  int64_t address, rest, d;
  int64_t extent, k, stride, coordinate;
  address = start;
  rest = position;
  d = rank;
  while (d > INT64_C(0)) {
    d = d - INT64_C(1);
    extent = extents[d];
    k = from + d;
    stride = strides[k];
    coordinate = rest % extent;
    address = address + coordinate * stride;
    rest = rest / extent;
  }
  return address;
}
