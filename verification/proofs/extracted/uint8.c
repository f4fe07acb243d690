/* Extracted from verification/proofs/why3/instances.mlw, module UInt8, by verification/proofs/extract.sh. Not edited by hand. */
#include "loops.h"

static inline uint8_t select_uint8(int condition, uint8_t yes, uint8_t no) {
  return (uint8_t)(no ^ ((yes ^ no) & -condition));
}

static inline uint8_t bottom_of_uint8(void) {
  return 0;
}

static inline uint8_t join_of_uint8(uint8_t a, uint8_t b) {
  return select_uint8(a < b, b, a);
}

void supremum_proved_max_uint8(int64_t rank, const int64_t * extents, uint8_t * memory,
         int64_t out, const int64_t * out_strides, int64_t n,
         const int64_t * starts, const int64_t * strides) {
  int64_t elements, p, o;
  uint8_t largest;
  int64_t from;
  int64_t m, o1, start, a, a1;
  elements = number_of_elements(rank, extents);
  o = elements - INT64_C(1);
  if (INT64_C(0) <= o) {
    for (p = INT64_C(0); ; ++p) {
      largest = bottom_of_uint8();
      from = INT64_C(0);
      o1 = n - INT64_C(1);
      if (INT64_C(0) <= o1) {
        for (m = INT64_C(0); ; ++m) {
          start = starts[m];
          a = address_of(start, p, rank, extents, strides, from);
          largest = join_of_uint8(largest, memory[a]);
          from = from + rank;
          if (m == o1) {
            break;
          }
        }
      }
      a1 = address_of(out, p, rank, extents, out_strides, INT64_C(0));
      memory[a1] = largest;
      if (p == o) {
        break;
      }
    }
  }
}

void supremum_proved_reduce_max_uint8(int64_t rank, const int64_t * extents, uint8_t * memory,
                int64_t out, const int64_t * out_strides, int64_t start,
                const int64_t * strides, int64_t folded_rank,
                const int64_t * folded_extents,
                const int64_t * folded_strides) {
  int64_t elements, folded_elements, p, o, row, q, o1, a, a1;
  uint8_t largest;
  elements = number_of_elements(rank, extents);
  folded_elements = number_of_elements(folded_rank, folded_extents);
  o = elements - INT64_C(1);
  if (INT64_C(0) <= o) {
    for (p = INT64_C(0); ; ++p) {
      largest = bottom_of_uint8();
      if (folded_elements > INT64_C(0)) {
        row = address_of(start, p, rank, extents, strides, INT64_C(0));
        o1 = folded_elements - INT64_C(1);
        if (INT64_C(0) <= o1) {
          for (q = INT64_C(0); ; ++q) {
            a = address_of(row, q, folded_rank, folded_extents,
                folded_strides, INT64_C(0));
            largest = join_of_uint8(largest, memory[a]);
            if (q == o1) {
              break;
            }
          }
        }
      }
      a1 = address_of(out, p, rank, extents, out_strides, INT64_C(0));
      memory[a1] = largest;
      if (p == o) {
        break;
      }
    }
  }
}
