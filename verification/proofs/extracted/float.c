/* Extracted from verification/proofs/why3/instances.mlw, module Float, by verification/proofs/extract.sh. Not edited by hand. */
#include "loops.h"

static inline uint32_t select_float(int condition, uint32_t yes, uint32_t no) {
  return no ^ ((yes ^ no) & (UINT32_C(0) - (uint32_t)condition));
}

static inline uint32_t bottom_of_float(void) {
  return UINT32_C(0xFF800000);
}

static inline uint32_t canonical_nan_float(void) {
  return UINT32_C(0x7FC00000);
}

static inline uint32_t sign_bit_float(void) {
  return UINT32_C(0x80000000);
}

static inline uint32_t all_bits_float(void) {
  return UINT32_C(0xFFFFFFFF);
}

static inline uint32_t nans_float(void) {
  return UINT32_C(0x7FFFFF);
}

static inline uint32_t infinity_key_float(void) {
  return UINT32_C(0xFF000001);
}

static inline uint32_t turn_round_float(uint32_t a) {
  return select_float(a < sign_bit_float(), a + sign_bit_float(), all_bits_float() - a);
}

static inline uint32_t turn_back_float(uint32_t a) {
  return select_float(a < sign_bit_float(), all_bits_float() - a, a - sign_bit_float());
}

static inline uint32_t key_of_float(uint32_t a) {
  return turn_round_float(a) - nans_float();
}

static inline uint32_t from_key_float(uint32_t k) {
  return select_float(infinity_key_float() < k, canonical_nan_float(), turn_back_float(k + nans_float()));
}

static inline uint32_t join_of_float(uint32_t a, uint32_t b) {
  uint32_t ka, kb;
  ka = key_of_float(a);
  kb = key_of_float(b);
  return from_key_float(select_float(ka < kb, kb, ka));
}

void supremum_proved_max_float(int64_t rank, const int64_t * extents, uint32_t * memory,
         int64_t out, const int64_t * out_strides, int64_t n,
         const int64_t * starts, const int64_t * strides) {
  int64_t elements, p, o;
  uint32_t largest;
  int64_t from;
  int64_t m, o1, start, a, a1;
  elements = number_of_elements(rank, extents);
  o = elements - INT64_C(1);
  if (INT64_C(0) <= o) {
    for (p = INT64_C(0); ; ++p) {
      largest = bottom_of_float();
      from = INT64_C(0);
      o1 = n - INT64_C(1);
      if (INT64_C(0) <= o1) {
        for (m = INT64_C(0); ; ++m) {
          start = starts[m];
          a = address_of(start, p, rank, extents, strides, from);
          largest = join_of_float(largest, memory[a]);
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

void supremum_proved_reduce_max_float(int64_t rank, const int64_t * extents, uint32_t * memory,
                int64_t out, const int64_t * out_strides, int64_t start,
                const int64_t * strides, int64_t folded_rank,
                const int64_t * folded_extents,
                const int64_t * folded_strides) {
  int64_t elements, folded_elements, p, o, row, q, o1, a, a1;
  uint32_t largest;
  elements = number_of_elements(rank, extents);
  folded_elements = number_of_elements(folded_rank, folded_extents);
  o = elements - INT64_C(1);
  if (INT64_C(0) <= o) {
    for (p = INT64_C(0); ; ++p) {
      largest = bottom_of_float();
      if (folded_elements > INT64_C(0)) {
        row = address_of(start, p, rank, extents, strides, INT64_C(0));
        o1 = folded_elements - INT64_C(1);
        if (INT64_C(0) <= o1) {
          for (q = INT64_C(0); ; ++q) {
            a = address_of(row, q, folded_rank, folded_extents,
                folded_strides, INT64_C(0));
            largest = join_of_float(largest, memory[a]);
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
