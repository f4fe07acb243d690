/* What a Cortex-M needs before main: the table of vectors, and memory as C expects it. */
#include <stdint.h>

#include "semihosting.h"

extern uint32_t board_stack_top[], board_data_in_flash[], board_data_begin[], board_data_end[],
    board_bss_begin[], board_bss_end[];
int main(void);

void board_reset(void) {
  const uint32_t* from = board_data_in_flash;
  for (volatile uint32_t* to = board_data_begin; to < board_data_end;) *to++ = *from++;
  for (volatile uint32_t* to = board_bss_begin; to < board_bss_end;) *to++ = 0;
  semihosting_exit(main());
}

/* Any exception, a hard fault among them: nothing that was computed counts. */
void board_fault(void) {
  semihosting_print("the processor stopped with a fault\n");
  semihosting_exit(3);
}

typedef struct {
  void* stack;
  void (*handlers[15])(void);
} board_vector_table;

__attribute__((section(".vectors"), used)) const board_vector_table board_vectors = {
    board_stack_top,
    {board_reset, board_fault, board_fault, board_fault, board_fault, board_fault, board_fault, board_fault,
     board_fault, board_fault, board_fault, board_fault, board_fault, board_fault, board_fault}};
