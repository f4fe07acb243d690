/* Extracted from verification/proofs/why3/instances.mlw, module BFloat16, by verification/proofs/extract.py. Not edited by hand. */
#include <stdint.h>

static inline uint16_t select_bfloat16(int condition, uint16_t yes, uint16_t no) {
  return (uint16_t)(no ^ ((yes ^ no) & -condition));
}

static inline uint16_t bottom_of_bfloat16(void) {
  return 0xFF80;
}

static inline uint16_t canonical_nan_bfloat16(void) {
  return 0x7FC0;
}

static inline uint16_t sign_bit_bfloat16(void) {
  return 0x8000;
}

static inline uint16_t all_bits_bfloat16(void) {
  return 0xFFFF;
}

static inline uint16_t nans_bfloat16(void) {
  return 0x7F;
}

static inline uint16_t infinity_key_bfloat16(void) {
  return 0xFF01;
}

static inline uint16_t turn_round_bfloat16(uint16_t a) {
  return select_bfloat16(a < sign_bit_bfloat16(), (uint16_t)(a + sign_bit_bfloat16()),
         (uint16_t)(all_bits_bfloat16() - a));
}

static inline uint16_t turn_back_bfloat16(uint16_t a) {
  return select_bfloat16(a < sign_bit_bfloat16(), (uint16_t)(all_bits_bfloat16() - a),
         (uint16_t)(a - sign_bit_bfloat16()));
}

static inline uint16_t key_of_bfloat16(uint16_t a) {
  return (uint16_t)(turn_round_bfloat16(a) - nans_bfloat16());
}

static inline uint16_t from_key_bfloat16(uint16_t k) {
  return select_bfloat16(infinity_key_bfloat16() < k, canonical_nan_bfloat16(),
         turn_back_bfloat16((uint16_t)(k + nans_bfloat16())));
}

static inline uint16_t join_of_bfloat16(uint16_t a, uint16_t b) {
  uint16_t ka, kb;
  ka = key_of_bfloat16(a);
  kb = key_of_bfloat16(b);
  return from_key_bfloat16(select_bfloat16(ka < kb, kb, ka));
}

/* Extracted from verification/proofs/why3/instances.mlw, module Float16, by verification/proofs/extract.py. Not edited by hand. */

static inline uint16_t select_float16(int condition, uint16_t yes, uint16_t no) {
  return (uint16_t)(no ^ ((yes ^ no) & -condition));
}

static inline uint16_t bottom_of_float16(void) {
  return 0xFC00;
}

static inline uint16_t canonical_nan_float16(void) {
  return 0x7E00;
}

static inline uint16_t sign_bit_float16(void) {
  return 0x8000;
}

static inline uint16_t all_bits_float16(void) {
  return 0xFFFF;
}

static inline uint16_t nans_float16(void) {
  return 0x3FF;
}

static inline uint16_t infinity_key_float16(void) {
  return 0xF801;
}

static inline uint16_t turn_round_float16(uint16_t a) {
  return select_float16(a < sign_bit_float16(), (uint16_t)(a + sign_bit_float16()),
         (uint16_t)(all_bits_float16() - a));
}

static inline uint16_t turn_back_float16(uint16_t a) {
  return select_float16(a < sign_bit_float16(), (uint16_t)(all_bits_float16() - a),
         (uint16_t)(a - sign_bit_float16()));
}

static inline uint16_t key_of_float16(uint16_t a) {
  return (uint16_t)(turn_round_float16(a) - nans_float16());
}

static inline uint16_t from_key_float16(uint16_t k) {
  return select_float16(infinity_key_float16() < k, canonical_nan_float16(),
         turn_back_float16((uint16_t)(k + nans_float16())));
}

static inline uint16_t join_of_float16(uint16_t a, uint16_t b) {
  uint16_t ka, kb;
  ka = key_of_float16(a);
  kb = key_of_float16(b);
  return from_key_float16(select_float16(ka < kb, kb, ka));
}

/* Extracted from verification/proofs/why3/instances.mlw, module Float, by verification/proofs/extract.py. Not edited by hand. */

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

/* Extracted from verification/proofs/why3/instances.mlw, module Double, by verification/proofs/extract.py. Not edited by hand. */

static inline uint64_t select_double(int condition, uint64_t yes, uint64_t no) {
  return no ^ ((yes ^ no) & (UINT64_C(0) - (uint64_t)condition));
}

static inline uint64_t bottom_of_double(void) {
  return UINT64_C(0xFFF0000000000000);
}

static inline uint64_t canonical_nan_double(void) {
  return UINT64_C(0x7FF8000000000000);
}

static inline uint64_t sign_bit_double(void) {
  return UINT64_C(0x8000000000000000);
}

static inline uint64_t all_bits_double(void) {
  return UINT64_C(0xFFFFFFFFFFFFFFFF);
}

static inline uint64_t nans_double(void) {
  return UINT64_C(0xFFFFFFFFFFFFF);
}

static inline uint64_t infinity_key_double(void) {
  return UINT64_C(0xFFE0000000000001);
}

static inline uint64_t turn_round_double(uint64_t a) {
  return select_double(a < sign_bit_double(), a + sign_bit_double(), all_bits_double() - a);
}

