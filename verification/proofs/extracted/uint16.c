/* Extracted from verification/proofs/why3/instances.mlw, module UInt16, by verification/proofs/extract.sh. Not edited by hand. */
#include "loops.h"

static inline uint16_t select_uint16(int condition, uint16_t yes, uint16_t no) {
  return (uint16_t)(no ^ ((yes ^ no) & -condition));
}

static inline uint16_t bottom_of_uint16(void) {
  return 0;
}

static inline uint16_t join_of_uint16(uint16_t a, uint16_t b) {
  return select_uint16(a < b, b, a);
}

void supremum_proved_max_uint16(int64_t rank, const int64_t * extents, uint16_t * memory,
         int64_t out, const int64_t * out_strides, int64_t n,
         const int64_t * starts, const int64_t * strides) {
  int64_t elements, p, o;
  uint16_t largest;
  int64_t from;
  int64_t m, o1, start, a, a1;
  elements = number_of_elements(rank, extents);
  o = elements - INT64_C(1);
  if (INT64_C(0) <= o) {
    for (p = INT64_C(0); ; ++p) {
      largest = bottom_of_uint16();
      from = INT64_C(0);
      o1 = n - INT64_C(1);
      if (INT64_C(0) <= o1) {
        for (m = INT64_C(0); ; ++m) {
          start = starts[m];
          a = address_of(start, p, rank, extents, strides, from);
          largest = join_of_uint16(largest, memory[a]);
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

void supremum_proved_reduce_max_uint16(int64_t rank, const int64_t * extents, uint16_t * memory,
                int64_t out, const int64_t * out_strides, int64_t start,
                const int64_t * strides, int64_t folded_rank,
                const int64_t * folded_extents,
                const int64_t * folded_strides) {
  int64_t elements, folded_elements, p, o, row, q, o1, a, a1;
  uint16_t largest;
  elements = number_of_elements(rank, extents);
  folded_elements = number_of_elements(folded_rank, folded_extents);
  o = elements - INT64_C(1);
  if (INT64_C(0) <= o) {
    for (p = INT64_C(0); ; ++p) {
      largest = bottom_of_uint16();
      if (folded_elements > INT64_C(0)) {
        row = address_of(start, p, rank, extents, strides, INT64_C(0));
        o1 = folded_elements - INT64_C(1);
        if (INT64_C(0) <= o1) {
          for (q = INT64_C(0); ; ++q) {
            a = address_of(row, q, folded_rank, folded_extents,
                folded_strides, INT64_C(0));
            largest = join_of_uint16(largest, memory[a]);
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
