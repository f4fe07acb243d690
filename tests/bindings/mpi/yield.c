/* Put before libc by LD_PRELOAD: a rank that waits sleeps. MPI waits by asking again and again, with sched_yield() between; where there
   are more ranks than processors, or where others want them too, Linux soon runs the rank that waits again instead of the one that it
   waits for, and a test of seconds takes minutes. (Seven ranks on two processors beside `stress-ng --cpu 4 --vm 1`: allreduce_algorithm_2
   takes 3 s so, and 46 s without; idle 2 s and 1 s.) */
#define _GNU_SOURCE
#include <time.h>

int sched_yield(void) {
  const struct timespec moment = {0, 50000};
  nanosleep(&moment, NULL);
  return 0;
}