static inline uint64_t turn_back_double(uint64_t a) {
  return select_double(a < sign_bit_double(), all_bits_double() - a, a - sign_bit_double());
}

static inline uint64_t key_of_double(uint64_t a) {
  return turn_round_double(a) - nans_double();
}

static inline uint64_t from_key_double(uint64_t k) {
  return select_double(infinity_key_double() < k, canonical_nan_double(), turn_back_double(k + nans_double()));
}

static inline uint64_t join_of_double(uint64_t a, uint64_t b) {
  uint64_t ka, kb;
  ka = key_of_double(a);
  kb = key_of_double(b);
  return from_key_double(select_double(ka < kb, kb, ka));
}

/* Extracted from verification/proofs/why3/instances.mlw, module Int8, by verification/proofs/extract.py. Not edited by hand. */

static inline int8_t select_int8(int condition, int8_t yes, int8_t no) {
  return (int8_t)(no ^ ((yes ^ no) & -condition));
}

static inline int8_t bottom_of_int8(void) {
  return -128;
}

static inline int8_t join_of_int8(int8_t a, int8_t b) {
  return select_int8(a < b, b, a);
}

/* Extracted from verification/proofs/why3/instances.mlw, module Int16, by verification/proofs/extract.py. Not edited by hand. */

static inline int16_t select_int16(int condition, int16_t yes, int16_t no) {
  return (int16_t)(no ^ ((yes ^ no) & -condition));
}

static inline int16_t bottom_of_int16(void) {
  return -32768;
}

static inline int16_t join_of_int16(int16_t a, int16_t b) {
  return select_int16(a < b, b, a);
}

/* Extracted from verification/proofs/why3/instances.mlw, module Int32, by verification/proofs/extract.py. Not edited by hand. */

static inline int32_t select_int32(int condition, int32_t yes, int32_t no) {
  return no ^ ((yes ^ no) & -(int32_t)condition);
}

static inline int32_t bottom_of_int32(void) {
  return -2147483647 - 1;
}

static inline int32_t join_of_int32(int32_t a, int32_t b) {
  return select_int32(a < b, b, a);
}

/* Extracted from verification/proofs/why3/instances.mlw, module Int64, by verification/proofs/extract.py. Not edited by hand. */

static inline int64_t select_int64(int condition, int64_t yes, int64_t no) {
  return no ^ ((yes ^ no) & -(int64_t)condition);
}

static inline int64_t bottom_of_int64(void) {
  return INT64_C(-9223372036854775807) - INT64_C(1);
}

static inline int64_t join_of_int64(int64_t a, int64_t b) {
  return select_int64(a < b, b, a);
}

/* Extracted from verification/proofs/why3/instances.mlw, module UInt8, by verification/proofs/extract.py. Not edited by hand. */

static inline uint8_t select_uint8(int condition, uint8_t yes, uint8_t no) {
  return (uint8_t)(no ^ ((yes ^ no) & -condition));
}

static inline uint8_t bottom_of_uint8(void) {
  return 0;
}

static inline uint8_t join_of_uint8(uint8_t a, uint8_t b) {
  return select_uint8(a < b, b, a);
}

/* Extracted from verification/proofs/why3/instances.mlw, module UInt16, by verification/proofs/extract.py. Not edited by hand. */

static inline uint16_t select_uint16(int condition, uint16_t yes, uint16_t no) {
  return (uint16_t)(no ^ ((yes ^ no) & -condition));
}

static inline uint16_t bottom_of_uint16(void) {
  return 0;
}

static inline uint16_t join_of_uint16(uint16_t a, uint16_t b) {
  return select_uint16(a < b, b, a);
}

/* Extracted from verification/proofs/why3/instances.mlw, module UInt32, by verification/proofs/extract.py. Not edited by hand. */

static inline uint32_t select_uint32(int condition, uint32_t yes, uint32_t no) {
  return no ^ ((yes ^ no) & (UINT32_C(0) - (uint32_t)condition));
}

static inline uint32_t bottom_of_uint32(void) {
  return UINT32_C(0);
}

static inline uint32_t join_of_uint32(uint32_t a, uint32_t b) {
  return select_uint32(a < b, b, a);
}

/* Extracted from verification/proofs/why3/instances.mlw, module UInt64, by verification/proofs/extract.py. Not edited by hand. */

static inline uint64_t select_uint64(int condition, uint64_t yes, uint64_t no) {
  return no ^ ((yes ^ no) & (UINT64_C(0) - (uint64_t)condition));
}

static inline uint64_t bottom_of_uint64(void) {
  return UINT64_C(0);
}

static inline uint64_t join_of_uint64(uint64_t a, uint64_t b) {
  return select_uint64(a < b, b, a);
}

/* Extracted from verification/proofs/why3/instances.mlw, module Bool, by verification/proofs/extract.py. Not edited by hand. */

static inline uint8_t select_bool(int condition, uint8_t yes, uint8_t no) {
  return (uint8_t)(no ^ ((yes ^ no) & -condition));
}

static inline uint8_t no_of_bool(void) {
  return 0;
}

static inline uint8_t yes_of_bool(void) {
  return 1;
}

static inline uint8_t join_of_bool(uint8_t a, uint8_t b) {
  return select_bool(no_of_bool() < a, yes_of_bool(), select_bool(no_of_bool() < b, yes_of_bool(),
  no_of_bool()));
}
