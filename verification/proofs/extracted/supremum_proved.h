/* Max and ReduceMax as they were proved, in C: verification/proofs/why3/kernel.mlw states what each function
   requires and leaves behind.

   All tensors lie in the block `memory`, each from an offset on and with strides of its own. Offsets and
   strides count elements and may be negative. A float is the unsigned integer of its bits. A bool is a
   byte, 0 or 1; any other byte is read as 1. Nothing is checked: what is required is the caller's business.

   supremum_proved_max_T: n tensors (n >= 1) of the shape `extents`, of `rank` dimensions. Tensor m begins at
   starts[m] and has the strides strides[m * rank], ..., strides[m * rank + rank - 1], 0 where it is
   broadcast. The output may be exactly one of them.

   supremum_proved_reduce_max_T: one tensor, whose dimensions come in two lists: `extents`, with the strides
   `strides`, which the output has too, and `folded_extents`, with the strides `folded_strides`, which it has
   not. */
#ifndef SUPREMUM_VERIFICATION_PROOFS_EXTRACTED_SUPREMUM_PROVED_H_
#define SUPREMUM_VERIFICATION_PROOFS_EXTRACTED_SUPREMUM_PROVED_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void supremum_proved_max_bfloat16(int64_t rank, const int64_t* extents, uint16_t* memory, int64_t out,
                                  const int64_t* out_strides, int64_t n, const int64_t* starts,
                                  const int64_t* strides);
void supremum_proved_reduce_max_bfloat16(int64_t rank, const int64_t* extents, uint16_t* memory, int64_t out,
                                         const int64_t* out_strides, int64_t start, const int64_t* strides,
                                         int64_t folded_rank, const int64_t* folded_extents,
                                         const int64_t* folded_strides);

void supremum_proved_max_float16(int64_t rank, const int64_t* extents, uint16_t* memory, int64_t out,
                                 const int64_t* out_strides, int64_t n, const int64_t* starts,
                                 const int64_t* strides);
void supremum_proved_reduce_max_float16(int64_t rank, const int64_t* extents, uint16_t* memory, int64_t out,
                                        const int64_t* out_strides, int64_t start, const int64_t* strides,
                                        int64_t folded_rank, const int64_t* folded_extents,
                                        const int64_t* folded_strides);

void supremum_proved_max_float(int64_t rank, const int64_t* extents, uint32_t* memory, int64_t out,
                               const int64_t* out_strides, int64_t n, const int64_t* starts,
                               const int64_t* strides);
void supremum_proved_reduce_max_float(int64_t rank, const int64_t* extents, uint32_t* memory, int64_t out,
                                      const int64_t* out_strides, int64_t start, const int64_t* strides,
                                      int64_t folded_rank, const int64_t* folded_extents,
                                      const int64_t* folded_strides);

void supremum_proved_max_double(int64_t rank, const int64_t* extents, uint64_t* memory, int64_t out,
                                const int64_t* out_strides, int64_t n, const int64_t* starts,
                                const int64_t* strides);
void supremum_proved_reduce_max_double(int64_t rank, const int64_t* extents, uint64_t* memory, int64_t out,
                                       const int64_t* out_strides, int64_t start, const int64_t* strides,
                                       int64_t folded_rank, const int64_t* folded_extents,
                                       const int64_t* folded_strides);

void supremum_proved_max_int8(int64_t rank, const int64_t* extents, int8_t* memory, int64_t out,
                              const int64_t* out_strides, int64_t n, const int64_t* starts,
                              const int64_t* strides);
void supremum_proved_reduce_max_int8(int64_t rank, const int64_t* extents, int8_t* memory, int64_t out,
                                     const int64_t* out_strides, int64_t start, const int64_t* strides,
                                     int64_t folded_rank, const int64_t* folded_extents,
                                     const int64_t* folded_strides);

void supremum_proved_max_int16(int64_t rank, const int64_t* extents, int16_t* memory, int64_t out,
                               const int64_t* out_strides, int64_t n, const int64_t* starts,
                               const int64_t* strides);
