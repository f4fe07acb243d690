#include <string.h>

#include "supremum/c_models.h"

/* No bytes are no model: the error says so. */
int main(void) {
  supremum_model* model = NULL;
  const supremum_status status = supremum_model_parse(NULL, 0, "nothing", 0, &model);
  return status == SUPREMUM_ERROR_MALFORMED_FILE && strstr(supremum_model_last_error(), "'nothing'") != NULL
             ? 0
             : 1;
}
