/* The best of two lists of scores, and the best of each row, by the two-file library (docs/c99.md). */
#include <stdio.h>
#include <string.h>

#include "supremum_c99.h"

int main(void) {
  /* One array with all tensors: a is 2 x 3, b has 3 elements, y is 2 x 3, the best of each row 2. */
  const float scores[] = {0.5f, 0.75f, 0.25f, -1.0f, 0.0f, 2.0f, 1.0f, 0.5f, -2.0f};
  uint32_t arena[17];
  memcpy(arena, scores, sizeof scores); /* as bits */

  const int64_t a_extents[] = {2, 3}, b_extents[] = {3}, reversed[] = {-1};
  const supremum_c99_tensor inputs[] = {{2, a_extents, NULL, 0}, {1, b_extents, reversed, 8}};
  int64_t rank, extents[SUPREMUM_C99_MOST_DIMENSIONS];
  int64_t workspace[8]; /* supremum_c99_max_workspace(2, 2); ReduceMax needs 6 */
  if (supremum_c99_max_shape(2, inputs, &rank, extents) != SUPREMUM_C99_OK) return 1;
  const supremum_c99_tensor y = {rank, extents, NULL, 9};
  if (supremum_c99_max(SUPREMUM_C99_FLOAT, arena, 17, 2, inputs, &y, workspace) != SUPREMUM_C99_OK) return 1;

  const int64_t axes[] = {-1};
  int64_t best_rank, best_extents[2];
  if (supremum_c99_reduce_max_shape(&y, axes, 1, 0, &best_rank, best_extents) != SUPREMUM_C99_OK) return 1;
  const supremum_c99_tensor best = {best_rank, best_extents, NULL, 15};
  if (supremum_c99_reduce_max(SUPREMUM_C99_FLOAT, arena, 17, &y, axes, 1, 0, &best, workspace) !=
      SUPREMUM_C99_OK)
    return 1;

  float results[8];
  memcpy(results, arena + 9, sizeof results);
  for (int k = 0; k < 8; ++k) printf("%g%s", (double)results[k], k == 5 ? " | " : k == 7 ? "\n" : " ");
  return 0;
}