void supremum_proved_reduce_max_int16(int64_t rank, const int64_t* extents, int16_t* memory, int64_t out,
                                      const int64_t* out_strides, int64_t start, const int64_t* strides,
                                      int64_t folded_rank, const int64_t* folded_extents,
                                      const int64_t* folded_strides);

void supremum_proved_max_int32(int64_t rank, const int64_t* extents, int32_t* memory, int64_t out,
                               const int64_t* out_strides, int64_t n, const int64_t* starts,
                               const int64_t* strides);
void supremum_proved_reduce_max_int32(int64_t rank, const int64_t* extents, int32_t* memory, int64_t out,
                                      const int64_t* out_strides, int64_t start, const int64_t* strides,
                                      int64_t folded_rank, const int64_t* folded_extents,
                                      const int64_t* folded_strides);

void supremum_proved_max_int64(int64_t rank, const int64_t* extents, int64_t* memory, int64_t out,
                               const int64_t* out_strides, int64_t n, const int64_t* starts,
                               const int64_t* strides);
void supremum_proved_reduce_max_int64(int64_t rank, const int64_t* extents, int64_t* memory, int64_t out,
                                      const int64_t* out_strides, int64_t start, const int64_t* strides,
                                      int64_t folded_rank, const int64_t* folded_extents,
                                      const int64_t* folded_strides);

void supremum_proved_max_uint8(int64_t rank, const int64_t* extents, uint8_t* memory, int64_t out,
                               const int64_t* out_strides, int64_t n, const int64_t* starts,
                               const int64_t* strides);
void supremum_proved_reduce_max_uint8(int64_t rank, const int64_t* extents, uint8_t* memory, int64_t out,
                                      const int64_t* out_strides, int64_t start, const int64_t* strides,
                                      int64_t folded_rank, const int64_t* folded_extents,
                                      const int64_t* folded_strides);

void supremum_proved_max_uint16(int64_t rank, const int64_t* extents, uint16_t* memory, int64_t out,
                                const int64_t* out_strides, int64_t n, const int64_t* starts,
                                const int64_t* strides);
void supremum_proved_reduce_max_uint16(int64_t rank, const int64_t* extents, uint16_t* memory, int64_t out,
                                       const int64_t* out_strides, int64_t start, const int64_t* strides,
                                       int64_t folded_rank, const int64_t* folded_extents,
                                       const int64_t* folded_strides);

void supremum_proved_max_uint32(int64_t rank, const int64_t* extents, uint32_t* memory, int64_t out,
                                const int64_t* out_strides, int64_t n, const int64_t* starts,
                                const int64_t* strides);
void supremum_proved_reduce_max_uint32(int64_t rank, const int64_t* extents, uint32_t* memory, int64_t out,
                                       const int64_t* out_strides, int64_t start, const int64_t* strides,
                                       int64_t folded_rank, const int64_t* folded_extents,
                                       const int64_t* folded_strides);

void supremum_proved_max_uint64(int64_t rank, const int64_t* extents, uint64_t* memory, int64_t out,
                                const int64_t* out_strides, int64_t n, const int64_t* starts,
                                const int64_t* strides);
void supremum_proved_reduce_max_uint64(int64_t rank, const int64_t* extents, uint64_t* memory, int64_t out,
                                       const int64_t* out_strides, int64_t start, const int64_t* strides,
                                       int64_t folded_rank, const int64_t* folded_extents,
                                       const int64_t* folded_strides);

void supremum_proved_max_bool(int64_t rank, const int64_t* extents, uint8_t* memory, int64_t out,
                              const int64_t* out_strides, int64_t n, const int64_t* starts,
                              const int64_t* strides);
void supremum_proved_reduce_max_bool(int64_t rank, const int64_t* extents, uint8_t* memory, int64_t out,
                                     const int64_t* out_strides, int64_t start, const int64_t* strides,
                                     int64_t folded_rank, const int64_t* folded_extents,
                                     const int64_t* folded_strides);

#ifdef __cplusplus
}
#endif

#endif /* SUPREMUM_VERIFICATION_PROOFS_EXTRACTED_SUPREMUM_PROVED_H_ */
